// What one hook said, after checking: exit code, stdout and stderr of a command, or a function's
// return value, in one shape.
import { isObject } from "../base/data/json.ts";
import { blockingEvents, textIsContext, type HookEvent } from "./hook-event.ts";

export type HookDecision = "allow" | "ask" | "deny";

export type HookAnswer = {
  outcome: "ok" | "blocked" | "failed" | "timeout";
  decision?: HookDecision;
  reason?: string;
  updatedInput?: Record<string, unknown>;
  additionalContext?: string;
  systemMessage?: string;
  /** `continue: false`: the whole run is to end, with this reason. */
  stop?: string;
  warning?: string;
};

export type CommandEnd = {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** More came than was kept. */
  truncated: boolean;
};

const maxTextCharacters = 10_000;

/** Guards: events where an answer that cannot be understood must not count as silence. */
const guards: ReadonlySet<HookEvent> = new Set(["PreToolUse", "PermissionRequest"]);

/**
 * Claude Code's protocol: 0 with optional JSON, 2 blocks with stderr, anything else warns; a death
 * by signal is no answer.
 */
export function answerOfCommand(event: HookEvent, end: CommandEnd): HookAnswer {
  if (end.code === null)
    return failure(event, `the hook was killed by ${end.signal ?? "a signal"}`);
  if (end.code === 2)
    return blocked(
      event,
      clip(end.stderr.trim()) ||
        "blocked by a hook that gave no reason (exit code 2, nothing on stderr)",
    );
  if (end.code !== 0)
    return {
      outcome: "failed",
      warning: `exit code ${end.code}${end.stderr.trim() ? `: ${clip(end.stderr.trim(), 500)}` : ""}`,
    };
  return answerOfText(event, end);
}

function answerOfText(event: HookEvent, end: CommandEnd): HookAnswer {
  const text = end.stdout.trim();
  if (text === "") return { outcome: "ok" };
  if (end.truncated) return unclear(event, "the hook's output is over the limit and was cut");
  if (!text.startsWith("{")) {
    if (textIsContext.has(event)) return { outcome: "ok", additionalContext: clip(text) };
    return guards.has(event)
      ? { outcome: "ok", warning: "the hook printed text that is no JSON; it decides nothing" }
      : { outcome: "ok" };
  }
  try {
    return answerOfOutput(event, JSON.parse(text));
  } catch {
    return unclear(event, "the hook's output begins like JSON but is not");
  }
}

/** The same checks for JSON from a command and for what a function returned. */
export function answerOfOutput(event: HookEvent, output: unknown): HookAnswer {
  if (output === undefined || output === null) return { outcome: "ok" };
  if (!isObject(output)) return unclear(event, "the hook's answer is no object");
  const specific = isObject(output["hookSpecificOutput"]) ? output["hookSpecificOutput"] : {};
  const answer: HookAnswer = { outcome: "ok", ...decisionOf(event, output, specific) };
  const context = textOf(specific["additionalContext"]) ?? textOf(output["additionalContext"]);
  const message = textOf(output["systemMessage"]);
  if (context !== undefined) answer.additionalContext = context;
  if (message !== undefined) answer.systemMessage = message;
  if (output["continue"] === false)
    Object.assign(answer, stopOf(event, textOf(output["stopReason"])));
  if (answer.decision === "deny") answer.outcome = "blocked";
  return answer;
}

/** A run that is to end does not make the call it was about to make. */
function stopOf(event: HookEvent, reason = "a hook asked to stop"): Partial<HookAnswer> {
  return event === "PreToolUse" ? { stop: reason, decision: "deny", reason } : { stop: reason };
}

type Decided = Pick<HookAnswer, "decision" | "reason" | "updatedInput" | "warning">;

function decisionOf(
  event: HookEvent,
  output: Record<string, unknown>,
  specific: Record<string, unknown>,
): Decided {
  const nested = isObject(specific["decision"]) ? specific["decision"] : {};
  const word = specific["permissionDecision"] ?? nested["behavior"] ?? output["decision"];
  const reason =
    textOf(specific["permissionDecisionReason"]) ??
    textOf(nested["message"]) ??
    textOf(output["reason"]);
  const input = updatedInputOf(event, specific["updatedInput"] ?? nested["updatedInput"]);
  if (word === undefined || word === null)
    return { ...input, ...(reason === undefined ? {} : { reason }) };
  const decision = decisionWords.get(word);
  if (decision === undefined) {
    const shown =
      typeof word === "string" ? JSON.stringify(word.slice(0, 100)) : `with ${typeof word}`;
    return asked(
      event,
      `the hook answered ${shown}, which is no decision (allow, deny, ask, block, approve)`,
    );
  }
  if (!blockingEvents.has(event))
    return { ...input, warning: `${event} hooks cannot decide anything; "${decision}" is ignored` };
  const given = { decision, reason: reason ?? `a hook said ${decision}` };
  // Malformed updatedInput has set "ask" already; it must not be softened by the same hook's
  // "allow".
  return input.decision !== undefined && decision === "allow" ? input : { ...input, ...given };
}

const decisionWords = new Map<unknown, HookDecision>([
  ["allow", "allow"],
  ["approve", "allow"],
  ["ask", "ask"],
  ["deny", "deny"],
  ["block", "deny"],
]);

function updatedInputOf(event: HookEvent, value: unknown): Decided {
  if (value === undefined || value === null) return {};
  if (!guards.has(event)) return { warning: `updatedInput has no effect on ${event}` };
  return isObject(value)
    ? { updatedInput: value }
    : asked(event, "the hook's updatedInput is no object");
}

/** An answer that cannot be understood: a guard's becomes a question, anything else a warning. */
function unclear(event: HookEvent, problem: string): HookAnswer {
  return { outcome: "failed", ...asked(event, problem) };
}

function asked(event: HookEvent, problem: string): Decided {
  return guards.has(event)
    ? { decision: "ask", reason: problem, warning: problem }
    : { warning: problem };
}

function blocked(event: HookEvent, reason: string): HookAnswer {
  if (blockingEvents.has(event)) return { outcome: "blocked", decision: "deny", reason };
  return { outcome: "failed", warning: `${event} hooks cannot block: ${reason}` };
}

/** A hook that could not answer at all. Before a tool runs that is a no; elsewhere a warning. */
export function failure(
  event: HookEvent,
  problem: string,
  outcome: "failed" | "timeout" = "failed",
): HookAnswer {
  if (event !== "PreToolUse") return { outcome, warning: problem };
  return {
    outcome,
    decision: "deny",
    reason: `${problem}; a hook that cannot answer denies the call`,
    warning: problem,
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? clip(value) : undefined;

function clip(text: string, max = maxTextCharacters): string {
  return text.length <= max ? text : `${text.slice(0, max)}… [cut: ${text.length} characters]`;
}
