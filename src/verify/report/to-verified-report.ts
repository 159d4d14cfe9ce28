// An assessed report as aggregation takes it: graded findings with the text of their lines,
// verdicts of named checks, test numbers.
import {
  categoryOf,
  type Assertion,
  type VerifiedReport,
} from "../../contract/aggregate/verified-report.ts";
import { columnReader, tablesOf, withSubsections } from "../../contract/report/section-text.ts";
import type { AssessedCheck, Assessment } from "../assessment.ts";

export type ReportIdentity = Pick<
  VerifiedReport,
  "task_id" | "agent_id" | "agent_type" | "model" | "required"
>;

/** Makes an assessment ready for `aggregateReports`. */
export function toVerifiedReport(assessment: Assessment, identity: ReportIdentity): VerifiedReport {
  const { report, findings, outcome, decision, trust, undeclared } = assessment;
  return {
    ...identity,
    outcome: outcome.value,
    decision: decision.decision,
    trust: trust ?? "UNVERIFIED",
    findings: findings.map(
      ({ id, title, category, severity, confidence, grade, path, lines, line_text, symbol }) => ({
        id,
        title,
        category: categoryOf({ id, category }, identity.agent_type),
        severity,
        confidence: confidence ?? report.confidence.score,
        grade,
        path,
        lines,
        line_text,
        symbol,
      }),
    ),
    assertions: assertionsOf(assessment),
    tests: assessment.tests,
    issues: [
      ...report.issues.map(({ title, description }) =>
        description ? `${title}: ${description}` : title,
      ),
      ...undeclared.map(
        ({ path, change }) =>
          `${path} was ${change} by ${identity.agent_type} and is not in its report`,
      ),
    ],
  };
}

/** Rows of a table with a PASS or FAIL in its Status column. */
function assertionsOf({ report, checks }: Assessment): Assertion[] {
  return report.sections
    .flatMap(withSubsections)
    .flatMap(tablesOf)
    .flatMap((table) => {
      const cell = columnReader(table);
      return table.rows.flatMap((row): Assertion[] => {
        const word = /^\W*(pass|fail)(?:ed|s|ure)?\W*$/i
          .exec(cell(row, /^(?:status|result|verdict|outcome)$/i))?.[1]
          ?.toUpperCase();
        const subject = row[0]?.replace(/[`*]/g, "").trim() ?? "";
        return word && subject
          ? [{ subject, verdict: word as Assertion["verdict"], grade: gradeIn(row, checks) }]
          : [];
      });
    });
}

/** The best evidence that the row itself names. */
const gradeIn = (row: readonly string[], checks: readonly AssessedCheck[]): Assertion["grade"] =>
  checks.find((check) => row.some((cell) => cell.includes(check.text)))?.grade ?? "E0";
