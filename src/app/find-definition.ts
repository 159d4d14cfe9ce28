// The definition that a person named, or why there is none: its broken file, or a name that is near.
import { basename } from "node:path";
import { RetinueError } from "../base/errors.ts";
import { suggest } from "../base/suggest.ts";
import type { AgentDefinition } from "../definitions/agent-definition.ts";
import type { OpenedSession } from "./open-session.ts";

export function findDefinition({ session, loaded }: OpenedSession, name: string): AgentDefinition {
  const definitions = session.definitions();
  const found = definitions.get(name);
  if (found) return found;
  const broken = loaded.problems.find(({ path, severity }) => severity === "error" && basename(path) === `${name}.md`);
  if (broken) throw new RetinueError("unknown_agent", `the agent "${name}" cannot be used: ${broken.path}:${broken.line}: ${broken.message}`);
  const near = suggest(name, definitions.keys());
  throw new RetinueError("unknown_agent", `there is no agent "${name}"${near ? `; did you mean "${near}"?` : "."} \`retinue agents list\` shows them all.`);
}
