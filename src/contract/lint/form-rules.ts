// The rules about a report's form: its sections, its budgets, what a finding and a failure have to
// name, and what does not belong into a report.
import { limits } from "../../base/limits.ts";
import { countTokens, mayExceed } from "../../base/text/tokens.ts";
import { axes } from "../axes.ts";
import type { Finding, Report } from "../report/report.ts";
import type { SectionName } from "../report/section-names.ts";
import { named, sectionText, withSubsections } from "../report/section-text.ts";
import type { LintRule } from "./lint-rule.ts";

const hasSection = (report: Report, name: SectionName): boolean =>
  named(report.sections, name).length > 0;

export const formRules: readonly LintRule[] = [
  {
    level: "L1",
    rule: "standard-format",
    check: ({ outcome, summary, agent }) =>
      listed(
        [
          agent === null && 'a title "## NAME Result"',
          outcome === null && "a Status of SUCCESS, PARTIAL or FAILED",
          summary === "" && "a Summary",
        ],
        "missing",
      ),
  },
  { level: "L1", rule: "sections", check: missingSections },
  {
    level: "L1",
    rule: "decision",
    check: ({ decision, decision_words }) =>
      decision === null && decision_words !== null
        ? `"${decision_words.replace(/\s+/g, " ").slice(0, 120)}" is no decision: ` +
          "give PROCEED, STOP or CLARIFY alone on the line"
        : undefined,
  },
  {
    level: "L1",
    rule: "summary-budget",
    check: ({ summary }) => over(summary, limits.report.summaryTokens),
  },
  { level: "L1", rule: "blockers", check: partialWithoutReason },
  { level: "L1", rule: "counts", check: countsDiffer },
  {
    level: "L2",
    rule: "locations",
    check: ({ findings }) =>
      listed(
        findings.map(({ id, location }) => location === "" && id),
        "findings without a location:",
      ),
  },
  {
    level: "L2",
    rule: "severity",
    check: ({ issues, findings }) =>
      listed(
        [
          ...issues.map(({ title, severity }) => severity === null && title),
          ...ungraded(findings).map(({ id }) => id),
        ],
        "without a severity:",
      ),
  },
  {
    level: "L2",
    rule: "report-budget",
    check: (report) => over(report.sections.map(sectionText).join("\n"), limits.report.tokens),
  },
  { level: "L2", rule: "raw-output", check: rawOutput },
  {
    level: "L3",
    rule: "summary-length",
    check: ({ summary }) =>
      sentences(summary) > 3
        ? `the Summary has ${sentences(summary)} sentences, at most 3 are read`
        : undefined,
  },
  {
    level: "L3",
    rule: "next-steps",
    check: (report) =>
      report.next_steps.length === 0 && report.outcome !== "FAILED" ? "no Next Steps" : undefined,
  },
  {
    level: "L3",
    rule: "recovery-options",
    check: (report) =>
      report.outcome === "FAILED" && !hasSection(report, "Recovery Options")
        ? "FAILED without Recovery Options"
        : undefined,
  },
  {
    level: "L3",
    rule: "trade-offs",
    check: (report) =>
      isDesign(report) && !hasSection(report, "Trade-offs Considered")
        ? "a design without Trade-offs Considered"
        : undefined,
  },
  {
    level: "L3",
    rule: "patterns",
    check: (report) =>
      report.file_claims.length > 0 && !namesPattern(report)
        ? "it names no pattern of the project that it follows"
        : undefined,
  },
];

/** The sections of the universal form, or of the error form. */
function missingSections(report: Report): string | undefined {
  if (report.outcome === null) return undefined;
  const needed: SectionName[] =
    report.outcome === "FAILED"
      ? ["Error Details", "Attempted Actions", "Root Cause Analysis"]
      : ["Findings", "Key References", "Confidence"];
  // Findings that all name their place are references enough.
  const isPlaced = report.findings.every(({ location }) => location !== "");
  const missing = needed.filter(
    (name) => !hasSection(report, name) && !(name === "Key References" && isPlaced),
  );
  return listed(missing, "missing:");
}

/** Findings that are problems by their table or their id, and have no severity. */
function ungraded(findings: readonly Finding[]): Finding[] {
  const isReview = findings.some(({ severity_word }) => severity_word !== null);
  return findings.filter(
    ({ id, severity }) => severity === null && (isReview || /^[A-Z]{2,}-\d+$/.test(id)),
  );
}

/** What a tool printed, pasted instead of summed up. */
function rawOutput({ sections }: Report): string | undefined {
  const { rawLines, rawRows } = limits.report;
  const blocks = sections.flatMap(withSubsections).flatMap((section) => section.blocks);
  const long = blocks.flatMap((block) => {
    if (block.type === "table")
      return block.rows.length > rawRows ? [`a table of ${block.rows.length} rows`] : [];
    const lines = block.type === "text" ? 0 : block.code.split("\n").length;
    return lines > rawLines ? [`a block of ${lines} lines`] : [];
  });
  return listed(long, "raw output instead of a summary:");
}

const isDesign = ({ file_claims }: Report): boolean => file_claims.some((claim) => !claim.is_done);

const namesPattern = ({ sections }: Report): boolean =>
  sections
    .flatMap(withSubsections)
    .some((section) =>
      /pattern|convention|follow|consistent with/i.test(
        `${section.heading} ${sectionText(section)}`,
      ),
    );

function listed(items: readonly (string | false)[], what: string): string | undefined {
  const named = items.filter((item) => item !== false);
  return named.length > 0
    ? `${what} ${named.slice(0, 10).join(", ")}${named.length > 10 ? ` and ${named.length - 10} more` : ""}`
    : undefined;
}

function over(text: string, budget: number): string | undefined {
  if (!mayExceed(text, budget)) return undefined;
  // Far too long a text is not worth counting exactly.
  const tokens = countTokens(text.slice(0, budget * 40));
  return tokens > budget ? `${tokens} tokens, the budget is ${budget}` : undefined;
}

const leftOpen = new RegExp(
  [
    "\\bnot (?:covered|checked|done|finished|reviewed|completed)\\b",
    "\\b(?:remaining|out of scope|still open|todo)\\b",
    "\\bleft (?:open|to do)\\b",
  ].join("|"),
  "i",
);

function partialWithoutReason(report: Report): string | undefined {
  const { outcome } = report;
  if (outcome !== "PARTIAL" && outcome !== "BLOCKED" && outcome !== "FAILED") return undefined;
  // A failure names what blocks it; what is left open is for work that was done in part.
  if (outcome === "FAILED")
    return report.blockers.length > 0 ? undefined : "FAILED without a blocker";
  const says =
    report.blockers.length > 0 ||
    report.questions.length > 0 ||
    leftOpen.test(report.summary) ||
    report.sections.some(({ heading }) => /scope|remaining|open/i.test(heading));
  return says ? undefined : `${outcome} without a blocker or open scope`;
}

/** "Found 2 critical issues" against the rows, and the Severity Summary against them. */
function countsDiffer({ summary, findings, severity_summary }: Report): string | undefined {
  const rows = (severity: string): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const graded = findings.some((finding) => finding.severity !== null);
  if (!graded) return undefined;
  const problems = axes.severities.map((severity) => {
    const said = severity_summary?.[severity] ?? numberBefore(summary, severity);
    return (
      said !== undefined &&
      said !== rows(severity) &&
      `${severity}: ${said} claimed, ${rows(severity)} listed`
    );
  });
  const total = /\bfound\s+(\d{1,4})\s+(?:issues|findings|problems|vulnerabilities)\b/i.exec(
    summary,
  );
  const totalDiffers =
    total !== null &&
    Number(total[1]) !== findings.filter((finding) => finding.severity !== null).length &&
    `${total[1]} issues claimed, ${findings.length} listed`;
  return listed([...problems, totalDiffers], "counts differ:");
}

function numberBefore(text: string, severity: string): number | undefined {
  const found = new RegExp(`\\b(\\d{1,4})\\s+${severity}\\b`, "i").exec(text);
  return found ? Number(found[1]) : undefined;
}

const sentences = (text: string): number =>
  text
    .slice(0, 4_000)
    .split(/[.!?](?:\s+|$)/)
    .filter((part) => part.trim() !== "").length;
