// The result of a run as callers read it, and the way from an outcome to it.
import type { JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { PermissionDenial, RunOutcome, RunState, StateReason } from "../events/outcome.ts";
import type { RunSpec } from "../executors/run-spec.ts";

export type AgentResult = {
  agent_id: string;
  agent_type: string;
  state: RunState;
  reason?: StateReason;
  error?: string;
  /** The final answer; where it is long its beginning, and where the rest is. */
  content: string;
  /** The parsed report, where the agent is bound by a contract. */
  report: JsonObject | null;
  /** What the verifier found; null where nothing was checked. */
  verification: JsonObject | null;
  metrics: { tokens_used: number; tool_uses: number; duration_ms: number; cost_usd: number | null };
  permission_denials: PermissionDenial[];
  transcript: string;
  output_file?: string;
  worktree?: string;
};

export function agentResult(spec: RunSpec, outcome: RunOutcome, places: { transcript: string; outputFile?: string | undefined; worktree?: string | undefined }): AgentResult {
  const { state, reason, error, metrics } = outcome;
  return {
    agent_id: spec.agentId,
    agent_type: spec.agentType,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(error === undefined ? {} : { error }),
    content: shortened(outcome.content, places.transcript),
    report: null,
    verification: null,
    metrics: { tokens_used: metrics.tokens_used, tool_uses: metrics.tool_uses, duration_ms: metrics.duration_ms, cost_usd: metrics.cost_usd },
    permission_denials: outcome.permission_denials,
    transcript: places.transcript,
    ...(places.outputFile === undefined ? {} : { output_file: places.outputFile }),
    ...(places.worktree === undefined ? {} : { worktree: places.worktree }),
  };
}

function shortened(content: string, transcript: string): string {
  const room = limits.output.resultCharacters;
  return content.length <= room ? content : `${content.slice(0, room)}\n[${content.length - room} more characters: ${transcript}]`;
}
