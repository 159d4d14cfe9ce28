// The definition that a person named, or why there is none: its broken file, or a name that is
// near.
import { basename } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { oneLine } from "../../base/text/printable.ts";
import type { Problem } from "../../base/problem.ts";
import { suggest } from "../../base/text/suggest.ts";
import type { AgentDefinition } from "../../definitions/agent-definition.ts";
import type { OpenedSession } from "./open-session.ts";

export function findDefinition({ session, loaded }: OpenedSession, name: string): AgentDefinition {
  const definitions = session.definitions();
  const found = definitions.get(name);
  if (found) return found;
  throw unknownAgent(name, { names: definitions.keys(), problems: loaded.problems });
}

export function unknownAgent(
  name: string,
  { names, problems }: { names: Iterable<string>; problems: readonly Problem[] },
): RetinueError {
  const broken = problems.find(
    ({ path, severity }) => severity === "error" && basename(path) === `${name}.md`,
  );
  if (broken)
    return new RetinueError(
      "unknown_agent",
      `the agent "${name}" cannot be used: ${broken.path}:${broken.line}: ${broken.message}`,
    );
  const near = suggest(name, names);
  return new RetinueError(
    "unknown_agent",
    `there is no agent "${oneLine(name, 60)}"${near ? `; did you mean "${near}"?` : "."} ` +
      `\`retinue agents list\` shows them all.`,
  );
}
