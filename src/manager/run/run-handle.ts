// One run while it lives: the only place where its state changes, and the meeting point of those who watch it.
import { limits } from "../../base/limits.ts";
import type { Listener, RunEvent } from "../../events/event.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import { addUsage, noUsage, totalTokens } from "../../model/model.ts";
import type { AgentResult } from "../session/agent-result.ts";
import type { OutputFile } from "../background/output-file.ts";

export type RunProgress = {
  turns: number;
  tool_uses: number;
  tokens_used: number;
  lastTools: string[];
};

const rememberedTools = 5;

export class RunHandle {
  readonly spec: RunSpec;
  readonly startedAt = new Date().toISOString();
  readonly startedAtMs = performance.now();
  readonly done: Promise<AgentResult>;
  /** Settles when the run is moved to the background; never, when it is not. */
  readonly backgrounded: Promise<void>;
  /** Allow rules that a person gave before it went to the background. */
  readonly approved: string[] = [];
  /** What the caller should know besides the answer. */
  readonly notes: string[] = [];
  /** How far it had come here when it went on in another process. */
  left?: RunOutcome;
  /** SubagentStop has been fired, and nobody sent the agent on. */
  hasToldItsEnd = false;
  readonly #controller = new AbortController();
  /** Another process was quicker to go on with it: what is on disk belongs to that one. */
  isTaken = false;
  readonly #listeners = new Set<Listener>();
  readonly #settle: (result: AgentResult) => void;
  readonly #leave: () => void;
  readonly #progress: RunProgress = { turns: 0, tool_uses: 0, tokens_used: 0, lastTools: [] };
  #usage = noUsage;
  #text = "";
  #messages: string[] = [];
  #output: OutputFile | undefined;
  #isOver = false;
  #isBackground: boolean;

  constructor(spec: RunSpec) {
    this.spec = spec;
    this.#isBackground = spec.background;
    let settle!: (result: AgentResult) => void;
    let leave!: () => void;
    this.done = new Promise((resolve) => (settle = resolve));
    this.backgrounded = new Promise((resolve) => (leave = resolve));
    this.#settle = settle;
    this.#leave = leave;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get progress(): Readonly<RunProgress> {
    return this.#progress;
  }

  get isBackground(): boolean {
    return this.#isBackground;
  }

  /** What the agent has said so far; unverified. Of very much, the newest part. */
  get text(): string {
    return this.#text;
  }

  get outputFile(): string | undefined {
    return this.#output?.path;
  }

  abort(): void {
    if (!this.#controller.signal.aborted) this.#controller.abort("stop");
  }

  /** Watches from now on; returns what ends the watching. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  writeTo(output: OutputFile): void {
    this.#output = output;
  }

  /** Goes on without the caller. The file starts with the text so far. */
  moveToBackground(output: OutputFile): void {
    if (this.#text) output.write(this.#text);
    this.#isBackground = true;
    this.#output = output;
    this.#leave();
  }

  /** Reaches the agent at its next turn. */
  send(message: string): void {
    this.#messages.push(message);
  }

  takeMessages(): string[] {
    return this.#messages.splice(0);
  }

  hear(event: RunEvent): void {
    if (this.#isOver) return;
    this.#count(event);
    this.#output?.onEvent(event);
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
    if (result.reason === "moved" || this.isTaken) this.#output?.close();
    else this.#output?.end(result, this.spec.agentId);
    this.#listeners.clear();
    this.#settle(result);
  }

  #count(event: RunEvent): void {
    if (event.type === "message" && event.reply && event.message.role === "assistant") {
      this.#progress.turns += 1;
      this.#usage = addUsage(this.#usage, event.reply.usage);
      this.#progress.tokens_used = totalTokens(this.#usage);
      for (const block of event.message.content)
        if (block.type === "text" && block.text) this.#keep(block.text);
    } else if (event.type === "tool-end") {
      this.#progress.tool_uses += 1;
      this.#progress.lastTools = [...this.#progress.lastTools, event.tool].slice(-rememberedTools);
    }
  }

  #keep(text: string): void {
    const all = this.#text ? `${this.#text}\n${text}` : text;
    this.#text =
      all.length > limits.output.keptCharacters ? all.slice(-limits.output.keptCharacters) : all;
  }
}
