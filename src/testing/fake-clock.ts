// A clock for tests of waiting: the time stands still while anything can run, and jumps to the next
// sleeper when nothing can.
import type { Clock } from "../model/clock.ts";

type Sleeper = { at: number; wake: () => void };

export type FakeClock = Clock & { readonly sleeps: readonly number[] };

/** `random` is the answer to every draw; 0.5 by default. */
export function createFakeClock(random: () => number = () => 0.5): FakeClock {
  let time = 0;
  let ticking = false;
  const sleepers = new Set<Sleeper>();
  const sleeps: number[] = [];

  const tick = (): void => {
    ticking = false;
    let next: Sleeper | undefined;
    for (const sleeper of sleepers) if (!next || sleeper.at < next.at) next = sleeper;
    if (!next) return;
    time = Math.max(time, next.at);
    next.wake();
    plan();
  };
  const plan = (): void => {
    if (ticking || sleepers.size === 0) return;
    ticking = true;
    setImmediate(tick);
  };

  return {
    sleeps,
    now: () => time,
    random,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper: Sleeper = { at: time + ms, wake };
        sleeps.push(ms);
        sleepers.add(sleeper);
        signal?.addEventListener("abort", wake);
        plan();
      }),
  };
}
