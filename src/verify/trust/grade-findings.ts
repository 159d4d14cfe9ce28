// Findings with the grade that their evidence gives them. A place that holds makes a finding located,
// not true: an accusation without the words that it accuses is worth no more than its place.
import { maskSecrets } from "../../base/secrets/find-secrets.ts";
import { findingGrade, isAtLeast, type Grade, type GradedFinding } from "../../contract/grades.ts";
import type { PlacedReport } from "../../contract/report/parse-report.ts";
import type { AssessedCheck, AssessedFinding } from "../assessment.ts";
import { enclosingSymbol } from "../../source/enclosing-symbol.ts";
import type { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";

export function gradeFindings(
  { findings }: PlacedReport,
  checks: readonly AssessedCheck[],
  repo: Repository,
): AssessedFinding[] {
  const byFinding = grouped(checks, ({ finding }) => finding);
  const loose = grouped(checks, ({ finding, path, grade, lines }) =>
    finding === null && grade !== "X" && lines !== null ? path : null,
  );
  return findings.map(({ finding, span }) => {
    const own = byFinding.get(finding.id) ?? [];
    // A reference further down about the same lines is evidence for the finding too; what is wrong with it is its own.
    const about = own
      .slice(0, 20)
      .flatMap((one) =>
        (loose.get(one.path ?? "") ?? [])
          .slice(0, 200)
          .filter(
            (check) =>
              one.lines !== null &&
              one.lines[0] <= check.lines![1] &&
              check.lines![0] <= one.lines[1],
          ),
      );
    const lead =
      own.find(
        ({ standing, path, lines }) => standing === "finding" && path !== null && lines !== null,
      ) ??
      own.find(({ path, lines }) => path !== null && lines !== null) ??
      own.find(({ path }) => path !== null);
    const place =
      lead?.corrected !== undefined && lead.suggestion
        ? {
            path: lead.suggestion.path,
            lines: [lead.suggestion.line, lead.suggestion.line] as [number, number],
          }
        : { path: lead?.path ?? null, lines: lead?.lines ?? null };
    return {
      ...finding,
      span,
      grade: accusable(
        findingGrade({
          severity: finding.severity,
          grades: [...own, ...about].map(({ grade }) => grade),
        }),
        finding.severity === "critical" && !own.some(isQuoted),
      ),
      checks: own.map(({ id }) => id),
      ...place,
      ...lineAt(place, repo),
    };
  });
}

/** A critical finding without a quotation of what it accuses is as good as a place that exists. */
const accusable = (grade: Grade, isUnquoted: boolean): Grade =>
  isUnquoted && isAtLeast(grade, "E2") ? "E1" : grade;

const isQuoted = ({ kind, verdict, corrected }: AssessedCheck): boolean =>
  kind !== "path" && kind !== "location" && kind !== "symbol"
    ? verdict === "verified" || corrected !== undefined
    : false;

function grouped(
  checks: readonly AssessedCheck[],
  keyOf: (check: AssessedCheck) => string | null,
): Map<string, AssessedCheck[]> {
  const groups = new Map<string, AssessedCheck[]>();
  for (const check of checks) {
    const key = keyOf(check);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(check);
    else groups.set(key, [check]);
  }
  return groups;
}

/** What stands at the place, and in what: aggregation tells findings apart by it, not by what an agent calls them. */
function lineAt(
  { path, lines }: { path: string | null; lines: [number, number] | null },
  repo: Repository,
): Pick<AssessedFinding, "line_text" | "symbol"> {
  const state = path === null || lines === null ? undefined : repo.open(path);
  if (!state?.ok) return { line_text: "", symbol: null };
  return {
    line_text: maskSecrets(state.file.line(lines![0]).trim().slice(0, 400)),
    symbol: enclosingSymbol(state.file, lines![0]),
  };
}

/**
 * The findings that trust and cap are computed from. What an agent says it did (files, tests,
 * commands) is a finding too: where it is flagged it weighs like an important one; where it holds it
 * counts for reports that have no other findings, as an implementation's.
 */
export function weighedFindings(
  findings: readonly AssessedFinding[],
  checks: readonly AssessedCheck[],
): GradedFinding[] {
  const listed: GradedFinding[] = findings.map(({ severity, grade }) => ({
    severity,
    grades: [grade],
  }));
  const deeds = checks.filter(
    ({ kind, finding }) =>
      finding === null && (kind === "file_claim" || kind === "test" || kind === "command"),
  );
  const flagged = deeds
    .filter(({ verdict, grade }) => isFlagged(verdict) && grade !== "E0")
    .map(({ grade }): GradedFinding => ({ severity: "important", grades: [grade] }));
  const sound = deeds
    .filter(({ verdict }) => !isFlagged(verdict))
    .map(({ grade }): GradedFinding => ({ severity: null, grades: [grade] }));
  return [...listed, ...flagged, ...(listed.length === 0 ? sound : [])];
}
