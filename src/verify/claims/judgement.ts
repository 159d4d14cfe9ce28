// What is said about a claim: a verdict with its grade and the reason in words.
import type { Grade } from "../../contract/grades.ts";
import type { RecordState, UnrecognisedRun, Verdict } from "../verdict.ts";

export type ClaimJudgement = {
  verdict: Verdict;
  grade: Grade;
  reason: string;
  unrecognised?: UnrecognisedRun;
  cause?: RecordState;
  instead?: Accusation;
};

/** What would be held against it without the doubt: the score of the flag decides between both. */
export type Accusation = { doubt: Doubt; judged: ClaimJudgement };

/** Why a flag may be wrong, by the mechanism that doubts it. */
export type Doubt =
  | "other subject"
  | "named went well"
  | "all checks"
  | "unknown run"
  | "task"
  | "compiled"
  | "maybe"
  | "built"
  | "open end"
  | "chain"
  | "scope"
  | "numbers"
  | "admitted"
  | "denied"
  | "other actor"
  | "governed"
  | "nothing done"
  | "quoted"
  | "printed"
  | "not own"
  | "told later"
  | "not plain"
  | "its run"
  | "trouble told"
  | "echo";

/** A run that was made for this check says so. */
export const sourceOf = ({ order }: { order: number }): string =>
  order === Number.MAX_SAFE_INTEGER ? "run again:" : "recorded:";

const said =
  (verdict: Verdict, grade: Grade) =>
  (reason: string): ClaimJudgement => ({ verdict, grade, reason });

/** The record has a fresh run that shows it. */
export const executed = said("verified", "E4");
/** It was done; that proves nothing about what else the sentence says. */
export const onRecord = said("verified", "E1");
/** The record says otherwise. */
export const contradicted = said("altered", "X");
/** The record, which is whole, has no trace of it. */
export const unsupported = said("unsupported", "X");
/** It was so, and something changed since. */
export const outdated = said("stale", "E1");
/** Nothing here can decide it. */
export const notJudged = said("not_judged", "E0");

/** Nothing on record can have been its run. */
export const neverRun = (reason: string): ClaimJudgement => ({
  ...unsupported(reason),
  cause: "never_run",
});

/** Its run is on record, and failed. */
export const failedRun = (reason: string): ClaimJudgement => ({
  ...contradicted(reason),
  cause: "failed_run",
});

/** The record has the write, and it failed. */
export const failedWrite = (reason: string): ClaimJudgement => ({
  ...unsupported(reason),
  cause: "failed_write",
});

/** The same, and what it would have written is not there. */
export const notThere = (reason: string): ClaimJudgement => ({
  ...unsupported(reason),
  cause: "not_there",
});

/** Nothing here can decide it; `judged` is what would be held against it. */
export const inDoubt = (doubt: Doubt, reason: string, judged: ClaimJudgement): ClaimJudgement => ({
  ...notJudged(reason),
  instead: { doubt, judged },
});
