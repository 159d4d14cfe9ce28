// The model for runs that name none: that of the settings, else of the environment, else of the
// first provider with a key.
import { RetinueError } from "../../base/errors.ts";
import { defaultModelName } from "../../model/providers.ts";
import type { OpenedSession } from "./open-session.ts";

export function usualModelName({ session, settings }: OpenedSession): string {
  const name = settings.model ?? defaultModelName(session.env);
  if (name) return name;
  throw new RetinueError(
    "missing_key",
    "no model can be reached: no key is set. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, name " +
      "a local model (ollama:NAME), or describe a provider under retinue.providers in the settings.",
  );
}
