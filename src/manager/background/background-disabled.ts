// CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: what asks for the background runs in the foreground, and
// the result says so.
import { RetinueError } from "../../base/errors.ts";
import type { Environment } from "../session/session.ts";

const variable = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS";

export const backgroundDisabled = (env: Environment): boolean =>
  ["1", "true", "yes", "on"].includes((env[variable] ?? "").toLowerCase());

export const backgroundDisabledText = `background tasks are switched off by ${variable}: it runs in the foreground`;

/** Throws `disabled` where a run has to stay in the foreground. */
export function refuseBackground(id: string, env: Environment): void {
  if (!backgroundDisabled(env)) return;
  throw new RetinueError(
    "disabled",
    `${id} stays in the foreground: background tasks are switched off by ${variable}.`,
  );
}
