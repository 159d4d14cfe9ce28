// A verified report for people (text, Markdown) and for programs (JSON). No control sequence of a
// report reaches a terminal.
import { gradeLegend, isAtLeast } from "../../contract/grades.ts";
import { oneLine, printable } from "../../base/text/printable.ts";
import { faultsOf, isOpen, type AssessedCheck, type Assessment } from "../../verify/assessment.ts";
import {
  confidenceWords,
  cutWords,
  stampWords,
  trustPart,
} from "../../verify/report/report-header.ts";
import { tallyWords } from "../../verify/trust/trust-word.ts";
import type { Io } from "../io.ts";

/** The wire shape of `verify --format json`. `report_line`: where the text output says that it stands. */
export function verificationWire({
  text,
  report,
  checks,
  trust,
  is_free,
  tally,
  confidence,
  counts,
  outcome,
  decision,
  objections,
  findings,
  lint,
  ticks,
  undeclared,
  corrected,
  truncated,
}: Assessment) {
  const lineOf = lineFinder(text);
  return {
    report,
    checks: checks.map((check) => ({ ...check, report_line: lineOf(check.span[0]) })),
    trust,
    is_free,
    tally,
    confidence,
    counts,
    outcome,
    decision,
    objections,
    findings: findings.map(({ id, title, severity, grade, path, lines, checks: own }) => ({
      id,
      title,
      severity,
      grade,
      located: isAtLeast(grade, "E2"),
      path,
      lines,
      checks: own,
    })),
    lint,
    ticks,
    undeclared,
    corrected,
    ...(truncated ? { truncated } : {}),
  };
}

/**
 * What is wrong first, each with its line in the report and what really stands there; what holds in
 * one line.
 */
export function printVerification(assessment: Assessment, io: Pick<Io, "paint">): string {
  const { checks, outcome, lint } = assessment;
  const faults = faultsOf(assessment);
  const bad = new Set(faults.checks);
  const changed = `outcome ${outcome.claimed ?? "none"} → ${outcome.value}`;
  const lineOf = lineFinder(assessment.text);
  const rules = lint.map(
    ({ level, rule, message }) =>
      `${io.paint(level === "L1" ? "yellow" : "dim", `${level} ${rule}`)} ${oneLine(message, 200)}`,
  );
  return [
    ...faults.invalid.map((why) => `${io.paint("red", "✗ invalid     ")} ${changed}: ${why}`),
    ...faults.checks.flatMap((check) => badLines(check, lineOf(check.span[0]), io)),
    ...faults.undeclared.map(
      ({ path, change }) =>
        `${io.paint("red", "✗ undeclared  ")} ${oneLine(path, 200)} was ${change} and is not in the report`,
    ),
    ...groupLine(
      io.paint("green", "✓ hold        "),
      checks.filter(({ verdict }) => verdict === "verified"),
      lineOf,
    ),
    ...groupLine(
      io.paint("dim", "· not decided "),
      checks.filter((check) => !bad.has(check) && check.verdict !== "verified"),
      lineOf,
    ),
    ...(rules.length > 0 ? ["", ...rules, ""] : []),
    ...(outcome.reasons.length > 0 && outcome.claimed !== null && faults.invalid.length === 0
      ? [`${changed}: ${outcome.reasons.join("; ")}`]
      : []),
    ...cutWords(assessment),
    ...(faults.checks.length > 0
      ? [io.paint("dim", gradeLegend(faults.checks.map(({ grade }) => grade)))]
      : []),
    stampWords(assessment, "offered"),
  ].join("\n");
}

function badLines(check: AssessedCheck, line: number, io: Pick<Io, "paint">): string[] {
  const to =
    check.corrected ??
    (check.suggestion ? `${check.suggestion.path}:${check.suggestion.line}` : undefined);
  return [
    `${io.paint("red", `✗ ${check.verdict.padEnd(12)}`)} ` +
      `${io.paint("dim", `line ${line}:`)} ${oneLine(check.text, 100)}  ` +
      io.paint("dim", check.grade),
    io.paint("dim", `    ${printable(check.reason)}`),
    ...(to === undefined ? [] : [`    ${io.paint("cyan", `→ ${oneLine(to, 200)}`)}`]),
  ];
}

const maxGrouped = 12;

function groupLine(
  label: string,
  checks: readonly AssessedCheck[],
  lineOf: (offset: number) => number,
): string[] {
  if (checks.length === 0) return [];
  const shown = checks
    .slice(0, maxGrouped)
    .map(({ text, span }) => `${oneLine(text, 60)} (line ${lineOf(span[0])})`);
  const more = checks.length > maxGrouped ? `, and ${checks.length - maxGrouped} more` : "";
  return [`${label} ${checks.length}: ${shown.join(", ")}${more}`];
}

/** Lines of the report, counted from 1. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const outcomeWords = ({ claimed, value }: Assessment["outcome"]): string =>
  claimed === null || claimed === value ? value : `${claimed} → ${value}`;

/** A table for a pull request or a wiki. */
export function verificationMarkdown(assessment: Assessment): string {
  const { checks, trust, tally, is_free, outcome, undeclared } = assessment;
  const cell = (text: string): string => oneLine(text, 240).replaceAll("|", "\\|");
  const instead = ({ corrected, suggestion, ...check }: AssessedCheck): string => {
    if (corrected !== undefined) return `${cell(corrected)} (with --fix)`;
    return suggestion && isOpen(check) ? cell(`${suggestion.path}:${suggestion.line}`) : "";
  };
  const rows = checks.map((check) => {
    const { text, verdict, grade, reason } = check;
    return `| ${cell(text)} | ${verdict} | ${grade} | ${cell(reason)} | ${instead(check)} |`;
  });
  return [
    "## Verification",
    "",
    [
      tallyWords(tally, "offered"),
      ...(trust === null ? [] : [trustPart(trust, tally, "offered").replace("trust", "**Trust**")]),
      ...(is_free ? [] : [`**Outcome** ${outcomeWords(outcome)}`, confidenceWords(assessment)]),
    ].join(" · "),
    ...cutWords(assessment),
    "",
    ...(rows.length > 0
      ? [
          "| Reference | Verdict | Evidence | What is there | Nearest |",
          "|---|---|---|---|---|",
          ...rows,
        ]
      : ["The report names nothing that could be checked."]),
    ...(undeclared.length > 0
      ? [
          "",
          "Changed and not declared:",
          ...undeclared.map(({ path, change }) => `- \`${cell(path)}\` (${change})`),
        ]
      : []),
    "",
  ].join("\n");
}
