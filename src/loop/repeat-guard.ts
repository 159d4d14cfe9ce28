// Ends a run that repeats the same failing call: counts the turns in a row in which one call has
// failed.
import { limits } from "../base/limits.ts";
import type { ToolRound } from "./run-tools.ts";

export type RepeatGuard = { failures: ReadonlyMap<string, number> };

const none: ReadonlyMap<string, number> = new Map();

export const newRepeatGuard = (): RepeatGuard => ({ failures: none });

/** A sentence once the same call has failed too often, else undefined. */
export function repeatedFailure(
  guard: RepeatGuard,
  failedCalls: ToolRound["failedCalls"],
): string | undefined {
  if (failedCalls.length === 0) {
    guard.failures = none;
    return undefined;
  }
  const failures = new Map<string, number>();
  for (const call of failedCalls) failures.set(call, (guard.failures.get(call) ?? 0) + 1);
  guard.failures = failures;
  for (const [call, times] of failures)
    if (times >= limits.run.repeatedFailures)
      return `the same call failed ${times} times in a row: ${call.slice(0, 200)}`;
  return undefined;
}
