// The result object of `retinue run`, as programs read it.
import type { RunOutcome, StateReason } from "../../events/outcome.ts";
import type { AgentResult } from "../../manager/session/agent-result.ts";
import type { Usage } from "../../model/model.ts";
import { checkedWire, judgedWords, type CheckedWire } from "../../terminal/view/trust-words.ts";

export type AgentRow = {
  agent_id: string;
  agent_type: string;
  state: string;
  outcome: string | null;
  decision: string | null;
  trust: string | null;
  tokens_used: number;
  tool_uses: number;
  duration_ms: number;
  transcript: string;
  output_file?: string;
};

export type RunResult = {
  type: "result";
  subtype:
    | "success"
    | "error_max_turns"
    | "error_budget"
    | "error_timeout"
    | "error_stopped"
    | "error_provider"
    | "error_during_execution";
  is_error: boolean;
  result: string;
  error?: string;
  reason?: StateReason;
  session_id: string;
  num_turns: number;
  duration_ms: number;
  total_cost_usd: number | null;
  usage: Usage;
  agents: AgentRow[];
  permission_denials: RunOutcome["permission_denials"];
  /** What was looked at in the answer and how it came out; null where nothing was checked. */
  verification: CheckedWire | null;
};

/** A sub-agent's row. Outcome, decision and trust stand there once its report was checked. */
export function agentRow({
  agent_id,
  agent_type,
  reason,
  verification,
  metrics,
  transcript,
  output_file,
  ...rest
}: AgentResult): AgentRow {
  const state = reason === "moved" ? "running" : rest.state;
  const { tokens_used, tool_uses, duration_ms } = metrics;
  return {
    agent_id,
    agent_type,
    state,
    ...judgedWords(verification),
    tokens_used,
    tool_uses,
    duration_ms,
    transcript,
    ...(output_file === undefined ? {} : { output_file }),
  };
}

const subtypes: Partial<Record<StateReason, RunResult["subtype"]>> = {
  max_turns: "error_max_turns",
  budget: "error_budget",
  timeout: "error_timeout",
  cancelled: "error_stopped",
  rate_limit: "error_provider",
  auth: "error_provider",
  network: "error_provider",
  refusal: "error_provider",
  empty: "error_provider",
  overflow: "error_provider",
};

export function runResult(
  outcome: RunOutcome,
  session: {
    sessionId: string;
    agents: AgentRow[];
    totalCostUsd: number | null;
    verification: AgentResult["verification"];
  },
): RunResult {
  const { state, reason, error, content, metrics } = outcome;
  const subtype =
    state === "completed" ? "success" : ((reason && subtypes[reason]) ?? "error_during_execution");
  return {
    type: "result",
    subtype,
    is_error: state !== "completed",
    result: content,
    ...(error === undefined ? {} : { error }),
    ...(reason === undefined ? {} : { reason }),
    session_id: session.sessionId,
    num_turns: metrics.turns,
    duration_ms: metrics.duration_ms,
    total_cost_usd: session.totalCostUsd,
    usage: metrics.usage,
    agents: session.agents,
    permission_denials: outcome.permission_denials,
    verification: checkedWire(session.verification),
  };
}
