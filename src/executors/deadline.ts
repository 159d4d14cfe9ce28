// The signal that ends a run: the caller's signal or the deadline, whichever comes first.
import { setMaxListeners } from "node:events";
import { deadlineReason } from "../loop/ports.ts";

/**
 * Aborts with the caller's signal or at the deadline. By hand, because AbortSignal.any costs more
 * than a whole turn.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #askedMs: () => number;
  #grantedMs = 0;
  #timer: NodeJS.Timeout;

  constructor(outer: AbortSignal, timeoutMs: number, askedMs: () => number = never) {
    this.#outer = outer;
    this.#askedMs = askedMs;
    // Any number of runs may share one caller's signal.
    setMaxListeners(0, outer);
    if (outer.aborted) this.handleEvent();
    outer.addEventListener("abort", this);
    this.#timer = setTimeout(expire, Math.max(0, timeoutMs), this);
  }

  /** What people took for their answers is added to the run's time. */
  expire(): void {
    const owedMs = this.#askedMs() - this.#grantedMs;
    if (owedMs < 1) return this.#controller.abort(deadlineReason);
    this.#grantedMs += owedMs;
    this.#timer = setTimeout(expire, owedMs, this);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  handleEvent(): void {
    this.#controller.abort(this.#outer.reason);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this);
  }
}

const expire = (deadline: Deadline): void => deadline.expire();
const never = (): number => 0;
