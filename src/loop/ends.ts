// The ways a run ends before its answer, each with the sentence that people read.
import { errorText } from "../base/errors.ts";
import { oneLine } from "../base/text/printable.ts";
import type { RunOutcome, RunState, StateReason } from "../events/outcome.ts";
import { textOf } from "../model/message.ts";
import type { FailureKind, ModelFailure, Reply } from "../model/model.ts";
import { deadlineReason, isDetached } from "./ports.ts";
import type { Run } from "./run.ts";

export type End = Pick<RunOutcome, "judged"> & {
  state: RunState;
  reason?: StateReason;
  error?: string;
  content: string;
};

/** What stands on record for a reply without a word: no provider takes an empty message. */
export const emptyReply = "(empty reply)";

export function refused(reply: Reply): End {
  return {
    state: "failed",
    reason: "refusal",
    error: "the model refused to answer",
    content: textOf(reply.content),
  };
}

/** The model cannot be reached. */
export function providerFailure(run: Run, failure: ModelFailure): End {
  return {
    state: "failed",
    reason: reasonOf[failure.kind],
    error: failure.message,
    content: failure.partialText || lastText(run),
  };
}

const reasonOf: Record<FailureKind, StateReason> = {
  rate_limit: "rate_limit",
  overloaded: "rate_limit",
  server: "network",
  network: "network",
  timeout: "network",
  malformed: "network",
  auth: "auth",
  overflow: "overflow",
  invalid_request: "error",
  aborted: "cancelled",
};

export function stopped(run: Run): End {
  const content = lastText(run);
  if (isDetached(run.signal)) return { state: "stopped", reason: "moved", content };
  if (run.signal.reason === deadlineReason)
    return {
      state: "failed",
      reason: "timeout",
      error: tooSlow(run),
      content,
    };
  return { state: "stopped", reason: "cancelled", error: "stopped", content };
}

/** Which limit was reached, and what the provider said last where it had not answered. */
function tooSlow({ spec: { isMain, limits }, lastError }: Run): string {
  const limit = limits.timeoutMs === undefined ? "" : timeWords(limits.timeoutMs);
  const words = isMain
    ? `no answer within the limit${limit && ` of ${limit}`} (--timeout, or the setting retinue.limits.timeoutMs)`
    : `Sub-agent did not respond within timeout${limit && ` (${limit})`}`;
  return lastError === undefined
    ? words
    : `${words}; the provider's last error: ${oneLine(lastError, 300)}`;
}

const timeWords = (ms: number): string =>
  ms < 120_000 ? `${ms / 1000} s` : `${Math.round(ms / 6_000) / 10} min`;

/** A fact could not be written, or a port failed. */
export function brokenOff(run: Run, error: unknown): End {
  if (isDetached(run.signal)) return stopped(run);
  const storage = error instanceof Error && error.name === "StorageFailure";
  const reason = storage ? "storage" : "error";
  return { state: "failed", reason, error: errorText(error), content: lastText(run) };
}

/** The text of the answer so far when the run ends early. */
export function lastText(run: Run): string {
  for (let index = run.messages.length - 1; index >= 0; index--) {
    const message = run.messages[index]!;
    const text = message.role === "assistant" ? textOf(message.content) : "";
    if (text && text !== emptyReply) return text;
  }
  return run.answer;
}
