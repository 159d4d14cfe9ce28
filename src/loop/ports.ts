// What the loop is given: every contact with the world is one of these functions, so that the loop
// itself stays pure.
import type { Fact, Signal } from "../events/event.ts";
import type { Carried } from "../events/outcome.ts";
import type { Effort, ModelCall, ModelRequest, ModelResult, Price } from "../model/model.ts";
import type { JudgedPath, Tool, ToolResult } from "../tool/tool.ts";

export type RequestedCall = { toolUseId: string; tool: string; input: Record<string, unknown> };

/**
 * The gate's word on one call. `input` replaces the call's input where a hook changed it; the gate
 * has judged it again.
 */
export type GateDecision = {
  layer: string;
  rule?: string;
  reason: string;
  input?: Record<string, unknown>;
} & ({ behavior: "deny" } | { behavior: "allow"; judgedPath: JudgedPath });

/** What hooks may add to a finished call. */
export type AfterTool = { context?: string };

/** Decides about one call before it runs; may wait for a person. */
export type Gate = (
  call: RequestedCall,
  signal: AbortSignal,
) => GateDecision | Promise<GateDecision>;

export type LoopPorts = {
  send(request: ModelRequest, call: ModelCall): Promise<ModelResult>;
  tools: ReadonlyMap<string, Tool>;
  gate: Gate;
  /** Durable before it returns; throws when the fact cannot be kept, and the run stops. */
  record(fact: Fact): void;
  /**
   * For watching only: cannot fail, cannot slow the run. Absent where nobody watches, so that not
   * even the signals are made.
   */
  signal?(signal: Signal): void;
  /** Monotonic milliseconds. */
  now(): number;
  hooks?: LoopHooks;
};

/** Where others have a say in a run. */
export type LoopHooks = {
  /**
   * Which of the tools are no longer offered to the model; undefined while all are. A call of one
   * is still the gate's to refuse, with its reason.
   */
  withheld?(): ((tool: string) => boolean) | undefined;
  /**
   * True: the run goes on in another process, from what is on record. Asked between turns; the loop
   * ends with the reason `moved`, which is no end of the run.
   */
  isMoving?(): boolean | Promise<boolean>;
  /** Messages that arrived since the last turn (SendMessage, finished background agents). */
  inbox?(): string[] | Promise<string[]>;
  /**
   * Why the run is to end before its next turn; undefined while it may go on. Asked after the
   * inbox.
   */
  ended?(): string | undefined;
  /** Undefined where nobody listens, which costs nothing. */
  afterTool?(call: RequestedCall, result: ToolResult): Promise<AfterTool | undefined> | undefined;
  /**
   * A rule's word on the answer before anyone else looks at it; undefined where none has one. May
   * wait for what the answer has to wait for.
   */
  gateAnswer?(signal: AbortSignal): Promise<GateDecision | undefined>;
  /** A reason to go on instead of ending with this answer. */
  beforeEnd?(
    answer: string,
    at: { /** A limit is reached: there will be no other answer. */ isLast: boolean },
  ): Promise<string | undefined>;
  /** Extra instructions for the summary. */
  beforeCompact?(trigger: "auto" | "overflow"): Promise<string | undefined>;
  afterCompact?(trigger: "auto" | "overflow", summary: string): Promise<void>;
};

/** One run as the loop sees it: plain data, settled before it starts. */
export type LoopSpec = {
  system: string;
  effort?: Effort;
  webSearch: boolean;
  limits: { maxTurns: number; maxTokens?: number; maxUsd?: number };
  window: { contextTokens: number; maxOutputTokens: number; compactionPercent: number };
  price?: Price;
  /** What the run had used when it was moved here. */
  carried?: Carried;
};

/** The abort reason that tells a deadline from a person's stop. */
export const deadlineReason = "deadline";
