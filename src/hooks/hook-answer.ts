// Checks what one hook answered: exit code, stdout and stderr of a command, or the return value of
// a function, as one type.
import { limits } from "../base/limits.ts";
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
  /** `continue: false`: the whole run ends with this reason. */
  stop?: string;
  warning?: string;
};

export type CommandEnd = {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** There was more output than was kept. */
  truncated: boolean;
};

const maxTextCharacters: number = limits.hook.textCharacters;

/** Events that guard something: an answer that cannot be understood must not count as silence. */
const guards: ReadonlySet<HookEvent> = new Set(["PreToolUse", "PermissionRequest"]);

/**
 * Claude Code's protocol: exit code 0 with optional JSON; 2 blocks with stderr as reason; other
 * codes warn. A command that a signal killed gave no answer.
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

/** The same checks for JSON from a command and for a function's return value. */
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

/** Ends the run; before a tool call the call is denied too. */
function stopOf(event: HookEvent, reason = "a hook asked to stop"): Partial<HookAnswer> {
  return event === "PreToolUse" ? { stop: reason, decision: "deny", reason } : { stop: reason };
}

type Decided = Pick<HookAnswer, "decision" | "reason" | "updatedInput" | "warning">;

function decisionOf(
  event: HookEvent,
  output: Record<string, unknown>,
  specific: Record<string, unknown>,
): Decided {
  const { word, reason, updatedInput } = decisionFields(output, specific);
  const input = updatedInputOf(event, updatedInput);
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

/** Claude Code has had three places for the same three things; the newest one wins. */
function decisionFields(
  output: Record<string, unknown>,
  specific: Record<string, unknown>,
): { word: unknown; reason: string | undefined; updatedInput: unknown } {
  const nested = isObject(specific["decision"]) ? specific["decision"] : {};
  return {
    word: specific["permissionDecision"] ?? nested["behavior"] ?? output["decision"],
    reason:
      textOf(specific["permissionDecisionReason"]) ??
      textOf(nested["message"]) ??
      textOf(output["reason"]),
    updatedInput: specific["updatedInput"] ?? nested["updatedInput"],
  };
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

/** An answer that cannot be understood: a guarding event asks a person, other events warn. */
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

/** A hook that gave no answer: before a tool runs this denies the call, elsewhere it warns. */
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
