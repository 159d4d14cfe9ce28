// What an executor needs to run a spec: it turns names into models, tools, a gate and a place to
// write.
import type { JsonObject } from "../base/data/json.ts";
import type { Fact, RecordedFact, Signal } from "../events/event.ts";
import type { RunOutcome } from "../events/outcome.ts";
import type { LoopHooks, RequestedCall, SplitGate, RunStep } from "../loop/ports.ts";
import type { Message } from "../model/message.ts";
import type { Model } from "../model/model.ts";
import type { Tool, ToolResult } from "../tool/tool.ts";
import type { RunSpec } from "../events/run-spec.ts";
import type { LeftRun } from "./file-journal.ts";
import type { StepJournal } from "./step-journal.ts";

export type ToolSet = { tools: readonly Tool[]; close(): Promise<void> };

/** Where a run is written, and what earlier lives of it left there. */
export type RunStore = {
  history: readonly Message[];
  /**
   * Tool calls of earlier lives that the history may no longer show: none of these ids runs again.
   */
  usedIds?: ReadonlySet<string>;
  /** Open calls of the last reply that have not begun: a person was asked, and the process died. */
  unbegun?: ReadonlySet<string>;
  lastSeq: number;
  /**
   * Durable when it returns; throws a StorageFailure when it cannot be. A fact that `mayWait` is
   * durable with the next one that may not, or when the code that runs now has come to its end.
   */
  append(fact: RecordedFact, mayWait?: boolean): void;
  /** Makes durable what waits. A failure is told by the next call. */
  settle?: () => void;
  /** Settles when all of it is on the disk. `moved`: another process goes on writing. */
  close(how?: "moved"): void | Promise<void>;
};

/** The one writer of a run. `record` has stored the fact when it returns. */
export type RunLog = { record: (fact: Fact) => void; signal: (signal: Signal) => void };

export type RunHooks = LoopHooks & {
  /** Told how the run ends, in every ending, before the end is on record. */
  atEnd?(outcome: RunOutcome): Promise<void>;
  /** What they have in mind, as plain data: another process goes on with it. */
  memory?(): JsonObject;
  remember?(memory: JsonObject): void;
  /** Told of a call that ran in another process. */
  recallTool?(call: RequestedCall, result: ToolResult): void;
};

/** What a run that runs on another machine has on this one. */
export type RunHere = {
  /** Where its transcript is copied to; empty where the session keeps nothing. */
  transcript: string;
  /** Holds the transcript for this process. Throws where another one has it. */
  lock(): { release(): void };
  /**
   * Under the lock: says in a new transcript that the run was started. What it returns writes the
   * end there, for a run of which no other transcript comes.
   */
  announce(): Promise<(outcome: RunOutcome) => Promise<void>>;
  /** What was answered with "always" in the session, and the rules that this run was given. */
  approvals: string[];
  approved: string[];
  /** Its definition brings hooks, which the other machine must have. */
  hasHooks: boolean;
  /** Puts a question of the run to the person here; undefined where nobody is there. */
  ask: ((question: object, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Puts what the agent asks with AskUserQuestion to the person here; undefined without an answer. */
  answer: (asked: AskedHere, signal: AbortSignal) => Promise<string[] | undefined>;
};

/** The questions of one call, as the agent gave them. */
export type AskedHere = { toolUseId: string; questions: readonly { question: string }[] };

/**
 * What an executor gets from the manager: models, tools, gate, hooks and the store of transcripts.
 */
export type Catalog = {
  model(spec: RunSpec): Model;
  tools(spec: RunSpec, step: RunStep): ToolSet | Promise<ToolSet>;
  gate(spec: RunSpec, log: RunLog): SplitGate;
  store(spec: RunSpec): RunStore | Promise<RunStore>;
  hooks?(spec: RunSpec, log: RunLog): RunHooks;
  /** Where an executor that survives a crash keeps the steps of a run. */
  journal?(spec: RunSpec): StepJournal | Promise<StepJournal>;
  /** The life in an agent's journal that has no end on record. */
  left?(agent: Pick<RunSpec, "agentId" | "isMain">): LeftRun | undefined;
  /** For an executor that runs specs on other machines. */
  here?(spec: RunSpec): RunHere;
};
