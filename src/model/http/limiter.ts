// One limiter per provider, shared by all its runs: when one call is told to wait, all wait; when
// one is refused without a waiting time, fewer calls run at once.
import type { Clock } from "../clock.ts";

/** Permission for one call to the provider; given back with `leave`. */
export type Pass = { era: number };

const fewest = 2;
/**
 * All calls that waited at a gate start within this time after it opens, spread so that they do not
 * arrive together.
 */
const spreadMs = 250;

type Admit = (pass: Pass | undefined, delayMs?: number) => void;

export class Limiter {
  readonly #clock: Clock;
  readonly #queue = new Set<Admit>();
  #gateUntil = -Infinity;
  #limit = Infinity;
  #active = 0;
  #era = 0;
  #served = 0;
  #draining = false;
  #nap: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of calls served so far: it tells load from an outage. */
  get served(): number {
    return this.#served;
  }

  /**
   * A pass at once if the way is free, otherwise a promise of one; undefined when the signal fired
   * first. `onGate` is told how long a closed gate will stay closed.
   */
  enter(signal: AbortSignal, onGate?: (delayMs: number) => void): Pass | Promise<Pass | undefined> {
    const closedMs = this.#gateUntil - this.#clock.now();
    if (closedMs <= 0 && this.#queue.size === 0 && this.#hasRoom()) return this.#take();
    if (signal.aborted) return Promise.resolve(undefined);
    if (closedMs > 0) onGate?.(closedMs);
    return this.#wait(signal);
  }

  leave(pass: Pass, outcome: { served: boolean; pushBack: boolean; retryAfterMs?: number }): void {
    const { served, pushBack, retryAfterMs = 0 } = outcome;
    if (served) {
      this.#served++;
      this.#limit += 1 / this.#limit;
    } else if (pushBack && retryAfterMs > 0) {
      this.#gateUntil = Math.max(this.#gateUntil, this.#clock.now() + retryAfterMs);
    } else if (pushBack && pass.era === this.#era) {
      // Halves once per generation of calls: fifty refusals of one burst count as one.
      this.#limit = Math.max(fewest, Math.floor(Math.min(this.#limit, this.#active) / 2));
      this.#era++;
    }
    this.#active--;
    if (this.#queue.size > 0) void this.#drain();
  }

  #hasRoom(): boolean {
    return this.#active < Math.floor(this.#limit);
  }

  #take(): Pass {
    this.#active++;
    return { era: this.#era };
  }

  #wait(signal: AbortSignal): Promise<Pass | undefined> {
    return new Promise((resolve) => {
      const admit: Admit = (pass, delayMs = 0) => {
        signal.removeEventListener("abort", stop);
        this.#queue.delete(admit);
        if (delayMs > 0) void this.#clock.sleep(delayMs, signal).then(() => resolve(pass));
        else resolve(pass);
      };
      const stop = (): void => {
        admit(undefined);
        // When no call waits any more, no timer may keep the process alive.
        if (this.#queue.size === 0) this.#nap?.abort();
      };
      this.#queue.add(admit);
      signal.addEventListener("abort", stop);
      void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    let gated = false;
    while (this.#queue.size > 0) {
      const closedMs = this.#gateUntil - this.#clock.now();
      if (closedMs > 0) {
        gated = true;
        await this.#sleep(closedMs);
        continue;
      }
      if (!this.#hasRoom()) break;
      const [admit] = this.#queue as Iterable<Admit>;
      // A call that was let through starts even if the gate closes again meanwhile: half a crowd
      // gets further than one call at a time.
      admit!(this.#take(), gated ? this.#clock.random() * spreadMs : 0);
    }
    this.#draining = false;
  }

  async #sleep(ms: number): Promise<void> {
    this.#nap = new AbortController();
    await this.#clock.sleep(ms, this.#nap.signal);
  }
}
