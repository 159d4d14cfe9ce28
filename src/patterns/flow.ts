// The words of a flow: phases, what each delivers, and the functions it is given. No runtime is known here.
import type { Decision, Outcome, Trust } from "../contract/axes.ts";
import type { HandoffRequest, HandoffResponse } from "../contract/handoff.ts";

/** What an agent's run came to. `response` is null when nothing could be read from it; `partial` is what there was. */
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
  /** Where no run of a model was needed: the tokens of what was looked at instead. */
  context_tokens?: number;
};

export type Delegate = (agent: string, request: HandoffRequest) => Promise<Delivery>;

export type Phase = {
  name: string;
  agent: string;
  instructions: string;
  expected_output: HandoffRequest["expected_output"];
  /** Without it the flow cannot go on. */
  required: boolean;
  /** The phase that is run again with the failures when this one says STOP. */
  repairs?: string;
};

/** All that one phase leaves to the next: never its conversation. */
export type PhaseOutput = { context_summary: string; files: string[]; /** What the runtime found untrue in it. */ doubts: string[] };

export type PhaseRecord = {
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
  /** With CLARIFY. */
  questions?: string[];
  outcome: Outcome;
  trust: Trust;
  /** The way that an analysis chose. */
  choice?: string;
  /** Where no run of a model was needed: the tokens of what was looked at instead. */
  context_tokens?: number;
};

export type FlowTask = { feature: string; spec_path?: string | null; relevant_files?: string[]; constraints?: string[] };

export type FlowPorts = {
  delegate: Delegate;
  newTaskId: (phase: string) => string;
  /** Durable before it returns. */
  record: (entry: PhaseRecord) => Promise<void> | void;
  /** Answers to questions, in their order; undefined where nobody can be asked. */
  ask?: (questions: readonly string[], phase: string) => Promise<string[] | undefined>;
  /** A yes before the next phase. */
  confirm?: (entry: PhaseRecord) => Promise<boolean>;
  /** What an earlier life of the flow has on record, in its order. */
  finished?: readonly PhaseRecord[];
};

/** Policies are data. */
export type FlowPolicy = { lossRetries: number; repairRounds: number; clarifyRounds: number };
export const usualPolicy: FlowPolicy = { lossRetries: 1, repairRounds: 2, clarifyRounds: 2 };

export type FlowResult = {
  decision: Decision;
  phases: PhaseRecord[];
  /** Why it halted, and what to do about it. */
  reason?: string;
  suggestion?: string;
  /** With CLARIFY: to be answered before it can go on. */
  questions?: string[];
  warnings: string[];
};

export const filesOf = (response: HandoffResponse): string[] => {
  const changed = response.findings["files_changed"];
  return Array.isArray(changed) ? changed.flatMap((item) => (typeof item === "string" ? [item] : typeof item === "object" && item !== null && "path" in item && typeof item.path === "string" ? [item.path] : [])) : [];
};
