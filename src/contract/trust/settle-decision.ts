// Decides whether an agent's decision stands: the first binding objection overrides it. Both values
// are kept, so that a reader sees what the agent said and why it does not stand.
import type { Decision, Outcome, Trust } from "../axes.ts";
import { belowWords, isBelow, type Requirement } from "./requirement.ts";

export type Settled = {
  decision: Decision;
  claimed: Decision;
  overridden?: string;
  /** Where failed checks override it: each by its name, with its reason where there is one. */
  failed_checks?: string[];
};

/** What stands against a decision. Everything is given: a caller that knows of none says so. */
export type Against = {
  /** Names of structured checks with `passed: false`. */
  failedChecks: readonly string[];
  /** Verdicts of classes that bind, in words, the weightiest first. */
  contradictions: readonly string[];
  outcome: Outcome;
  trust: Trust | null;
  /** What the caller asked for; null where it asked for nothing. */
  require: Requirement | null;
};

const keptChecks = 20;
const lostOutcomes: readonly Outcome[] = ["FAILED", "BLOCKED", "INVALID"];

/** A failed check is STOP whatever stands beside it; all else speaks against a PROCEED only. */
export function settleDecision(claimed: Decision, against: Against): Settled {
  const { failedChecks, contradictions, outcome, trust, require } = against;
  const stop = (overridden: string): Settled => ({ decision: "STOP", claimed, overridden });
  if (claimed !== "STOP" && failedChecks.length > 0)
    return { ...stop(failedWords(failedChecks)), failed_checks: failedChecks.slice(0, keptChecks) };
  if (claimed !== "PROCEED") return { decision: claimed, claimed };
  if (contradictions.length > 0) return stop(contradictions.slice(0, 3).join("; "));
  if (lostOutcomes.includes(outcome)) return stop(`the outcome is ${outcome}`);
  if (require !== null && isBelow(trust, require)) return stop(belowWords(trust, require));
  return { decision: claimed, claimed };
}

const failedWords = (names: readonly string[]): string =>
  `${names.length === 1 ? "a check" : `${names.length} checks`} failed: ${names.slice(0, 5).join(", ")}`;
