// Waiting in tests: for something to become true, within a bound that only a broken program reaches.
import { setTimeout as sleep } from "node:timers/promises";

export async function waitUntil<T>(
  look: () => T | Promise<T>,
  { withinMs = 15_000, what = "what was waited for" } = {},
): Promise<NonNullable<T>> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > until) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await sleep(25);
  }
}
