// Evidence as numbers: what each verdict is worth, what it caps, and what it makes of an agent's claimed confidence.
import type { Severity, Trust } from "./axes.ts";

/** Best first: executed, matched and seen, matched, exists, nothing to check, contradicted. */
export const grades = ["E4", "E3", "E2", "E1", "E0", "X"] as const;
export type Grade = (typeof grades)[number];

export const gradeMeanings: Readonly<Record<Grade, string>> = {
  E4: "a recorded run shows it",
  E3: "the content matches, and the agent was shown it",
  E2: "the content matches",
  E1: "the place exists",
  E0: "nothing proves it",
  X: "contradicted",
};

/** `X contradicted · E2 the content matches`, worst first. */
export const gradeLegend = (shown: readonly Grade[]): string =>
  [...grades]
    .reverse()
    .filter((grade) => shown.includes(grade))
    .map((grade) => `${grade} ${gradeMeanings[grade]}`)
    .join(" · ");

export const caps: Record<Grade, number> = { E4: 100, E3: 94, E2: 84, E1: 74, E0: 59, X: 20 };
const worth: Record<Grade, number> = { E4: 1, E3: 0.94, E2: 0.84, E1: 0.5, E0: 0, X: 0 };

export const betterGrade = (a: Grade, b: Grade): Grade =>
  grades.indexOf(a) <= grades.indexOf(b) ? a : b;
export const isAtLeast = (grade: Grade, floor: Grade): boolean =>
  grades.indexOf(grade) <= grades.indexOf(floor);

/** What a check stands for in the report: a finding's own place counts most. */
export type Standing = "finding" | "quote" | "test" | "file_claim" | "reference";
const weights: Record<Standing, number> = {
  finding: 3,
  quote: 2,
  test: 2,
  file_claim: 2,
  reference: 1,
};

export type GradedClaim = { grade: Grade; standing: Standing };

/** A finding with the grades of its checks; none at all is E0. */
export type GradedFinding = { severity: Severity | null; grades: readonly Grade[] };

/** X if one of its claims is contradicted, else its best. */
export function findingGrade({ grades: all }: GradedFinding): Grade {
  return all.includes("X") ? "X" : all.reduce(betterGrade, "E0");
}

/** The lowest grade of a critical or important finding; without such, the best grade of all. */
export function reportGrade(findings: readonly GradedFinding[]): Grade {
  const graded = findings.map((finding) => ({ ...finding, grade: findingGrade(finding) }));
  const weighty = graded
    .filter(({ severity }) => severity === "critical" || severity === "important")
    .map(({ grade }) => grade);
  if (weighty.length > 0)
    return weighty.reduce((low, next) => (betterGrade(low, next) === low ? next : low));
  return graded.length === 0 ? "E0" : graded.map(({ grade }) => grade).reduce(betterGrade);
}

export type ComputedConfidence = {
  claimed: number | null;
  verified: number | null;
  inferred: number | null;
  combined: number | null;
  cap: number;
  overclaim: number | null;
};

/**
 * verified = weighted worth of the checkable claims; combined = r·verified + (1−r)·inferred, r the
 * machine-checked share, then the cap, and never above the agent's own number.
 */
export function computeConfidence(
  claims: readonly GradedClaim[],
  said: { claimed: number | null; inferred: number | null },
  cap: number,
): ComputedConfidence {
  const checkable = claims.filter(({ grade }) => grade !== "E0");
  const sum = (list: readonly GradedClaim[], value: (claim: GradedClaim) => number): number =>
    list.reduce((total, claim) => total + value(claim), 0);
  const weight = sum(checkable, ({ standing }) => weights[standing]);
  const verified =
    weight > 0
      ? round(
          (100 * sum(checkable, ({ grade, standing }) => weights[standing] * worth[grade])) /
            weight,
        )
      : null;
  const inferred = said.inferred ?? said.claimed;
  const share = claims.length > 0 ? checkable.length / claims.length : 0;
  const combined = combine(verified, inferred, share);
  const capped = combined === null ? null : Math.min(combined, cap, said.claimed ?? cap);
  return {
    claimed: said.claimed,
    verified,
    inferred,
    combined: capped,
    cap,
    overclaim: said.claimed === null || capped === null ? null : round(said.claimed - capped),
  };
}

/** r = 0.5 is the plain mean of the two. */
export function combine(
  verified: number | null,
  inferred: number | null,
  share: number,
): number | null {
  if (verified === null) return inferred;
  if (inferred === null) return verified;
  return round(share * verified + (1 - share) * inferred);
}

const round = (value: number): number => Math.round(value * 10) / 10;

/**
 * The first word, for reports in the contract's form: CONTRADICTED by an X on a critical or important
 * finding; VERIFIED with no X and at least 80 % of findings at E2 or better; UNVERIFIED below 20 %.
 * `trustWord` in `verify/trust` may lower it.
 */
export function trustOf(findings: readonly GradedFinding[], claims: readonly GradedClaim[]): Trust {
  const graded = findings.map((finding) => ({
    severity: finding.severity,
    grade: findingGrade(finding),
  }));
  if (
    graded.some(
      ({ severity, grade }) =>
        grade === "X" && (severity === "critical" || severity === "important"),
    )
  )
    return "CONTRADICTED";
  if (graded.length === 0) return "UNVERIFIED";
  const share = graded.filter(({ grade }) => isAtLeast(grade, "E2")).length / graded.length;
  const contradicted =
    claims.some(({ grade }) => grade === "X") || graded.some(({ grade }) => grade === "X");
  if (share >= 0.8 && !contradicted) return "VERIFIED";
  return share < 0.2 ? "UNVERIFIED" : "MIXED";
}
