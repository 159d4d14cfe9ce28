// The result of a run as callers read it, and how it is made: from an outcome, or without one if
// the run never had one.
import { limits } from "../../base/limits.ts";
import type { VerifiedFinding } from "../../contract/aggregate/verified-report.ts";
import type { ComputedConfidence } from "../../contract/grades.ts";
import type { Violation } from "../../contract/lint/lint-report.ts";
import type { Report } from "../../contract/report/report.ts";
import type { VerificationSummary } from "../../events/judged-answer.ts";
import type { PermissionDenial, RunOutcome, RunState, StateReason } from "../../events/outcome.ts";
import { noUsage } from "../../model/model.ts";
import type { AssessedCheck, Assessment, Withdrawn } from "../../verify/assessment.ts";
import type { Undeclared } from "../../verify/evidence/judge-files.ts";
import type { Repair } from "../../verify/repair.ts";

export type AgentMetrics = {
  tokens_used: number;
  tool_uses: number;
  duration_ms: number;
  cost_usd: number | null;
};

/** What the verifier found, as JSON. A transcript of another version may have less of it. */
export type RunVerification = VerificationSummary & {
  /** What was looked at, by kind. */
  tally?: Assessment["tally"];
  /** What speaks against it, what binds first. */
  objections?: Assessment["objections"];
  counts?: Assessment["counts"];
  confidence?: ComputedConfidence;
  /** One for each reference, those that are wrong first. */
  checks?: AssessedCheck[];
  findings?: VerifiedFinding[];
  /** Files that changed and that the report does not name. */
  undeclared?: Undeclared[];
  withdrawn?: Withdrawn[];
  lint?: Violation[];
  /** The result of the repair turn; null if there was none. */
  repair?: Pick<Repair, "accepted" | "problem" | "fixed" | "failing"> | null;
};

/**
 * What an agent's run came back with. `T`: what the agent's or the spawn's `outputSchema`
 * describes.
 */
export type AgentResult<T = unknown> = {
  agent_id: string;
  agent_type: string;
  state: RunState;
  reason?: StateReason;
  error?: string;
  /** The final answer; where it is long its beginning, and where the rest is. */
  content: string;
  /** The parsed report, where the agent is bound by a contract. */
  report: Report | null;
  /** The data that the agent owed; absent where it owed none or gave none that fits. */
  output?: T;
  /** What the verifier found; null where nothing was checked. */
  verification: RunVerification | null;
  metrics: AgentMetrics;
  permission_denials: PermissionDenial[];
  /** Empty with `persist: false`. */
  transcript: string;
  output_file?: string;
  /** A git worktree that was kept because something in it is new. */
  worktree?: string;
  /** The ref at the workers' remote that has its work, where folders follow their runs. */
  branch?: string;
  /** What else the caller should know: what ran otherwise than asked for. */
  notes?: string[];
};

/** What there is of a run that goes on. The text is unverified. */
export type RunningOutput = Omit<AgentResult, "state" | "reason" | "error"> & {
  state: "running";
  /** The wait ended before the run did. */ timed_out?: true;
};

/** The answer of `getOutput`: a result, or what a running agent has said so far. */
export type AgentOutput = AgentResult | RunningOutput;

export type ResultPlaces = {
  transcript: string;
  outputFile?: string | undefined;
  worktree?: string | undefined;
  notes?: readonly string[];
};

export function agentResult(
  agent: { agentId: string; agentType: string },
  outcome: RunOutcome,
  places: ResultPlaces,
): AgentResult {
  const { state, reason, error, metrics, judged, work } = outcome;
  return {
    agent_id: agent.agentId,
    agent_type: agent.agentType,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(error === undefined ? {} : { error }),
    content: shortened(judged?.content ?? outcome.content, places.transcript),
    ...(judged && "output" in judged ? { output: judged.output } : {}),
    report: judged?.report ?? null,
    verification: judged?.verification ?? null,
    metrics: {
      tokens_used: metrics.tokens_used,
      tool_uses: metrics.tool_uses,
      duration_ms: metrics.duration_ms,
      cost_usd: metrics.cost_usd,
    },
    permission_denials: outcome.permission_denials,
    transcript: places.transcript,
    ...(places.outputFile === undefined ? {} : { output_file: places.outputFile }),
    ...(places.worktree === undefined ? work : { worktree: places.worktree }),
    ...(places.notes?.length ? { notes: [...places.notes] } : {}),
  };
}

/** The outcome of a run that ended without one. */
export function outcomeWithout(state: RunState, reason: StateReason, error: string): RunOutcome {
  return {
    state,
    reason,
    error,
    content: "",
    metrics: {
      turns: 0,
      tool_uses: 0,
      tokens_used: 0,
      duration_ms: 0,
      cost_usd: null,
      usage: noUsage,
    },
    permission_denials: [],
  };
}

/** The beginning of a long text, and where the rest is; all of it where that is nowhere else. */
export function shortened(content: string, transcript: string): string {
  const room = limits.output.resultCharacters;
  return content.length <= room || transcript === ""
    ? content
    : `${content.slice(0, room).toWellFormed()}\n[${content.length - room} more characters: ${transcript}]`;
}
