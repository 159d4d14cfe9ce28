// One run on other machines, as this process follows it: events are passed on, questions are put to
// the person here, and the transcript is copied. If this process dies the run goes on; whoever
// follows it next picks it up.
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { isSignal } from "../../events/is-signal.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { AskedHere, RunHere } from "../../executors/catalog.ts";
import type { Watch } from "../../executors/executor.ts";
import { isDetached } from "../../loop/ports.ts";
import { outcomeWithout } from "../../manager/session/agent-result.ts";
import type { Asking } from "../services.ts";
import { bringTranscript } from "../store/fetch-transcript.ts";
import { findTranscript } from "../store/stored-transcript.ts";
import { GatewayRefusal, type GatewayClient } from "./gateway-client.ts";

export type RemoteParts = {
  spec: RunSpec;
  watch: Watch;
  here: RunHere;
  gateway: GatewayClient;
  /** Of all runs that this process follows. */
  copies: CopyPace;
  /** Writes the end of a run that has left no transcript in the store. */
  conclude: (outcome: RunOutcome) => Promise<void>;
};

/** One copy at a time, and a small share of the process, however many runs it follows. */
export class CopyPace {
  #notBefore = 0;
  #isBusy = false;

  get waitMs(): number {
    return Math.max(this.#isBusy ? copyDelayMs : 0, this.#notBefore - performance.now());
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      const now = performance.now();
      this.#notBefore = now + (now - began) * copyShare;
      this.#isBusy = false;
    }
  }
}

const copyEveryMs = 1_000;
/** Until then the lines of a message are in the store. */
const copyDelayMs = limits.store.gatherMs + 100;
const copyShare = 20;
const lookAgainMs = 100;
const copyTries = 20;
/** What was asked for before this process let go still arrives; a gateway that is gone holds up nobody. */
const lastRequestsMs = 5_000;

export class RemoteRun {
  readonly #parts: RemoteParts;
  readonly #over = new AbortController();
  readonly #asked = new Map<string, AbortController>();
  readonly #requests = new AbortController();
  /** Requests leave one after another, in the order in which they were made. */
  #outbox: Promise<void> = Promise.resolve();
  #lastSeq: number;
  #hasBegun = false;
  #hasCopy = false;
  #copying: Promise<void> | undefined;
  #copyTimer: NodeJS.Timeout | undefined;
  #copyNotBefore = 0;

  constructor(parts: RemoteParts, lastSeq: number) {
    this.#parts = parts;
    this.#lastSeq = lastSeq;
  }

  stop(): void {
    this.#request((gateway, runId, signal) => gateway.stop(runId, signal));
  }

  send(text: string): void {
    this.#request((gateway, runId, signal) => gateway.send(runId, text, signal));
  }

  /** Starts it unless it was started before, and follows it to its end. */
  async follow(): Promise<RunOutcome> {
    const { spec, watch, here, gateway } = this.#parts;
    const { signal } = watch;
    const leave = (): void => {
      if (isDetached(signal)) this.#over.abort();
      else this.stop();
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      const { approvals, approved, hasHooks } = here;
      const order = { spec, approvals, approved, hasHooks };
      const submitted = gateway.submit(order, this.#over.signal);
      // Nothing reaches a run that is not there yet.
      this.#outbox = submitted.then(
        () => undefined,
        () => undefined,
      );
      await submitted;
      if (signal.aborted) leave();
      for (const text of watch.held?.takeMessages() ?? []) this.send(text);
      const outcome = await this.#untilEnd();
      // One that never came so far as to begin has no end in the store.
      await this.#copyAll(this.#hasBegun || outcome.metrics.turns > 0 ? copyTries : 0);
      if (!this.#hasCopy) await this.#parts.conclude(outcome);
      return outcome;
    } catch (error) {
      if (error instanceof GatewayRefusal && !this.#hasCopy)
        await this.#parts.conclude(outcomeWithout("failed", "error", errorText(error)));
      throw error;
    } finally {
      signal.removeEventListener("abort", leave);
      this.#over.abort();
      clearTimeout(this.#copyTimer);
      setTimeout(() => this.#requests.abort(), lastRequestsMs).unref();
      for (const asked of this.#asked.values()) asked.abort();
    }
  }

  async #untilEnd(): Promise<RunOutcome> {
    const { spec, gateway } = this.#parts;
    for (;;) {
      if (this.#over.signal.aborted) throw new Error("this process has let go of the run");
      try {
        const messages = gateway.events(spec.runId, this.#lastSeq, this.#over.signal);
        for await (const message of messages) {
          if ("outcome" in message) return message.outcome;
          if ("refused" in message) throw new GatewayRefusal(403, message.refused);
          if ("event" in message) this.#hear(message.event);
          else if ("asks" in message) this.#ask(message.asks);
          else if ("answered" in message) this.#asked.get(message.answered)?.abort();
        }
      } catch (error) {
        if (error instanceof GatewayRefusal) throw error;
      }
      await sleep(lookAgainMs);
    }
  }

  #hear(event: Parameters<NonNullable<Watch["onEvent"]>>[0]): void {
    // A worker that goes on says everything again.
    if (event.seq < this.#lastSeq || (event.seq === this.#lastSeq && !isSignal(event))) return;
    this.#lastSeq = event.seq;
    this.#hasBegun = true;
    this.#parts.watch.onEvent?.(event);
    if (event.type === "message") this.#copySoon();
  }

  /** Once, however often the question is shown. */
  #ask({ toolUseId, question }: Asking): void {
    if (this.#asked.has(toolUseId)) return;
    const answered = new AbortController();
    this.#asked.set(toolUseId, answered);
    const said = this.#said({ toolUseId, question }, answered.signal);
    const tell = (answer: unknown): void => {
      if (!answered.signal.aborted)
        this.#request((gateway, runId, signal) =>
          gateway.answer(runId, { toolUseId, said: answer }, signal),
        );
    };
    said.then(tell, (error: unknown) => tell({ answer: "no", because: errorText(error) }));
  }

  /** A call that may not be made without a yes, or what the agent itself asks. */
  async #said({ toolUseId, question }: Asking, signal: AbortSignal): Promise<unknown> {
    const { here } = this.#parts;
    const { questions } = question as { questions?: AskedHere["questions"] };
    if (Array.isArray(questions)) return here.answer({ toolUseId, questions }, signal);
    const nobody = { answer: "no", because: "nobody is there to be asked" };
    return here.ask ? here.ask(question, signal) : nobody;
  }

  #request(
    work: (gateway: GatewayClient, runId: string, signal: AbortSignal) => Promise<void>,
  ): void {
    const { gateway, spec, watch } = this.#parts;
    this.#outbox = this.#outbox
      .then(() => work(gateway, spec.runId, this.#requests.signal))
      .catch((error: unknown) => {
        const { agentId, runId } = spec;
        const message = `the gateway did not take a request: ${errorText(error)}`;
        const stamp = { agentId, runId, seq: this.#lastSeq, time: Date.now() };
        watch.onEvent?.({ type: "warning", message, ...stamp });
      });
  }

  /** Now and then while it runs: whoever reads the file here need not wait for the end. */
  #copySoon(): void {
    if (this.#over.signal.aborted) return;
    const { copies } = this.#parts;
    const inMs = Math.max(copyDelayMs, this.#copyNotBefore - performance.now(), copies.waitMs);
    this.#copyTimer ??= setTimeout(() => void (this.#copying = this.#copyNow()), inMs);
  }

  async #copyNow(): Promise<void> {
    this.#copyTimer = undefined;
    const { copies } = this.#parts;
    if (copies.waitMs > 0) return this.#copySoon();
    const copied = await copies.during(() => this.#copy()).catch(() => undefined);
    this.#copyNotBefore = performance.now() + copyEveryMs;
    if (!copied || copied.lastSeq < this.#lastSeq) this.#copySoon();
  }

  /** The end is in the store before anybody is told of it; the store itself may be slow to answer. */
  async #copyAll(mostTries: number): Promise<void> {
    clearTimeout(this.#copyTimer);
    await this.#copying;
    clearTimeout(this.#copyTimer);
    for (let tries = 0; ; tries += 1) {
      try {
        if ((await this.#copy()).isEnded || tries >= mostTries) return;
      } catch (error) {
        if (tries >= mostTries) throw error;
      }
      await sleep(Math.min(limits.store.maxBackoffMs, lookAgainMs * 2 ** tries));
    }
  }

  /** As long as the store has nothing, the line that this process has written stands. */
  async #copy(): Promise<{ lastSeq: number; isEnded: boolean }> {
    const { spec, here, gateway } = this.#parts;
    const { transcript: path } = here;
    if (path === "") return { lastSeq: this.#lastSeq, isEnded: true };
    const agent = { sessionId: spec.session.id, agentId: spec.agentId };
    const found = await findTranscript(gateway.store, agent);
    if (found.lastSeq > 0) {
      this.#hasCopy = true;
      await bringTranscript({ store: gateway.store, agent, path }, found);
    }
    return { lastSeq: found.lastSeq, isEnded: found.end !== undefined };
  }
}
