// The runs that an executor runs in this process, by their life: a stop or a message for one goes
// to whoever holds it here.
import type { Executor, HeldRun, RunAddress } from "./executor.ts";

export class HeldRuns implements Pick<Executor, "stop" | "send"> {
  readonly #runs = new Map<string, HeldRun>();

  /** Reached by its address as long as the work takes. The work throws nothing: it rejects. */
  during<T>({ runId }: RunAddress, held: HeldRun | undefined, work: () => Promise<T>): Promise<T> {
    if (!held) return work();
    this.#runs.set(runId, held);
    return work().finally(() => this.#runs.delete(runId));
  }

  stop({ runId }: RunAddress): boolean {
    const held = this.#runs.get(runId);
    held?.abort();
    return held !== undefined;
  }

  send({ runId }: RunAddress, message: string): boolean {
    const held = this.#runs.get(runId);
    held?.receive(message);
    return held !== undefined;
  }
}
