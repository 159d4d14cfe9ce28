// Reads one entry of a `hooks` list: a command to run, or a kind of hook that is listed and not run.
import { isObject } from "../base/data/json.ts";
import { errorText } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { suggest } from "../base/text/suggest.ts";
import { compileCondition, type HookCondition } from "./matching/hook-condition.ts";

export type HookProblem = {
  severity: "error" | "warning";
  where: string;
  message: string;
  suggestion?: string;
};

export type HookEntry =
  | {
      type: "command";
      command: string;
      args?: string[];
      timeoutMs?: number;
      applies?: HookCondition;
    }
  | { type: "unsupported"; declared: string };

/** The entry's place in its file, and the list that takes its problems. */
type EntryPlace = { where: string; problems: HookProblem[] };

const { commandCharacters, maxTimeoutSeconds } = limits.hook;
const entryKeys = ["type", "command", "args", "shell", "timeout", "if"];
/** Keys of Claude Code that change nothing here, or only what a terminal shows. */
const silentKeys = new Set(["statusMessage", "description"]);

/** Undefined: the entry cannot be used; the problem says why. */
export function readHookEntry(entry: unknown, place: EntryPlace): HookEntry | undefined {
  if (!isObject(entry)) {
    report(place, "error", 'expected {type: "command", command}; the hook is ignored');
    return undefined;
  }
  const unsupported = unsupportedPart(entry);
  if (unsupported) {
    report(place, unsupported.severity, unsupported.message);
    return { type: "unsupported", declared: unsupported.declared };
  }
  const command = entry["command"];
  if (!isCommand(command)) {
    report(
      place,
      "error",
      `\`command\` must be a shell command of at most ${commandCharacters} characters; the hook is ignored`,
    );
    return undefined;
  }
  warnOfKeys(entry, place);
  const args = entry["args"] as string[] | undefined;
  const timeoutMs = readTimeout(entry["timeout"], place);
  const applies = readCondition(entry["if"], place);
  return {
    type: "command",
    command,
    ...(args === undefined ? {} : { args }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(applies === undefined ? {} : { applies }),
  };
}

function report(
  { where, problems }: EntryPlace,
  severity: HookProblem["severity"],
  message: string,
): void {
  problems.push({ severity, where, message });
}

type Unsupported = Pick<HookProblem, "severity" | "message"> & { declared: string };

/** The type, the arguments or the shell of an entry that is not run here. */
function unsupportedPart(entry: Record<string, unknown>): Unsupported | undefined {
  const { type = "command", command, args, shell = "bash" } = entry;
  if (type !== "command")
    return {
      severity: "warning",
      message:
        `hooks of type ${JSON.stringify(type)?.slice(0, 100)} are not run here: only "command" is ` +
        "(and functions, in the library)",
      declared: typeof type === "string" ? type.slice(0, 100) : typeof type,
    };
  if (!isCommand(command)) return undefined;
  if (args !== undefined && !isTextList(args))
    return {
      severity: "error",
      message: "`args` must be a list of texts; the hook is not run",
      declared: "args",
    };
  if (shell !== "bash" && args === undefined)
    return {
      severity: "warning",
      message:
        `hooks for the shell ${JSON.stringify(shell)?.slice(0, 100)} are not run here: only ` +
        `those for "bash" are`,
      declared: "shell",
    };
  return undefined;
}

const isArgument = (value: unknown): value is string =>
  typeof value === "string" && !value.includes("\0") && value.length <= commandCharacters;

const isCommand = (value: unknown): value is string => isArgument(value) && value.trim() !== "";

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 1_000 && value.every(isArgument);

function readCondition(given: unknown, place: EntryPlace): HookCondition | undefined {
  if (given === undefined || given === null) return undefined;
  try {
    if (typeof given === "string") return compileCondition(given);
    report(
      place,
      "error",
      "`if` must be a rule such as `Bash(git push *)`; until then the hook fires for every matching call",
    );
  } catch (error) {
    const message = `\`if\`: ${errorText(error)}; until then the hook fires for every matching call`;
    report(place, "error", message);
  }
  return undefined;
}

function warnOfKeys(entry: Record<string, unknown>, { where, problems }: EntryPlace): void {
  for (const key of Object.keys(entry)) {
    if (entryKeys.includes(key) || silentKeys.has(key)) continue;
    const near = suggest(key, entryKeys);
    problems.push({
      severity: "warning",
      where,
      message: `\`${key}\` has no effect on a hook here`,
      ...(near === undefined ? {} : { suggestion: near }),
    });
  }
}

function readTimeout(timeout: unknown, place: EntryPlace): number | undefined {
  if (timeout === undefined || timeout === null) return undefined;
  if (typeof timeout === "number" && timeout > 0 && timeout <= maxTimeoutSeconds)
    return Math.ceil(timeout * 1000);
  report(
    place,
    "error",
    `\`timeout\` must be seconds between 0 and ${maxTimeoutSeconds}, not ${JSON.stringify(timeout)}; the default holds`,
  );
  return undefined;
}
