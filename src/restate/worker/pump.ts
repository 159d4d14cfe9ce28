// The only place that waits for the engine. Branches of a run that go side by side hand in what
// they wait for; the pump waits for all of it at once, because the engine gives up an attempt in
// which two waits are open. It also hears the end that a run is told, and that there is mail.
import type { RestatePromise } from "@restatedev/restate-sdk";

export type Race = <T>(promises: RestatePromise<T>[]) => RestatePromise<T>;

type Waiter = {
  promise: RestatePromise<unknown>;
  resolve: (value: never) => void;
  reject(error: unknown): void;
  /** Resolves it when the run is told to end; undefined where the wait goes on. */
  onEnd?: () => void;
};

type Came = { waiter?: Waiter; isMail?: true; value?: unknown; failure?: Error | undefined };

export class Pump {
  readonly #race: Race;
  readonly #onEnd: () => void;
  readonly #waiters = new Set<Waiter>();
  /** What tells the run to end, until the first of it has come. */
  #ends: RestatePromise<unknown>[];
  #mail: RestatePromise<unknown> | undefined;
  #hasMail = false;
  #isRunning = false;
  #hasEnd = false;
  #failure: Error | undefined;

  constructor({
    race,
    ends,
    onEnd,
  }: {
    race: Race;
    ends: RestatePromise<unknown>[];
    onEnd: () => void;
  }) {
    this.#race = race;
    this.#ends = ends;
    this.#onEnd = onEnd;
  }

  wait<T>(promise: RestatePromise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => this.#add({ promise, resolve, reject }));
  }

  /** Undefined when the run is told to end first. */
  waitUntilEnd<T>(promise: RestatePromise<T>): Promise<{ came: T } | undefined> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        promise,
        resolve: (came: T) => resolve({ came }),
        reject,
        onEnd: () => resolve(undefined),
      };
      if (this.#hasEnd && !this.#failure) resolve(undefined);
      else this.#add(waiter);
    });
  }

  /** The next letter, which comes while something else is waited for. */
  listen(mail: RestatePromise<unknown>): void {
    this.#mail = mail;
    this.#hasMail = false;
  }

  /** Whether it has come. By what was heard until now: whoever replays the run hears the same. */
  get hasMail(): boolean {
    return this.#hasMail;
  }

  /** The attempt is over: nothing will come any more. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const waiter of this.#waiters) waiter.reject(this.#failure);
    this.#waiters.clear();
  }

  #add(waiter: Waiter): void {
    if (this.#failure) return waiter.reject(this.#failure);
    this.#waiters.add(waiter);
    if (this.#isRunning) return;
    this.#isRunning = true;
    // Branches that start side by side are all there when the first wait begins.
    queueMicrotask(() => void this.#run().catch((error: unknown) => this.fail(error as Error)));
  }

  async #run(): Promise<void> {
    while (this.#waiters.size > 0 && !this.#failure) {
      const wanted = [...this.#waiters].map((waiter) =>
        waiter.promise.map((value, failure): Came => ({ waiter, value, failure })),
      );
      const heard = this.#ends.map((end) => end.map((): Came => ({})));
      if (this.#mail) heard.push(this.#mail.map((): Came => ({ isMail: true })));
      this.#settle(await this.#race([...wanted, ...heard]));
      // What goes on now may hand in the next wait.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isRunning = false;
  }

  #settle({ waiter, isMail, value, failure }: Came): void {
    if (isMail) return this.#hearMail();
    if (!waiter) return this.#hearEnd();
    this.#waiters.delete(waiter);
    if (failure) waiter.reject(failure);
    else waiter.resolve(value as never);
  }

  #hearMail(): void {
    this.#mail = undefined;
    this.#hasMail = true;
  }

  #hearEnd(): void {
    this.#ends = [];
    this.#hasEnd = true;
    this.#onEnd();
    for (const waiter of this.#waiters)
      if (waiter.onEnd) {
        this.#waiters.delete(waiter);
        waiter.onEnd();
      }
  }
}
