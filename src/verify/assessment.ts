// What verification makes of one report: the checks, what they do to its findings, its confidence,
// its outcome, and what goes back to the agent.
import type { VerifiedReport } from "../contract/aggregate/verified-report.ts";
import type { Outcome, Trust } from "../contract/axes.ts";
import type { VerdictClass } from "../contract/trust/verdict-classes.ts";
import type { Settled } from "../contract/trust/settle-decision.ts";
import type { PlacedFinding } from "../contract/report/find-findings.ts";
import type { ComputedConfidence, Grade, Standing } from "../contract/grades.ts";
import type { Violation } from "../contract/lint/lint-report.ts";
import type { Finding, Report } from "../contract/report/report.ts";
import type { FileClaimWord, Undeclared } from "./evidence/judge-files.ts";
import { isFault, type Check, type UnrecognisedRun } from "./verdict.ts";
import type { Verification } from "./verify-report.ts";

/** One claim of a report that was checked, and what was found. */
export type AssessedCheck = Check & {
  standing: Standing;
  /** The finding that it stands for. */
  finding: string | null;
  file_claim?: FileClaimWord;
  /** Understood from a sentence that may be read in other ways. */
  spoken?: true;
  /** Written in its place, because the same content stands at one other place only. */
  corrected?: string;
};

export type AssessedFinding = Finding & {
  span: PlacedFinding["span"];
  grade: Grade;
  checks: string[];
  path: string | null;
  lines: [number, number] | null;
  /** What stands at the place. */
  line_text: string;
  /** The definition that the place stands in. */
  symbol: string | null;
};

/** One of the contract's four ticks, as the runtime sees it. */
export type ComputedTick = { label: string; claimed: boolean | null; holds: boolean };

/** What goes back to the agent, once. */
export type RepairRow = { text: string; verdict: string; actual: string; nearest: string };
export type RepairTable = { rows: RepairRow[]; problems: string[] };

/** A claim that the agent took back in its repair. */
export type Withdrawn = { text: string; reason: string };

export type Objection = {
  class: VerdictClass;
  /** Whether the class has consequences; otherwise it is told, and nothing follows. */
  binds: boolean;
  text: string;
  reason: string;
};

/** A claimed result, and the command that may have been its run. */
export type UnrecognisedCheck = UnrecognisedRun & { check: string };

/** How many statements of a kind were compared with something, and how many of them hold. */
export type CheckTally = {
  /** References and quotations. `exist`: only that the place is there could be seen. */
  places: { of: number; hold: number; corrected: number; exist: number };
  results: { of: number; onRecord: number };
  deeds: { of: number; onRecord: number };
  countered: number;
  weakened: number;
  notTested: number;
};

/** Everything that the verifier found about a report. */
export type Assessment = {
  text: string;
  report: Report;
  /** It was asked for in no form and has none: it has no outcome and no decision of its own. */
  is_free: boolean;
  lint: Violation[];
  checks: AssessedCheck[];
  counts: Verification["counts"];
  findings: AssessedFinding[];
  /** Null: it has no form, and nothing in it could be checked. */
  trust: Trust | null;
  /** What was looked at, by kind: all that the trust word speaks of. */
  tally: CheckTally;
  confidence: ComputedConfidence;
  ticks: ComputedTick[];
  outcome: { claimed: Outcome | null; value: Outcome; reasons: string[] };
  decision: Settled;
  /** What speaks against it, what binds first. */
  objections: Objection[];
  /** Claimed results whose only run may be a command that nobody recognises. */
  unrecognised: UnrecognisedCheck[];
  undeclared: Undeclared[];
  /** The numbers of tests that it tells; null where it tells none. */
  tests: VerifiedReport["tests"];
  /** The text with unique relocations applied; null where there was nothing to correct. */
  corrected: string | null;
  repair: RepairTable | null;
  withdrawn: Withdrawn[];
  /** Sentences that nothing was compared with, in their order: no sign of trust covers them. */
  unchecked: string[];
  /** The report had more references than are checked. */
  truncated: boolean;
};

/** Wrong as written and not put right: what a person or a program should look at. */
export const isOpen = (check: AssessedCheck): boolean =>
  check.corrected === undefined &&
  (check.grade === "X" || check.verdict === "stale" || check.verdict === "relocated");

export type Faults = {
  checks: AssessedCheck[];
  undeclared: Undeclared[];
  /** Why a report that calls itself anything else is INVALID. */
  invalid: string[];
  count: number;
};

/** All that `retinue verify` shows with ✗; it ends with 1 where there is any. */
export function faultsOf(
  assessment: Pick<Assessment, "checks" | "undeclared" | "outcome">,
): Faults {
  const { undeclared, outcome } = assessment;
  const checks = assessment.checks.filter(({ verdict }) => isFault(verdict));
  const isInvalid = outcome.value === "INVALID" && outcome.claimed !== "INVALID";
  const invalid = isInvalid ? [outcome.reasons.join("; ")] : [];
  return {
    checks,
    undeclared,
    invalid,
    count: checks.length + undeclared.length + invalid.length,
  };
}

/** What the agent says that it did or that came out, and nothing proves: no sign of trust may cover it. */
export const isUnproven = (check: AssessedCheck): boolean =>
  !isOpen(check) &&
  check.verdict !== "verified" &&
  check.verdict !== "unsupported" &&
  check.verdict !== "countered" &&
  check.verdict !== "weakened" &&
  (check.kind === "test" || check.kind === "command" || check.spoken === true) &&
  (check.grade === "E0" || check.grade === "E1");
