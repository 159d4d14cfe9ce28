// The end of a run as data. The runtime states it; the agent has no say.
import type { Usage } from "../model/model.ts";
import type { JudgedAnswer } from "./judged-answer.ts";

/** How a run ended, by the runtime's own account. */
export type RunState = "completed" | "failed" | "stopped";

/** Why a run did not complete. */
export type StateReason =
  | "error"
  | "timeout"
  | "max_turns"
  | "budget"
  | "cancelled"
  | "lost"
  | "storage"
  | "rate_limit"
  | "auth"
  | "network"
  | "refusal"
  | "empty"
  | "overflow"
  | "permission"
  /** Not an end: the run continues in another process. Never recorded. */
  | "moved";

/** A tool call that was refused, and why. */
export type PermissionDenial = {
  tool_name: string;
  tool_use_id: string;
  tool_input: unknown;
  reason: string;
  /** The rule that refused the call, if there is one. */ rule?: string;
};

export type RunMetrics = {
  turns: number;
  tool_uses: number;
  tokens_used: number;
  duration_ms: number;
  cost_usd: number | null;
  usage: Usage;
};

/** How a run ended, as an executor returns it. */
export type RunOutcome = {
  state: RunState;
  reason?: StateReason;
  /** A sentence for people when the state is not `completed`. */
  error?: string;
  /** The final answer, or the part of it that existed when the run ended early. */
  content: string;
  metrics: RunMetrics;
  permission_denials: PermissionDenial[];
  /** What the verifier made of the answer, where a contract binds the run and it completed. */
  judged?: JudgedAnswer;
  /** Where its work is, if that is not the folder that it was started in. */
  work?: { worktree: string } | { branch: string };
};

/** What a run had used when it was moved to another process. */
export type Carried = Pick<RunOutcome, "metrics" | "permission_denials">;
