// A verified report for people (text, Markdown) and for programs (JSON). No control sequence of a report reaches a terminal.
import { oneLine, printable } from "../../base/text/printable.ts";
import { isOpen, type AssessedCheck, type Assessment } from "../../verify/assessment.ts";
import { confidenceWords } from "../../verify/report-header.ts";
import { isFlagged } from "../../verify/verdict.ts";
import type { Io } from "../io.ts";

/** The wire shape of `verify --format json`. */
export function verificationWire({
  report,
  checks,
  trust,
  confidence,
  counts,
  outcome,
  decision,
  findings,
  lint,
  ticks,
  undeclared,
  corrected,
  truncated,
}: Assessment) {
  return {
    report,
    checks,
    trust,
    confidence,
    counts,
    outcome,
    decision,
    findings: findings.map(({ id, title, severity, grade, path, lines, checks: own }) => ({
      id,
      title,
      severity,
      grade,
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

const isBad = (check: AssessedCheck): boolean => isFlagged(check.verdict);

/** Each reference with what really stands there. */
export function printVerification(assessment: Assessment, io: Pick<Io, "paint">): string {
  const { checks, counts, trust, confidence, outcome, undeclared, lint, truncated } = assessment;
  const lines = checks.flatMap((check) => {
    const style = isBad(check) ? "red" : check.verdict === "verified" ? "green" : "dim";
    const sign = isBad(check) ? "✗" : check.verdict === "verified" ? "✓" : "·";
    const to =
      check.corrected ??
      (check.suggestion ? `${check.suggestion.path}:${check.suggestion.line}` : undefined);
    return [
      `${io.paint(style, `${sign} ${check.verdict.padEnd(12)}`)} ${oneLine(check.text, 100)}  ${io.paint("dim", check.grade)}`,
      io.paint("dim", `    ${printable(check.reason)}`),
      ...(isBad(check) && to !== undefined
        ? [`    ${io.paint("cyan", `→ ${oneLine(to, 200)}`)}`]
        : []),
    ];
  });
  const rules = lint.map(
    ({ level, rule, message }) =>
      `${io.paint(level === "L1" ? "yellow" : "dim", `${level} ${rule}`)} ${oneLine(message, 200)}`,
  );
  const undecided = counts.total - counts.verified - counts.flagged;
  const score = confidence.combined === null ? "" : `, ${confidenceWords(assessment)}`;
  return [
    ...lines,
    ...undeclared.map(
      ({ path, change }) =>
        `${io.paint("red", "✗ undeclared  ")} ${oneLine(path, 200)} was ${change} and is not in the report`,
    ),
    ...(rules.length > 0 ? ["", ...rules, ""] : []),
    ...(outcome.reasons.length > 0 && (outcome.claimed !== null || outcome.value === "INVALID")
      ? [`outcome ${outcome.claimed ?? "none"} → ${outcome.value}: ${outcome.reasons.join("; ")}`]
      : []),
    ...(truncated
      ? ["the report has more references than are checked; the rest was left out"]
      : []),
    `${checks.length === 0 ? "no references" : `${counts.total} ${counts.total === 1 ? "reference" : "references"}: ${counts.verified} verified, ${counts.flagged} flagged, ${undecided} undecided`}; trust ${trust}${score}`,
  ].join("\n");
}

/** A table for a pull request or a wiki. */
export function verificationMarkdown(assessment: Assessment): string {
  const { checks, trust, counts, outcome, undeclared } = assessment;
  const cell = (text: string): string => oneLine(text, 240).replaceAll("|", "\\|");
  const rows = checks.map(
    (check) =>
      `| ${cell(check.text)} | ${check.verdict} | ${check.grade} | ${cell(check.reason)} | ${check.corrected !== undefined ? `corrected to ${cell(check.corrected)}` : check.suggestion && isOpen(check) ? cell(`${check.suggestion.path}:${check.suggestion.line}`) : ""} |`,
  );
  return [
    "## Verification",
    "",
    `**Trust** ${trust} · **Outcome** ${outcome.claimed === null || outcome.claimed === outcome.value ? outcome.value : `${outcome.claimed} → ${outcome.value}`} · ${confidenceWords(assessment)} · ${counts.verified} of ${counts.total} verified, ${counts.flagged} flagged`,
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
