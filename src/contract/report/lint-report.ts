// Names every rule of the contract that a report breaks: L1 must, L2 should, L3 would be better.
import { limits } from "../../base/limits.ts";
import { countTokens } from "../../base/text/tokens.ts";
import { severities } from "../axes.ts";
import type { Report } from "./report.ts";
import { named, sectionText } from "./section-views.ts";

export type Level = "L1" | "L2" | "L3";
/** A rule of the contract that a report breaks. */
export type Violation = { level: Level; rule: string; message: string };

/** What the runtime knows of the run that wrote the report. */
export type RunFacts = {
  toolUses: number;
  deniedCalls: number;
  failedCalls: number;
  openTodos?: number;
  failedAgents?: number;
  failedCommand?: { command: string; exitCode: number } | undefined;
};

type Rule = {
  level: Level;
  rule: string;
  check: (report: Report, run: RunFacts | undefined) => string | undefined;
};

const score = ({ confidence }: Report): number => confidence.score ?? -1;
const hasSection = (report: Report, name: Parameters<typeof named>[1]): boolean =>
  named(report.sections, name).length > 0;

const rules: Rule[] = [
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
  {
    level: "L1",
    rule: "decision",
    check: ({ decision, decision_words }) =>
      decision === null && decision_words !== null
        ? `"${decision_words.replace(/\s+/g, " ").slice(0, 120)}" is no decision: give PROCEED, STOP or CLARIFY alone on the line`
        : undefined,
  },
  {
    level: "L1",
    rule: "summary-budget",
    check: ({ summary }) => over(summary, limits.report.summaryTokens),
  },
  {
    level: "L1",
    rule: "confidence-breakdown",
    check: (report) =>
      score(report) >= 75 &&
      (report.confidence.verified === null || report.confidence.inferred === null)
        ? `confidence ${score(report)} needs verified_confidence and inferred_confidence`
        : undefined,
  },
  {
    level: "L1",
    rule: "verification-checklist",
    check: (report) =>
      hasSection(report, "Verification Completed")
        ? undefined
        : "the section Verification Completed is missing",
  },
  { level: "L1", rule: "blockers", check: partialWithoutReason },
  {
    level: "L1",
    rule: "actions-need-tools",
    check: (report, run) =>
      run?.toolUses === 0 && (report.file_claims.length > 0 || report.findings.length > 0)
        ? "findings or file changes are claimed, but no tool was used"
        : undefined,
  },
  { level: "L1", rule: "counts", check: countsDiffer },
  {
    level: "L2",
    rule: "confidence-justification",
    check: (report) =>
      score(report) >= 85 && !hasSection(report, "Confidence Justification")
        ? `confidence ${score(report)} needs a Confidence Justification`
        : undefined,
  },
  {
    level: "L2",
    rule: "confidence",
    check: ({ confidence }) =>
      confidence.score === null
        ? `no confidence from 0 to 100${confidence.words ? `; "${confidence.words}" is no number` : ""}`
        : undefined,
  },
  {
    level: "L2",
    rule: "uncertainty",
    check: (report) =>
      score(report) >= 0 && score(report) < 70 && !hasSection(report, "Uncertainty")
        ? `confidence ${score(report)} needs an Uncertainty section`
        : undefined,
  },
  {
    level: "L2",
    rule: "clarification",
    check: (report) =>
      score(report) >= 0 && score(report) < 60 && !asks(report)
        ? `confidence ${score(report)} should come with a question`
        : undefined,
  },
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
    check: ({ issues }) =>
      listed(
        issues.map(({ title, severity }) => severity === null && title),
        "issues without a severity:",
      ),
  },
  {
    level: "L2",
    rule: "success-despite-failures",
    check: ({ outcome }, run) =>
      outcome === "SUCCESS" && run && run.deniedCalls + run.failedCalls > 0
        ? `SUCCESS, although ${run.deniedCalls} ${run.deniedCalls === 1 ? "call was" : "calls were"} denied and ${run.failedCalls} failed`
        : undefined,
  },
  {
    level: "L2",
    rule: "success-with-open-items",
    check: ({ outcome }, run) =>
      outcome === "SUCCESS" && run?.openTodos
        ? `SUCCESS, although ${run.openTodos} ${run.openTodos === 1 ? "item" : "items"} of its own list ${run.openTodos === 1 ? "is" : "are"} open`
        : undefined,
  },
  {
    level: "L2",
    rule: "success-with-failed-agents",
    check: ({ outcome }, run) =>
      outcome === "SUCCESS" && run?.failedAgents
        ? `SUCCESS, although ${run.failedAgents} ${run.failedAgents === 1 ? "report" : "reports"} of its agents did not succeed or did not hold`
        : undefined,
  },
  {
    level: "L2",
    rule: "success-with-failed-command",
    check: ({ outcome }, run) =>
      outcome === "SUCCESS" && run?.failedCommand
        ? `SUCCESS, although \`${run.failedCommand.command.replace(/\s+/g, " ").slice(0, 80)}\` ended with exit code ${run.failedCommand.exitCode}`
        : undefined,
  },
  {
    level: "L2",
    rule: "report-budget",
    check: (report) => over(report.sections.map(sectionText).join("\n"), limits.report.tokens),
  },
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
];

/** Checks the form of a report against the contract. */
export function lintReport(report: Report, run?: RunFacts): Violation[] {
  return rules.flatMap(({ level, rule, check }) => {
    const message = check(report, run);
    return message === undefined ? [] : [{ level, rule, message }];
  });
}

function listed(items: readonly (string | false)[], what: string): string | undefined {
  const named = items.filter((item) => item !== false);
  return named.length > 0
    ? `${what} ${named.slice(0, 10).join(", ")}${named.length > 10 ? ` and ${named.length - 10} more` : ""}`
    : undefined;
}

function over(text: string, budget: number): string | undefined {
  // Far too long a text is not worth counting exactly.
  const tokens = countTokens(text.slice(0, budget * 40));
  return tokens > budget ? `${tokens} tokens, the budget is ${budget}` : undefined;
}

function partialWithoutReason(report: Report): string | undefined {
  if (report.outcome !== "PARTIAL" && report.outcome !== "BLOCKED") return undefined;
  const open =
    /\b(?:not (?:covered|checked|done|finished|reviewed|completed)|remaining|out of scope|still open|left (?:open|to do)|todo)\b/i;
  const says =
    report.blockers.length > 0 ||
    report.questions.length > 0 ||
    open.test(report.summary) ||
    report.sections.some(({ heading }) => /scope|remaining|open/i.test(heading));
  return says ? undefined : `${report.outcome} without a blocker or open scope`;
}

/** "Found 2 critical issues" against the rows, and the Severity Summary against them. */
function countsDiffer({ summary, findings, severity_summary }: Report): string | undefined {
  const rows = (severity: string): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const graded = findings.some((finding) => finding.severity !== null);
  if (!graded) return undefined;
  const problems = severities.map((severity) => {
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

const asks = (report: Report): boolean =>
  report.questions.length > 0 ||
  report.decision === "CLARIFY" ||
  report.next_steps.some((step) => step.includes("?"));

const sentences = (text: string): number =>
  text
    .slice(0, 4_000)
    .split(/[.!?](?:\s+|$)/)
    .filter((part) => part.trim() !== "").length;
