// Reads the `hooks` object of settings or of a definition: what can be read becomes hooks,
// everything else a problem; nothing throws.
import { errorText } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import { suggest } from "../base/text/suggest.ts";
import type { Hook } from "./hook.ts";
import { compileCondition, type HookCondition } from "./matching/hook-condition.ts";
import { hookEvents, isHookEvent, type HookEvent } from "./hook-event.ts";
import { compileMatcher, type Matcher } from "./matching/matcher.ts";
import { matcherProblem, writtenAsRule } from "./matching/matcher-problem.ts";

export type HookProblem = {
  severity: "error" | "warning";
  where: string;
  message: string;
  suggestion?: string;
};
export type ReadHooks = { hooks: Hook[]; problems: HookProblem[] };

const maxCommandCharacters = 32_000;
const maxTimeoutSeconds = 86_400;
const entryKeys = ["type", "command", "args", "shell", "timeout", "if"];
/** Keys of Claude Code that change nothing here, or only how a terminal looks. */
const silentKeys = new Set(["statusMessage", "description"]);
/** Events of Claude Code that do not happen here. */
const foreignEvents = new Set([
  "Setup",
  "ConfigChange",
  "InstructionsLoaded",
  "WorktreeCreate",
  "WorktreeRemove",
  "StopFailure",
  "PermissionDenied",
  "CwdChanged",
  "FileChanged",
  "Elicitation",
  "ElicitationResult",
  "UserPromptExpansion",
  "PostToolBatch",
]);

/** Known by name, and nothing here that they could tell of. */
const neverFired: ReadonlySet<HookEvent> = new Set([
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
]);

/**
 * `value` is `{Event: [{matcher, hooks: [{type, command, timeout}]}]}`; timeouts are in seconds
 * there. `tools` names those that are not built in.
 */
export function readHooks(
  value: unknown,
  source: string,
  tools: readonly string[] = [],
): ReadHooks {
  const result: ReadHooks = { hooks: [], problems: [] };
  if (value === undefined || value === null) return result;
  if (!isObject(value)) {
    result.problems.push({
      severity: "error",
      where: `${source}: hooks`,
      message: "`hooks` must be an object of event names; it is ignored",
    });
    return result;
  }
  for (const [event, groups] of Object.entries(value))
    readEvent(result, { source, event, groups, tools });
  return result;
}

const scopedEvents = new Map<HookEvent, HookEvent>([
  ["PreToolUse", "PreToolUse"],
  ["PostToolUse", "PostToolUse"],
  ["Stop", "SubagentStop"],
]);

/**
 * The hooks of an agent definition: three events only, and its `Stop` is the end of that sub-agent.
 */
export function readScopedHooks(value: unknown, source: string): ReadHooks {
  const { hooks, problems } = readHooks(value, source);
  const scoped: Hook[] = [];
  for (const hook of hooks) {
    const event = scopedEvents.get(hook.event);
    if (event === undefined) {
      const message = `${hook.event} has no effect in a definition: only PreToolUse, PostToolUse and Stop do; put it into settings`;
      problems.push({ severity: "warning", where: `${source}: hooks.${hook.event}`, message });
    } else if (hook.event === "Stop") {
      // Stop has nothing to match; as SubagentStop a leftover matcher would be compared with the
      // agent's type.
      scoped.push({ ...hook, event, matcher: "*", matches: () => true });
    } else scoped.push(hook);
  }
  return { hooks: scoped, problems };
}

function readEvent(
  result: ReadHooks,
  at: { source: string; event: string; groups: unknown; tools: readonly string[] },
): void {
  const where = `${at.source}: hooks.${at.event}`;
  if (!isHookEvent(at.event)) {
    const foreign = foreignEvents.has(at.event);
    const near = foreign ? undefined : suggest(at.event, hookEvents);
    result.problems.push({
      severity: "warning",
      where,
      message: foreign
        ? `the event ${at.event} of Claude Code does not happen here: its hooks never run`
        : `unknown hook event "${at.event}": it never fires`,
      ...(near === undefined ? {} : { suggestion: near }),
    });
    return;
  }
  if (neverFired.has(at.event))
    result.problems.push({
      severity: "warning",
      where,
      message: `the event ${at.event} does not happen here: its hooks never run`,
    });
  if (!Array.isArray(at.groups)) {
    result.problems.push({
      severity: "error",
      where,
      message: `hooks.${at.event} must be a list of {matcher, hooks}; it is ignored`,
    });
    return;
  }
  at.groups.forEach((group, index) =>
    readGroup(result, {
      event: at.event as HookEvent,
      source: at.source,
      where: `${where}[${index}]`,
      group,
      tools: at.tools,
    }),
  );
}

type GroupPlace = {
  event: HookEvent;
  source: string;
  where: string;
  group: unknown;
  tools: readonly string[];
};

function readGroup(result: ReadHooks, { event, source, where, group, tools }: GroupPlace): void {
  if (!isObject(group) || !Array.isArray(group["hooks"])) {
    result.problems.push({
      severity: "error",
      where,
      message: 'expected {matcher, hooks: [{type: "command", command}]}; the entry is ignored',
    });
    return;
  }
  const given = group["matcher"] ?? "*";
  if (typeof given !== "string") {
    result.problems.push({
      severity: "error",
      where,
      message: "`matcher` must be a string; the hook fires for everything until it is one",
    });
  }
  const matcher = typeof given === "string" ? given : "*";
  const matches = readMatcher(result, matcher, where);
  const idle = matcherProblem(event, matcher, { matches, tools });
  if (idle) result.problems.push({ severity: "warning", where, ...idle });
  group["hooks"].forEach((entry: unknown, index) => {
    const hook = readEntry(result.problems, entry, `${where}.hooks[${index}]`);
    if (hook)
      result.hooks.push({ event, matcher: matcher.trim() || "*", matches, source, ...hook });
  });
}

function readMatcher(result: ReadHooks, matcher: string, where: string): Matcher {
  try {
    return compileMatcher(matcher);
  } catch (error) {
    // A guard that cannot be read must not vanish: firing too often shows itself, never firing does
    // not.
    result.problems.push({
      severity: "error",
      where,
      message: `${errorText(error)}${writtenAsRule(matcher)}; until then the hook fires for everything`,
    });
    return () => true;
  }
}

type EntryPart =
  | {
      type: "command";
      command: string;
      args?: string[];
      timeoutMs?: number;
      applies?: HookCondition;
    }
  | { type: "unsupported"; declared: string };

function readEntry(problems: HookProblem[], entry: unknown, where: string): EntryPart | undefined {
  if (!isObject(entry)) {
    problems.push({
      severity: "error",
      where,
      message: 'expected {type: "command", command}; the hook is ignored',
    });
    return undefined;
  }
  const type = entry["type"] ?? "command";
  if (type !== "command") {
    problems.push({
      severity: "warning",
      where,
      message: `hooks of type ${JSON.stringify(type)?.slice(0, 100)} are not run here: only "command" is (and functions, in the library)`,
    });
    return {
      type: "unsupported",
      declared: typeof type === "string" ? type.slice(0, 100) : typeof type,
    };
  }
  const command = entry["command"];
  if (
    typeof command !== "string" ||
    command.trim() === "" ||
    command.length > maxCommandCharacters ||
    command.includes("\0")
  ) {
    problems.push({
      severity: "error",
      where,
      message: `\`command\` must be a shell command of at most ${maxCommandCharacters} characters; the hook is ignored`,
    });
    return undefined;
  }
  const { args, shell = "bash" } = entry;
  if (args !== undefined && !isTextList(args)) {
    problems.push({
      severity: "error",
      where,
      message: "`args` must be a list of texts; the hook is not run",
    });
    return { type: "unsupported", declared: "args" };
  }
  if (shell !== "bash" && args === undefined) {
    problems.push({
      severity: "warning",
      where,
      message: `hooks for the shell ${JSON.stringify(shell)?.slice(0, 100)} are not run here: only those for "bash" are`,
    });
    return { type: "unsupported", declared: "shell" };
  }
  warnOfKeys(problems, entry, where);
  const timeoutMs = readTimeout(problems, entry["timeout"], where);
  const applies = readCondition(problems, entry["if"], where);
  return {
    type: "command",
    command,
    ...(args === undefined ? {} : { args }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(applies === undefined ? {} : { applies }),
  };
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= 1_000 &&
  value.every(
    (item) =>
      typeof item === "string" && !item.includes("\0") && item.length <= maxCommandCharacters,
  );

function readCondition(
  problems: HookProblem[],
  given: unknown,
  where: string,
): HookCondition | undefined {
  if (given === undefined || given === null) return undefined;
  try {
    if (typeof given === "string") return compileCondition(given);
    problems.push({
      severity: "error",
      where,
      message:
        "`if` must be a rule such as `Bash(git push *)`; until it is one the hook fires for every matching call",
    });
  } catch (error) {
    problems.push({
      severity: "error",
      where,
      message: `\`if\`: ${errorText(error)}; until then the hook fires for every matching call`,
    });
  }
  return undefined;
}

function warnOfKeys(problems: HookProblem[], entry: Record<string, unknown>, where: string): void {
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

function readTimeout(problems: HookProblem[], timeout: unknown, where: string): number | undefined {
  if (timeout === undefined || timeout === null) return undefined;
  if (typeof timeout === "number" && timeout > 0 && timeout <= maxTimeoutSeconds)
    return Math.ceil(timeout * 1000);
  problems.push({
    severity: "error",
    where,
    message: `\`timeout\` must be seconds between 0 and ${maxTimeoutSeconds}, not ${JSON.stringify(timeout)}; the default holds`,
  });
  return undefined;
}
