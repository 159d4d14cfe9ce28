// Reads the `hooks` object of settings or of a definition. Readable entries become hooks,
// everything else a problem; nothing is thrown.
import { errorText } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import { suggest } from "../base/text/suggest.ts";
import type { Hook } from "./hook.ts";
import { hookEvents, isHookEvent, type HookEvent } from "./hook-event.ts";
import { compileMatcher, type Matcher } from "./matching/matcher.ts";
import { matcherProblem, writtenAsRule } from "./matching/matcher-problem.ts";
import { readHookEntry, type HookProblem } from "./read-hook-entry.ts";

export type { HookProblem } from "./read-hook-entry.ts";

export type ReadHooks = { hooks: Hook[]; problems: HookProblem[] };

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

/** Hook events that are known here but never happen. */
const neverFired: ReadonlySet<HookEvent> = new Set([
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
]);

/**
 * `value` is `{Event: [{matcher, hooks: [{type, command, timeout}]}]}` with timeouts in seconds.
 * `tools` are the names of tools that are not built in.
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
 * The hooks of an agent definition: only three events, and `Stop` means the end of that sub-agent.
 */
export function readScopedHooks(value: unknown, source: string): ReadHooks {
  const { hooks, problems } = readHooks(value, source);
  const scoped: Hook[] = [];
  for (const hook of hooks) {
    const event = scopedEvents.get(hook.event);
    if (event === undefined) {
      const message =
        `${hook.event} has no effect in a definition: only PreToolUse, PostToolUse and Stop do; ` +
        "put it into settings";
      problems.push({ severity: "warning", where: `${source}: hooks.${hook.event}`, message });
    } else if (hook.event === "Stop") {
      // Stop has nothing to match; for SubagentStop a remaining matcher would be compared with the
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
    const hook = readHookEntry(entry, {
      where: `${where}.hooks[${index}]`,
      problems: result.problems,
    });
    if (hook)
      result.hooks.push({ event, matcher: matcher.trim() || "*", matches, source, ...hook });
  });
}

function readMatcher(result: ReadHooks, matcher: string, where: string): Matcher {
  try {
    return compileMatcher(matcher);
  } catch (error) {
    // A guard with a mistake must not disappear: people notice a hook that fires too often, not one
    // that never fires.
    result.problems.push({
      severity: "error",
      where,
      message: `${errorText(error)}${writtenAsRule(matcher)}; until then the hook fires for everything`,
    });
    return () => true;
  }
}
