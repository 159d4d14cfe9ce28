// Ends a run that keeps making the same failing call: counts how often one call failed in a row.
import { limits } from "../base/limits.ts";
import type { ToolRound } from "./run-tools.ts";

export type RepeatGuard = { key: string; times: number };

export const newRepeatGuard = (): RepeatGuard => ({ key: "", times: 0 });

/** A sentence once the same call has failed too often, undefined before. */
export function repeatedFailure(guard: RepeatGuard, outcomes: ToolRound["outcomes"]): string | undefined {
  for (const { key, failed } of outcomes) {
    guard.times = failed && key === guard.key ? guard.times + 1 : Number(failed);
    guard.key = key;
    if (guard.times >= limits.run.repeatedFailures) return `the same call failed ${guard.times} times in a row: ${key.slice(0, 200)}`;
  }
  return undefined;
}
