// The result object of `retinue run`, as programs read it.
import { isObject } from "../../base/data/json.ts";
import { oneLine } from "../../base/text/printable.ts";
import type { RunOutcome, StateReason } from "../../events/outcome.ts";
import type { AgentResult } from "../../manager/session/agent-result.ts";
import type { Usage } from "../../model/model.ts";

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

export function judgedWords(
  verification: AgentResult["verification"],
): Pick<AgentRow, "outcome" | "decision" | "trust"> {
  return {
    outcome: wordOf(verification?.["outcome"]),
    decision: wordOf(verification?.["decision"]),
    trust: wordOf(verification?.["trust"]),
  };
}

/** What the verifier came to, as a transcript keeps it; nothing where nothing was checked. */
export function trustWords(verification: AgentResult["verification"]): string[] {
  const { trust, outcome, decision } = judgedWords(verification);
  const checks = Array.isArray(verification?.["checks"]) ? verification["checks"] : [];
  const wrong = checks.filter((check) => isObject(check) && check["grade"] === "X");
  const counts = isObject(verification?.["counts"]) ? verification["counts"]["total"] : undefined;
  const total = typeof counts === "number" ? counts : checks.length;
  const counted = `${total} claim${total === 1 ? "" : "s"} checked${wrong.length > 0 ? `, ${wrong.length} wrong` : ""}`;
  return trust === null
    ? []
    : [
        oneLine(
          [
            `trust ${trust}`,
            counted,
            ...(outcome === null ? [] : [`outcome ${outcome}`]),
            ...(decision === null ? [] : [`decision ${decision}`]),
          ].join(" · "),
          200,
        ),
      ];
}

/** A word, or the settled one of a claimed and a settled value. */
function wordOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return null;
  const { value: outcome, decision } = value as { value?: unknown; decision?: unknown };
  return typeof outcome === "string" ? outcome : typeof decision === "string" ? decision : null;
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
  session: { sessionId: string; agents: AgentRow[]; totalCostUsd: number | null },
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
  };
}
