// What a flow began with goes into its journal, and a resume has it again: rules add up, the mode
// never widens, nothing else is exchanged.
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { maskSecrets, secretValues } from "../../base/secrets/find-secrets.ts";
import type { FlowBegun } from "../../flows/journal.ts";
import type { PermissionMode } from "../../permissions/mode.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { resumedMode } from "../main/resume-main.ts";

/**
 * Given by value or as a file's name; other ones on a resume could leave out the deny rules of the
 * first.
 */
const fixed = ["cliAgents", "settings", "mcpConfigs", "pluginDirs", "addDirs"] as const;
type Fixed = (typeof fixed)[number];

const words: Readonly<Record<Fixed, string>> = {
  cliAgents: "agents",
  settings: "settings",
  mcpConfigs: "MCP servers",
  pluginDirs: "plugins",
  addDirs: "further folders",
};

/**
 * Text with a secret in it does not go to the disk; its hash does, and a resume needs the same text
 * again.
 */
export function flowBegunWith(options: SessionOptions, mode: PermissionMode): FlowBegun {
  const known = secretValues(options.env);
  const given = fixed.flatMap((name): [Fixed, unknown][] =>
    valueOf(options, name) === undefined ? [] : [[name, valueOf(options, name)]],
  );
  const isKept = ([, value]: [Fixed, unknown]): boolean => isFreeOfSecrets(value, known);
  return {
    mode,
    kept: Object.fromEntries(given.filter(isKept)),
    withheld: Object.fromEntries(
      given
        .filter((one) => !isKept(one))
        .map(([name, value]) => [name, hashOf(JSON.stringify(value))]),
    ),
    allowedTools: joined(options.allowedTools),
    disallowedTools: joined(options.disallowedTools),
    askRules: joined(options.askRules),
  };
}

/**
 * The options of a flow that goes on. Throws `denied` for what would widen it, `usage` for what it
 * needs again.
 */
export function resumedOptions<T extends Omit<SessionOptions, "cwd" | "sessionId">>(
  options: T,
  begun: FlowBegun | undefined,
): T {
  if (!begun) return options;
  for (const name of fixed) refuseOther(valueOf(options, name), name, begun);
  const mode = resumedMode(begun.mode, options.mode);
  return {
    ...options,
    ...begun.kept,
    ...(mode === undefined ? {} : { mode }),
    allowedTools: joined(begun.allowedTools, options.allowedTools),
    disallowedTools: joined(begun.disallowedTools, options.disallowedTools),
    askRules: joined(begun.askRules, options.askRules),
  };
}

function refuseOther(value: unknown, name: Fixed, { kept, withheld }: FlowBegun): void {
  const [given, hash] = [JSON.stringify(value), withheld[name]];
  if (value === undefined && hash !== undefined)
    throw new RetinueError(
      "usage",
      `the flow began with ${words[name]} that hold a secret, which is not kept on disk: give the same again.`,
    );
  if (
    value === undefined ||
    (hash !== undefined && hash === hashOf(given)) ||
    given === JSON.stringify(kept[name])
  )
    return;
  throw new RetinueError(
    "denied",
    `a flow goes on with what it began with, and these are other ${words[name]}. Leave ` +
      "them out, or start a new flow with them.",
  );
}

function valueOf(options: Omit<SessionOptions, "cwd" | "sessionId">, name: Fixed): unknown {
  const value =
    name === "pluginDirs" ? options.pluginDirs?.map((folder) => resolve(folder)) : options[name];
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** Looked at as the text that was given too: quotes that are escaped hide a name from the scan. */
function isFreeOfSecrets(value: unknown, known: readonly string[]): boolean {
  const texts = [
    JSON.stringify(value),
    ...(Array.isArray(value) ? value : [value]).filter(
      (part): part is string => typeof part === "string",
    ),
  ];
  return texts.every((text) => maskSecrets(text, known) === text);
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const joined = (first: readonly string[] = [], then: readonly string[] = []): string[] => [
  ...new Set([...first, ...then]),
];
