// One run while it lives, main thread or sub-agent: its one state, its mail, its output file. All
// of them change here alone: whoever watches, stops, asks or moves a run does it here.
import type { RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Fact, Listener, RunEvent } from "../../events/event.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Executor, HeldRun } from "../../executors/executor.ts";
import { detachedReason } from "../../loop/ports.ts";
import type { TranscriptLock } from "../../transcripts/lock/lock.ts";
import { addUsage, noUsage, totalTokens, type Usage } from "../../model/model.ts";
import type { AgentResult } from "../session/agent-result.ts";
import type { RunRecord } from "../session/run-record.ts";
import type { OwedData } from "./tools/owed-data.ts";
import {
  keepTold,
  outputLine,
  type OutputFile,
  type ToldEvent,
} from "../background/output-file.ts";

export type RunProgress = {
  turns: number;
  tool_uses: number;
  tokens_used: number;
  lastTools: string[];
};

/**
 * `asking`: a person is asked. `repairing`: its report went back to it, and it may only look.
 * `moving`: it goes on in another process from its next turn on.
 */
export type RunPhase = "running" | "asking" | "repairing" | "moving" | "ended";

/** What hooks did and said before the run's first line, to be told with its first turn. */
export type Opening = { facts: Fact[]; context: string[] };

const rememberedTools = 5;
const mostTexts = 50;

type RunReach = Pick<Executor, "stop" | "send">;

const nowhere: RunReach = { stop: () => false, send: () => false };

export class RunHandle implements HeldRun {
  readonly spec: RunSpec;
  readonly startedAt = new Date().toISOString();
  readonly startedAtMs = performance.now();
  readonly done: Promise<AgentResult>;
  /** Allow rules that a person gave before it went to the background. */
  readonly approved: string[] = [];
  /** The data that its caller wants instead of a report, with the caller's own type for it. */
  owes?: OwedData;
  /** All that was said in it, where it began here; else its transcript has more. */
  record: RunRecord | undefined;
  /** What the caller should know besides the answer. */
  readonly notes: string[] = [];
  /** What the hooks of a session's beginning add to the first turn of its main thread. */
  opening?: Opening;
  /** How it ended here; with the reason `moved`, how far it had come when it left. */
  outcome?: RunOutcome;
  /** Counts what it uses with what others use. */ onSpent: ((usage: Usage) => void) | undefined;
  /** SubagentStop has been fired, and nobody sent the agent on. */
  hasToldItsEnd = false;
  /** Why it did not begin: a hook refused its prompt, or another process holds its lock and files. */
  refusal?: RetinueError;
  /** The verifier has sent its report back; until the next answer it may only look. */
  isRepairing = false;
  /** It goes on with a life that its process died under: what began then does not begin again. */
  isContinued = false;
  /** What it keeps open while it lives: the catalog's own. */
  services: object | undefined;
  readonly #executor: RunReach;
  readonly #controller = new AbortController();
  #listeners: Set<Listener> | undefined;
  #settle!: (result: AgentResult) => void;
  #backgrounded: Promise<void> | undefined;
  #leave: (() => void) | undefined;
  readonly #progress: RunProgress = { turns: 0, tool_uses: 0, tokens_used: 0, lastTools: [] };
  #usage = noUsage;
  #texts: string[] = [];
  #messages: string[] | undefined;
  #output: OutputFile | undefined;
  /** For an output file that it may get; undefined where there can be none. */
  #events: ToldEvent[] | undefined = [];
  #questions = 0;
  #askedMs = 0;
  #askingSinceMs = 0;
  #nextOwner: Promise<number | undefined> | undefined;
  #nextOwnerPid: number | undefined;
  #isOver = false;
  #isBackground: boolean;

  constructor(spec: RunSpec, executor: RunReach = nowhere) {
    this.spec = spec;
    this.#executor = executor;
    this.#isBackground = spec.background;
    this.done = new Promise((resolve) => (this.#settle = resolve));
  }

  get phase(): RunPhase {
    if (this.#isOver) return "ended";
    // A repair is in memory only, so that a move waits for its end.
    if (this.isRepairing) return "repairing";
    if (this.#nextOwner) return "moving";
    return this.#questions > 0 ? "asking" : "running";
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** It was moved to the background while it ran: nobody is asked and MCP tools are gone. */
  get hasLeftForeground(): boolean {
    return this.#isBackground && !this.spec.background;
  }

  /** How far it had come here when it went on in another process. */
  get left(): RunOutcome | undefined {
    return this.outcome?.reason === "moved" ? this.outcome : undefined;
  }

  /** Its transcript's lock: the next owner's where it has left as moved, else nobody's. */
  passOn(lock: Pick<TranscriptLock, "release" | "handTo">, isMoved: boolean): void {
    const pid = isMoved ? this.#nextOwnerPid : undefined;
    if (pid === undefined) lock.release();
    else lock.handTo(pid);
  }

  get progress(): Readonly<RunProgress> {
    return this.#progress;
  }

  get isBackground(): boolean {
    return this.#isBackground;
  }

  /** What the agent has said so far; unverified. Of very much, the newest part. */
  get text(): string {
    return this.#texts.join("\n").slice(-limits.output.keptCharacters);
  }

  get outputFile(): string | undefined {
    return this.#output?.path;
  }

  /** Tells it to end, wherever it runs; one that has not begun does not begin. */
  stop(): void {
    if (!this.#executor.stop(this.spec)) this.abort();
  }

  abort(): void {
    if (!this.signal.aborted) this.#controller.abort("stop");
  }

  /** Watches from now on; returns what ends the watching. */
  listen(listener: Listener): () => void {
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  writeTo(output: OutputFile): void {
    this.#output = output;
  }

  /** Goes on without the caller. The file starts with what there is so far. */
  moveToBackground(output: OutputFile): void {
    const lines = this.#events?.flatMap((event) => outputLine(event) ?? []) ?? [];
    if (lines.length > 0) output.write(lines.join("\n"));
    this.#events = [];
    this.#isBackground = true;
    this.#output = output;
    this.#leave?.();
  }

  /** Settles when the run is moved to the background; never, when it is not. */
  get backgrounded(): Promise<void> {
    return (this.#backgrounded ??= this.hasLeftForeground
      ? Promise.resolve()
      : new Promise((resolve) => (this.#leave = resolve)));
  }

  /** The other process did not come up: people are asked again. Its output file stays. */
  returnToForeground(): void {
    this.#isBackground = this.spec.background;
  }

  /**
   * From its next turn on it belongs to the process whose pid this promises. Undefined: there is
   * none, and it stays here.
   */
  moveTo(nextOwner: Promise<number | undefined>): void {
    this.#nextOwner ??= nextOwner.then((pid) => {
      this.#nextOwnerPid = pid;
      if (pid === undefined) this.#nextOwner = undefined;
      return pid;
    });
  }

  /** Asked at every turn boundary. Waits for the other process: no run leaves for it in vain. */
  isMoving(): boolean | Promise<boolean> {
    if (this.phase !== "moving") return false;
    return this.#nextOwner!.then((pid) => pid !== undefined);
  }

  /** A person is asked as long as this takes. */
  async whileAsking<T>(answer: Promise<T>): Promise<T> {
    if (this.#questions === 0) this.#askingSinceMs = performance.now();
    this.#questions += 1;
    try {
      return await answer;
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) this.#askedMs += performance.now() - this.#askingSinceMs;
    }
  }

  /** How long people have been asked: this does not count into the run's time. */
  get askedMs(): number {
    return this.#askedMs + (this.#questions > 0 ? performance.now() - this.#askingSinceMs : 0);
  }

  /** This process lets go of it: nothing more is written, and another process may go on. */
  detach(): void {
    if (!this.signal.aborted) this.#controller.abort(detachedReason);
  }

  /** Reaches the agent at its next turn, wherever it runs. */
  send(message: string): void {
    if (!this.#executor.send(this.spec, message)) this.receive(message);
  }

  receive(message: string): void {
    (this.#messages ??= []).push(message);
  }

  takeMessages(): string[] {
    const messages = this.#messages ?? [];
    this.#messages = undefined;
    return messages;
  }

  get isHeard(): boolean {
    return this.#output !== undefined || (this.#listeners?.size ?? 0) > 0;
  }

  hear(event: RunEvent): void {
    if (this.#isOver) return;
    this.#count(event);
    if (this.#output) this.#output.onEvent(event);
    else if (this.#events) keepTold(this.#events, event);
    if (!this.#listeners) return;
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // Whoever watches cannot disturb the run or the others who watch.
      }
    }
  }

  /** Once; whatever comes later changes nothing. */
  end(result: AgentResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (result.reason === "moved" || this.refusal) this.#output?.close();
    else this.#output?.end(result, this.spec.agentId);
    this.#listeners = undefined;
    // Whoever still holds the handle holds none of what was said.
    this.#events = this.services = this.record = this.onSpent = undefined;
    this.#settle(result);
  }

  /** It stays in the foreground: nothing of it is ever written to an output file. */
  forgetEvents(): void {
    this.#events = undefined;
  }

  #count(event: RunEvent): void {
    if (event.type === "message" && event.reply && event.message.role === "assistant") {
      this.#progress.turns += 1;
      this.#usage = addUsage(this.#usage, event.reply.usage);
      this.#progress.tokens_used = totalTokens(this.#usage);
      this.onSpent?.(event.reply.usage);
      for (const block of event.message.content)
        if (block.type === "text" && block.text) this.#keep(block.text);
    } else if (event.type === "tool-end") {
      this.#progress.tool_uses += 1;
      // Made anew, because an array that grew keeps spare room, in every run.
      const earlier = this.#progress.lastTools.slice(1 - rememberedTools);
      this.#progress.lastTools = earlier.concat(event.tool);
    }
  }

  #keep(text: string): void {
    this.#texts = this.#texts.length < mostTexts ? this.#texts.concat(text) : [this.text, text];
  }
}
