// Writes an aggregate in the form of a report, so that every reader of reports can read it.
import { bandOf } from "../report/read-confidence.ts";
import { renderTable, type Table } from "../report/render-table.ts";
import type { Aggregate, MergedFinding } from "./aggregate-reports.ts";
import type { Conflict } from "./find-conflicts.ts";

export function renderAggregate(aggregate: Aggregate): string {
  const { outcome, decision, findings, conflicts, triggers, checks, issues, possible_duplicates } =
    aggregate;
  const sections: (string | false)[] = [
    "## Aggregated Result",
    `### Status\n${outcome}`,
    `### Decision\n${decision}`,
    `### Summary\n${summary(aggregate)}`,
    "### Findings",
    findings.length === 0 && "No findings.",
    findings.length > 0 && `#### Issues Detected\n\n${issueTable(findings)}`,
    findings.length > 0 && `#### Members\n\n${findings.map(memberLine).join("\n")}`,
    findings.some(({ path }) => path !== null) &&
      `### Key References\n${table(
        ["Item", "Location", "Relevance"],
        findings
          .filter(({ path }) => path !== null)
          .map((finding) => [
            `${finding.id}: ${finding.title}`,
            placeOf(finding),
            `evidence ${finding.grade}`,
          ]),
      )}`,
    `### Confidence\n${confidenceText(aggregate)}`,
    conflicts.length > 0 && `### Conflicts\n${conflicts.map(conflictLine).join("\n")}`,
    possible_duplicates.length > 0 &&
      `### Possible Duplicates\n${possible_duplicates
        .map(({ a, b, path }) => `- ${a} and ${b} in \`${path}\``)
        .join("\n")}`,
    `### Reports\n${table(
      ["Task", "Agent", "Outcome", "Decision", "Trust"],
      Object.entries(checks).map(([task, check]) => [
        task,
        check.agent,
        check.outcome,
        check.decision,
        check.trust,
      ]),
    )}`,
    issues.length > 0 && `### Issues\n${issues.map((issue) => `- ${line(issue)}`).join("\n")}`,
    triggers.length > 0 &&
      `### Next Steps\n${triggers
        .map(({ kind, finding, reason }, index) => `${index + 1}. ${finding}: ${kind} (${reason})`)
        .join("\n")}`,
  ];
  return `${sections.filter((section) => section !== false).join("\n\n")}\n`;
}

function summary({ findings, conflicts, checks, trust }: Aggregate): string {
  const reports = Object.keys(checks).length;
  const open = conflicts.filter((conflict) => conflict.human_review).length;
  const people =
    open === 0 ? "" : ` ${open} ${open === 1 ? "conflict needs" : "conflicts need"} a person.`;
  return (
    `${reports} ${reports === 1 ? "report" : "reports"}, ${findings.length} ` +
    `${findings.length === 1 ? "finding" : "findings"}, trust ${trust}.${people}`
  );
}

function confidenceText({ confidence, findings }: Aggregate): string {
  if (confidence === null) return "No finding has a confidence.";
  const weighty = findings.filter(
    ({ severity, confidence: own }) =>
      own !== null && (severity === "critical" || severity === "important"),
  ).length;
  const of =
    weighty > 0
      ? `the weakest of ${weighty} critical and important ${weighty === 1 ? "finding" : "findings"}`
      : "the best finding";
  return `${confidence} (${bandOf(confidence)}) - ${of}, each pooled over its members and capped by its evidence`;
}

const issueTable = (findings: readonly MergedFinding[]): string =>
  table(
    ["ID", "Issue", "File:Line", "Category", "Severity", "Confidence", "Evidence"],
    findings.map((finding) => [
      finding.id,
      finding.title,
      placeOf(finding),
      finding.category,
      finding.severity ?? "",
      finding.confidence === null ? "" : `${finding.confidence} (${bandOf(finding.confidence)})`,
      finding.grade,
    ]),
  );

function placeOf({ path, lines }: Pick<MergedFinding, "path" | "lines">): string {
  if (path === null) return "";
  if (lines === null) return `\`${path}\``;
  const [from, to] = lines;
  return `\`${path}:${from === to ? from : `${from}-${to}`}\``;
}

function memberLine({ id, members }: MergedFinding): string {
  const said = members.map(
    ({ agent_type, id: own, confidence }) =>
      `${agent_type} ${own}${confidence === null ? "" : ` at ${confidence}`}`,
  );
  return `- ${id}: ${said.join(", ")}`;
}

function conflictLine({ kind, subject, sides, decided, human_review }: Conflict): string {
  const said = sides.map(({ agent_id, says }) => `${agent_id} says ${line(says)}`).join(", ");
  return `- ${subject} (${kind}): ${said}. ${human_review ? "Needs a person." : `The source decides: ${decided}.`}`;
}

const line = (text: string): string => text.replace(/\s+/g, " ").trim();

const table = (columns: string[], rows: string[][]): string =>
  renderTable({ type: "table", columns, rows: rows.map((row) => row.map(line)) } satisfies Table);
