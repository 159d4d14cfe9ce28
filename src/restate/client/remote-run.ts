// One run on other machines, as this process follows it: events are passed on, questions are put to
// the person here, and the transcript is copied. If this process dies the run goes on; whoever
// follows it next picks it up.
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { isSignal } from "../../events/is-signal.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { RunHere } from "../../executors/catalog.ts";
import type { Watch } from "../../executors/executor.ts";
import { isDetached } from "../../loop/ports.ts";
import { fetchTranscript } from "../store/fetch-transcript.ts";
import { GatewayRefusal, type GatewayClient } from "./gateway-client.ts";

export type RemoteParts = { spec: RunSpec; watch: Watch; here: RunHere; gateway: GatewayClient };

const copyEveryMs = 1_000;
const lookAgainMs = 100;
const copyTries = 20;

export class RemoteRun {
  readonly #parts: RemoteParts;
  readonly #over = new AbortController();
  readonly #asked = new Map<string, AbortController>();
  /** Requests leave one after another, in the order in which they were made. */
  #outbox: Promise<void> = Promise.resolve();
  #lastSeq: number;
  #copying: Promise<void> | undefined;
  #copiedAt = 0;

  constructor(parts: RemoteParts, lastSeq: number) {
    this.#parts = parts;
    this.#lastSeq = lastSeq;
  }

  stop(): void {
    this.#request((gateway, runId) => gateway.stop(runId));
  }

  send(text: string): void {
    this.#request((gateway, runId) => gateway.send(runId, text));
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
      await gateway.submit({ spec, approvals, approved, hasHooks }, this.#over.signal);
      if (signal.aborted) leave();
      for (const text of watch.held?.takeMessages() ?? []) this.send(text);
      const outcome = await this.#untilEnd();
      await this.#copyAll();
      return outcome;
    } finally {
      signal.removeEventListener("abort", leave);
      this.#over.abort();
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
    this.#parts.watch.onEvent?.(event);
    if (event.type === "message") this.#copySoon();
  }

  /** Once, however often the question is shown. */
  #ask({ toolUseId, question }: { toolUseId: string; question: object }): void {
    const { here } = this.#parts;
    if (this.#asked.has(toolUseId)) return;
    const answered = new AbortController();
    this.#asked.set(toolUseId, answered);
    const nobody = { answer: "no", because: "nobody is there to be asked" };
    const said = here.ask ? here.ask(question, answered.signal) : Promise.resolve(nobody);
    const tell = (answer: unknown): void => {
      if (!answered.signal.aborted)
        this.#request((gateway, runId) => gateway.answer(runId, { toolUseId, said: answer }));
    };
    said.then(tell, (error: unknown) => tell({ answer: "no", because: errorText(error) }));
  }

  #request(work: (gateway: GatewayClient, runId: string) => Promise<void>): void {
    const { gateway, spec, watch } = this.#parts;
    this.#outbox = this.#outbox
      .then(() => work(gateway, spec.runId))
      .catch((error: unknown) => {
        const { agentId, runId } = spec;
        const message = `the gateway did not take a request: ${errorText(error)}`;
        const stamp = { agentId, runId, seq: this.#lastSeq, time: Date.now() };
        watch.onEvent?.({ type: "warning", message, ...stamp });
      });
  }

  /** Now and then while it runs: whoever reads the file here need not wait for the end. */
  #copySoon(): void {
    if (this.#copying || performance.now() - this.#copiedAt < copyEveryMs) return;
    this.#copying = this.#copy()
      .then(() => undefined)
      .catch(() => undefined)
      .finally(() => {
        this.#copying = undefined;
        this.#copiedAt = performance.now();
      });
  }

  /** The end is in the store before anybody is told of it; the store itself may be slow to answer. */
  async #copyAll(): Promise<void> {
    await this.#copying;
    for (let tries = 0; ; tries += 1) {
      try {
        if ((await this.#copy()) || tries > copyTries) return;
      } catch (error) {
        if (tries > copyTries) throw error;
      }
      await sleep(Math.min(limits.store.maxBackoffMs, lookAgainMs * 2 ** tries));
    }
  }

  /** True when the end is in it. */
  async #copy(): Promise<boolean> {
    const { spec, here, gateway } = this.#parts;
    if (here.transcript === "") return true;
    const agent = { sessionId: spec.session.id, agentId: spec.agentId };
    const { end } = await fetchTranscript(gateway.store, agent, here.transcript);
    return end !== undefined;
  }
}
