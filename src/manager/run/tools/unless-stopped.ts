// Waiting that ends with the run: for promises of people, callbacks and tools that may never
// settle.
import { unwatchAbort, watchAbort } from "../../../base/abort-watch.ts";

/**
 * Rejects as soon as the signal aborts; what the promise does later is nobody's concern. With
 * `recover` it resolves instead, with what that makes of the error.
 */
export function unlessStopped<T>(
  signal: AbortSignal,
  promise: Promise<T>,
  recover?: (error: unknown, signal: AbortSignal) => T,
): Promise<T> {
  return new Promise((resolve, reject) =>
    new Wait(signal, resolve, recover ? (error) => resolve(recover(error, signal)) : reject).on(
      promise,
    ),
  );
}

/** One wait, which listens itself: every agent of a thousand may be in one. */
class Wait<T> {
  readonly #signal: AbortSignal;
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: unknown) => void;

  constructor(signal: AbortSignal, resolve: (value: T) => void, reject: (error: unknown) => void) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  on(promise: Promise<T>): void {
    if (this.#signal.aborted) this.handleEvent();
    else watchAbort(this.#signal, this);
    promise.then(
      (value) => this.#over() ?? this.#resolve(value),
      (error: unknown) => this.#over() ?? this.#reject(error),
    );
  }

  handleEvent(): void {
    this.#reject(new Error("the run was stopped"));
  }

  #over(): void {
    unwatchAbort(this.#signal, this);
  }
}
