// A report, checked and weighed: its references against the files, its findings by their evidence, its confidence by both.
import { parsePlacedReport } from "../contract/parse-report.ts";
import { caps, computeConfidence, reportGrade, trustOf } from "../contract/grades.ts";
import type { ComputedConfidence, GradedClaim, GradedFinding } from "../contract/grades.ts";
import type { Report } from "../contract/report.ts";
import type { Trust } from "../contract/axes.ts";
import type { Check } from "./verdict.ts";
import { verifyReport } from "./verify-report.ts";
import type { Verification, VerifyOptions } from "./verify-report.ts";

export type Assessment = Verification & { report: Report; trust: Trust; confidence: ComputedConfidence };

/** Everything that can be said about `text` without asking anybody. */
export function assessReport(text: string, options: VerifyOptions): Assessment {
  const verification = verifyReport(text, options);
  const { report, findings } = parsePlacedReport(text);
  const owned = findings.map(({ finding, span }) => ({ severity: finding.severity, checks: checksOf(span, verification.checks) }));
  const graded: GradedFinding[] = owned.map(({ severity, checks }) => ({ severity, grades: checks.map((check) => check.grade) }));
  const own = new Set(owned.flatMap(({ checks }) => checks));
  const claims: GradedClaim[] = verification.checks.map((check) => ({ grade: check.grade, standing: standingOf(check, own.has(check)) }));
  const said = { claimed: report.confidence.score, inferred: report.confidence.inferred };
  return { ...verification, report, trust: trustOf(graded, claims), confidence: computeConfidence(claims, said, caps[reportGrade(graded)]) };
}

function standingOf(check: Check, inFinding: boolean): GradedClaim["standing"] {
  if (check.kind === "quote" || check.kind === "file_claim" || check.kind === "test") return check.kind;
  return inFinding ? "finding" : "reference";
}

/** The checks in a finding's own text, and those elsewhere that are about the same lines: its details further down. */
function checksOf([start, end]: [number, number], checks: Check[]): Check[] {
  const inside = checks.filter((check) => check.span[0] < end && check.span[1] > start);
  const same = (a: Check, b: Check) => a.path !== null && a.path === b.path && a.lines !== null && b.lines !== null && a.lines[0] <= b.lines[1] && b.lines[0] <= a.lines[1];
  return inside.length === 0 ? [] : checks.filter((check) => inside.includes(check) || inside.some((own) => same(own, check)));
}
