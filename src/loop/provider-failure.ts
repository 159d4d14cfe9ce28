// How a run ends when its model cannot be reached: the reason in the words of a run's outcome, and
// what the agent had said by then.
import type { StateReason } from "../events/outcome.ts";
import type { FailureKind, ModelFailure } from "../model/model.ts";

export function providerFailure(
  failure: ModelFailure,
  lastText: string,
): { state: "failed"; reason: StateReason; error: string; content: string } {
  return {
    state: "failed",
    reason: reasonOf[failure.kind],
    error: failure.message,
    content: failure.partialText || lastText,
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
