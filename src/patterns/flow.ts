// The words of a flow: phases, what each delivers, and the functions it is given. No runtime is known here.
import { limits } from "../base/limits.ts";
import type { Decision, Outcome, Trust } from "../contract/axes.ts";
import type { Aggregate, Trigger } from "../contract/aggregate/aggregate-reports.ts";
import type { VerifiedReport } from "../contract/aggregate/verified-report.ts";
import type { Failure } from "../contract/failure.ts";
import type { HandoffRequest, HandoffResponse } from "../contract/handoff/handoff.ts";
import type { CheckTeller } from "../contract/handoff/read-checks.ts";
import type { Requirement } from "../contract/trust/requirement.ts";
import type { VerificationSummary } from "../events/judged-answer.ts";

/** A decision of an agent that does not stand. */
export type Overridden = {
  claimed: Decision;
  why: string;
  /** The checks that failed whatever the agent says of them. */
  failed_checks?: string[];
};

/**
 * The result of an agent's run. `response` is null if the answer could not be read; `partial` is the
 * text so far.
 */
export type Delivery = {
  task_id: string;
  agent: string;
  run_ids: string[];
  state: "completed" | "failed" | "stopped";
  reason?: string;
  outcome: Outcome;
  response: HandoffResponse | null;
  partial: string;
  trust: Trust;
  /** Why `response` is null although the run completed: what could not be read. */
  problem?: string;
  /** It has a decision, a status or checks that cannot be read: never passed over, even of an optional phase. */
  is_unreadable?: boolean;
  /** What the agent decided, where that does not stand, and why not. */
  overridden?: Overridden;
  /** What would have stopped it, did its class of verdicts bind. */
  warned?: string;
  /** Who says what its checks came to: the runtime that ran them, or an agent (also where it is left out). */
  teller?: CheckTeller;
  /** Where no run of a model was needed: the tokens of what was looked at instead. */
  context_tokens?: number;
  /** Its findings with their grades, where a verifier had a look at them. */
  report?: VerifiedReport;
  /** What the verifier found in the answer; null where none had a look at it. */
  verification: VerificationSummary | null;
};

/** A phase with all its tries. */
export type Delivered = {
  delivery: Delivery;
  /** Of all tries. */ run_ids: string[];
  /** CLARIFY that nobody answered. */ questions?: string[];
};

/** Gives one handoff to one agent and returns its delivery; `manager.delegate` is one. */
export type Delegate = (agent: string, request: HandoffRequest) => Promise<Delivery>;

/** One step of a flow: which agent does what. */
export type Phase = {
  name: string;
  agent: string;
  instructions: string;
  expected_output: HandoffRequest["expected_output"];
  /** Without it the flow cannot go on. */
  required: boolean;
  /** The phase that is run again with the failures when this one says STOP. */
  repairs?: string;
  /** The least trust that lets it proceed. Without it, what is usual for what it delivers. */
  require?: Requirement;
};

/** All that one phase leaves to the next: never its conversation. */
export type PhaseOutput = {
  context_summary: string;
  files: string[];
  /** What the runtime found untrue in it. */ doubts: string[];
};

/** What a phase came back with. */
export type PhaseRecord = Failure & {
  phase: string;
  agent: string;
  task_id: string;
  run_ids: string[];
  status: "done" | "failed" | "skipped";
  decision: Decision;
  context_summary: string;
  files: string[];
  /** What it found wrong: a flow that goes on later needs it as much as one that goes on at once. */
  issues: string[];
  /** What it delivered, its checks among it; without what is too long for a record. */
  findings?: Record<string, unknown>;
  /** With CLARIFY. */
  questions?: string[];
  /** What the agent decided, where that does not stand, and why not. */
  overridden?: Overridden;
  /** What would have stopped it, did its class of verdicts bind. */
  warned?: string;
  outcome: Outcome;
  trust: Trust;
  /** The finding that this was a second look at. */
  verifies?: string;
  /** The way that an analysis chose. */
  choice?: string;
  /** Where no run of a model was needed: the tokens of what was looked at instead. */
  context_tokens?: number;
};

/** The task of a flow: what is wanted, and within which limits. */
export type FlowTask = {
  feature: string;
  spec_path?: string | null;
  relevant_files?: string[];
  constraints?: string[];
};

/** What a pattern needs of the world: agents, ids, and somebody who hears of each phase. */
export type FlowPorts = {
  delegate: Delegate;
  newTaskId: (phase: string) => string;
  /** Durable before it returns. */
  record: (entry: PhaseRecord, report?: VerifiedReport) => Promise<void> | void;
  /** Answers to questions, in their order; undefined where nobody can be asked. */
  ask?: (questions: readonly string[], phase: string) => Promise<string[] | undefined>;
  /** A yes before the next phase. */
  confirm?: (entry: PhaseRecord) => Promise<boolean>;
  /** What an earlier life of the flow has on record, in its order. */
  finished?: readonly PhaseRecord[];
  /** The reports that it has on record, by task id. */
  reports?: ReadonlyMap<string, VerifiedReport>;
  /** Whether there is an agent of this name. */
  knows?: (agent: string) => boolean;
};

/** How often a flow tries again, asks again and looks again. It is plain data. */
export type FlowPolicy = {
  /** How often a required agent that failed is tried again with a smaller task. */
  lossRetries: number;
  repairRounds: number;
  clarifyRounds: number;
  /** At most so many findings of a flow are looked at by a second agent; 0 for none. */ secondLooks: number;
};
/** The policy that flows use unless told otherwise. */
export const usualPolicy: FlowPolicy = limits.flow;

/** What came of a second agent's look at a finding. */
export type LookResult = {
  task_id: string;
  agent: string;
  finding: string;
  place: string | null;
  triggers: Trigger["kind"][];
  verdict: "confirmed" | "disputed" | "not confirmed" | "failed";
  confidence: { before: number | null; after: number | null };
};

/** What `sequence` and `branch` return. */
export type FlowResult = {
  decision: Decision;
  phases: PhaseRecord[];
  /** Why it halted, and what to do about it. */
  reason?: string;
  suggestion?: string;
  /** With CLARIFY: to be answered before it can go on. */
  questions?: string[];
  warnings: string[];
  /** All findings folded into one; absent where nobody had any. */
  aggregate?: Aggregate;
  second_looks: LookResult[];
};

/** What to do about questions that nobody answered. */
export const answerEach =
  'resume the flow with an answer to each, "QUESTION=ANSWER", or with the options that they name';
