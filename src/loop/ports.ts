// The functions through which the loop reaches the world; the loop itself stays pure.
import type { Fact, Signal } from "../events/event.ts";
import type { JudgedAnswer } from "../events/judged-answer.ts";
import type { Carried, RunMetrics } from "../events/outcome.ts";
import type { Effort, ModelCall, ModelRequest, ModelResult, Price } from "../model/model.ts";
import type { JudgedPath, Tool, ToolResult } from "../tool/tool.ts";

export type RequestedCall = { toolUseId: string; tool: string; input: Record<string, unknown> };

/**
 * The gate's decision about one call. `input` replaces the call's input if a hook changed it; the
 * gate has judged the new input.
 */
export type GateDecision = {
  layer: string;
  rule?: string;
  reason: string;
  input?: Record<string, unknown>;
} & ({ behavior: "deny" } | { behavior: "allow"; judgedPath: JudgedPath });

/** What hooks may add to a finished call. */
export type AfterTool = { context?: string };

/** A call that has run, with what hooks added to it. */
export type FinishedCall = AfterTool & { result: ToolResult };

/**
 * What an answer meets before it may end the run: messages that came during it, an objection, or
 * the verdict that it ends with.
 */
export type AnswerCheck = { mail?: readonly string[]; objection?: string; judged?: JudgedAnswer };

/** Decides about one call before it runs; may wait for a person. */
export type Gate = (
  call: RequestedCall,
  signal: AbortSignal,
) => GateDecision | Promise<GateDecision>;

/**
 * A call as the gate judged it, as plain data: settled, or a question for a person. `call` has the
 * input that was judged.
 */
export type JudgedCall = {
  call: RequestedCall;
  behavior: "allow" | "deny" | "ask";
  layer: string;
  rule?: string;
  reason: string;
  judgedPath: JudgedPath;
  /** A hook changed the input. */
  isChanged?: true;
  /** Protected paths that a yes opens for this call. */
  opens?: string[];
  /** With `ask`: what the person is asked. */
  question?: object;
};

/** What came of asking: the person's answer, or why there is none. Plain data. */
export type PersonAnswer = { said?: unknown; failed?: string };

/**
 * The gate in three parts, so that each can be kept: judging is a step, asking is a wait, and what
 * follows from both is worked out from them alone, in every process that goes on with the run.
 */
export type SplitGate = {
  judge(call: RequestedCall, signal: AbortSignal): JudgedCall | Promise<JudgedCall>;
  ask(judged: JudgedCall, signal: AbortSignal): Promise<PersonAnswer>;
  conclude(judged: JudgedCall, answer?: PersonAnswer): GateDecision;
};

/**
 * Does the work, or gives what it came to when an earlier process did it: for what must be the same
 * whoever goes on with the run. Its value is plain data.
 */
export type RunStep = <T>(key: string, work: () => T | Promise<T>) => T | Promise<T>;

export type LoopPorts = {
  send(request: ModelRequest, call: ModelCall): Promise<ModelResult>;
  tools: ReadonlyMap<string, Tool>;
  gate: Gate;
  /**
   * The fact is durable when this returns; a message that nobody hears may wait for the next fact.
   * Throws if a fact cannot be written; then the run stops.
   */
  record(fact: Fact): void;
  /** Makes durable what waits: a request is about to leave the process. */
  beforeRequest?: () => void;
  /**
   * For watching only: it cannot fail and cannot slow the run. Absent if nobody watches, so that no
   * signals are created.
   */
  signal?(signal: Signal): void;
  /** Monotonic milliseconds. */
  now(): number;
  /**
   * Where steps are kept: does a call and the hooks after it as one step, or gives what it came to
   * before. Without it the work is just done.
   */
  keepCall?(
    tool: Tool,
    call: RequestedCall,
    work: () => Promise<FinishedCall>,
  ): Promise<FinishedCall>;
  hooks?: LoopHooks;
};

/** Where hooks and other parties take part in a run. */
export type LoopHooks = {
  /**
   * The tools that are no longer offered to the model; undefined while all are. The gate still
   * refuses a call of one, with its reason.
   */
  withheld?(): ((tool: string) => boolean) | undefined;
  /**
   * True: the run continues in another process from what is recorded. Asked between turns; the loop
   * ends with the reason `moved`, which is not an end of the run.
   */
  isMoving?(): boolean | Promise<boolean>;
  /** Messages that arrived since the last turn (SendMessage, finished background agents). */
  inbox?(): string[] | Promise<string[]>;
  /**
   * Why the run must end before its next turn; undefined while it may continue. Asked after the
   * inbox.
   */
  ended?(): string | undefined;
  /** Undefined if no hook listens, which costs nothing. */
  afterTool?(call: RequestedCall, result: ToolResult): Promise<AfterTool | undefined> | undefined;
  /**
   * A rule's objection to the answer, before hooks see it; undefined if there is none. May wait for
   * what the answer depends on.
   */
  gateAnswer?(signal: AbortSignal): Promise<GateDecision | undefined>;
  /** A reason to continue instead of ending with this answer, or what was found about it. */
  beforeEnd?(answer: string, at: AnswerMoment): Promise<AnswerCheck | undefined>;
  /** Extra instructions for the summary. */
  beforeCompact?(trigger: "auto" | "overflow"): Promise<string | undefined>;
  afterCompact?(trigger: "auto" | "overflow", summary: string): Promise<void>;
};

/** When an answer comes: what the run has used by then, and whether another answer can follow. */
export type AnswerMoment = {
  /** A limit is reached: there will be no other answer. */
  isLast: boolean;
  metrics: RunMetrics;
};

/** One run as the loop sees it: plain data, complete before the run starts. */
export type LoopSpec = {
  system: string;
  effort?: Effort;
  webSearch: boolean;
  /** A main thread, and no sub-agent. */ isMain?: boolean;
  limits: { maxTurns: number; timeoutMs?: number; maxTokens?: number; maxUsd?: number };
  window: { contextTokens: number; maxOutputTokens: number; compactionPercent: number };
  price?: Price;
  /** What the run had used before it was moved here. */
  carried?: Carried;
};

/** The abort reason that tells a deadline from a person's stop. */
export const deadlineReason = "deadline";

/**
 * The abort reason of a process that lets go of a run: it ends here as `moved`, writes nothing more
 * and closes everything; another process goes on with it.
 */
export const detachedReason = "detached";

export const isDetached = (signal: AbortSignal): boolean =>
  signal.aborted && signal.reason === detachedReason;
