// From a report to something that can be trusted: every claim checked, every finding graded, the
// confidence computed, the outcome lowered where the evidence says so.
import { decisionOf, type Decision, type Outcome } from "../contract/axes.ts";
import { caps, computeConfidence, reportGrade, type GradedClaim } from "../contract/grades.ts";
import { lintReport, type RunFacts, type Violation } from "../contract/lint/lint-report.ts";
import { parsePlacedReport } from "../contract/report/parse-report.ts";
import type { Report } from "../contract/report/report.ts";
import type { Requirement } from "../contract/trust/requirement.ts";
import { settleDecision } from "../contract/trust/settle-decision.ts";
import { applyCorrections, correctionOf, type Correction } from "./report/apply-corrections.ts";
import {
  isUnproven,
  type Assessment,
  type AssessedCheck,
  type ComputedTick,
} from "./assessment.ts";
import { checkGiven } from "./check-given.ts";
import { collectChecks, type CheckOptions, type CollectedChecks } from "./collect-checks.ts";
import { computedTicks, falseTicks } from "./report/computed-ticks.ts";
import { looksOnly } from "./claims/runs/recognise.ts";
import type { Ledger } from "./evidence/ledger.ts";
import { repairTable } from "./repair.ts";
import { gradeFindings, weighedFindings } from "./trust/grade-findings.ts";
import { bindingWords, objectionsOf } from "./trust/objections.ts";
import { settleOutcome } from "./trust/settle-outcome.ts";
import { cappedBy, regraded, tallyOf, trustWord } from "./trust/trust-word.ts";
import { heldOnce } from "./trust/spoken-checks.ts";
import { uncheckedSentences } from "./report/unchecked-sentences.ts";
import { countVerdicts, verifyReport } from "./verify-report.ts";

/** What `assessReport` checks against: files, and the agent's record where there is one. */
export type AssessOptions = CheckOptions & {
  /**
   * `report` holds the text to the contract's form; `none` only checks what it claims; `auto`
   * decides by whether it has the form.
   */
  contract?: "report" | "handoff" | "none" | "auto";
  /** The least trust that lets it proceed. */
  require?: Requirement | null;
};

/**
 * Verifies a report against files and, if given, against the agent's record. Counts as after
 * repair: what is contradicted now is graded X. Never throws because of what a report, a file or a
 * transcript holds.
 */
export async function assessReport(text: string, options: AssessOptions): Promise<Assessment> {
  checkGiven("assessReport", text, options);
  const placed = parsePlacedReport(text);
  const { report } = placed;
  const hasForm = isInForm(report);
  const bound =
    options.contract === "report" ||
    (options.contract !== "none" && options.contract !== "handoff" && hasForm);
  const is_free = !bound && !hasForm && options.contract !== "handoff";
  const found = await collectChecks(text, placed, options);
  // Who is asked for no list of changed files leaves none out.
  const collected = is_free ? { ...found, undeclared: [] } : found;
  const { checks, corrected } = correct(text, {
    ...collected,
    checks: heldOnce(collected.checks.map(regraded)),
  });
  const findings = gradeFindings(placed, checks, collected.repo);
  const unchecked = uncheckedSentences(text, checks);
  const stamp = stampOf(
    report,
    { checks, findings, unchecked, is_free },
    { undeclared: collected.undeclared, truncated: collected.truncated, ledger: options.ledger },
  );
  const ticks = computedTicks(report, { checks, findings, repo: collected.repo });
  const outcome = settleOutcome({ report, checks, bound, is_free }, options);
  const objections = objectionsOf(checks, findings, is_free);
  const assessment: Omit<Assessment, "repair"> = {
    text,
    report,
    is_free,
    lint: [...(bound ? lintReport(report, runFacts(options)) : []), ...tickViolations(ticks)],
    checks,
    counts: countVerdicts(checks),
    findings,
    tally: stamp.tally,
    trust: stamp.trust,
    confidence: stamp.confidence,
    ticks,
    outcome,
    objections,
    unrecognised: checks.flatMap(({ text: claim, unrecognised }) =>
      unrecognised === undefined ? [] : [{ check: claim.slice(0, 200), ...unrecognised }],
    ),
    decision: settleDecision(claimedDecision(report, outcome.value), {
      failedChecks: [],
      contradictions: is_free && stamp.trust !== "CONTRADICTED" ? [] : bindingWords(objections),
      outcome: outcome.value,
      trust: stamp.trust,
      require: options.require ?? null,
    }),
    undeclared: collected.undeclared,
    tests: collected.tests,
    corrected,
    withdrawn: [],
    unchecked,
    truncated: collected.truncated,
  };
  return Object.assign(assessment, { repair: repairTable(assessment) });
}

const mostOfStatus = 40;

/** A title alone ("Investigation Report: …") is anybody's; with a status, a decision or a confidence it is the form. */
function isInForm({ agent, outcome, confidence, ...report }: Report): boolean {
  const { status_words, decision, decision_words } = report;
  // A status is a word or two; a section of that name with sentences tells of something else.
  const status = (status_words ?? "").length > mostOfStatus ? null : status_words;
  const parts = [status, decision, decision_words, confidence.score, confidence.words];
  return outcome !== null || (agent !== null && parts.some((part) => part !== null));
}

type Seen = Pick<Assessment, "checks" | "findings" | "unchecked" | "is_free">;

function stampOf(
  report: Report,
  { checks, findings, unchecked, is_free }: Seen,
  {
    undeclared,
    truncated,
    ledger,
  }: Pick<CollectedChecks, "undeclared" | "truncated"> & {
    ledger: Ledger | undefined;
  },
): Pick<Assessment, "tally" | "trust" | "confidence"> {
  const graded = weighedFindings(findings, checks);
  const claims: GradedClaim[] = [
    ...checks.map(({ grade, standing }) => ({ grade, standing })),
    ...findings
      .filter((finding) => finding.checks.length === 0)
      .map(() => ({ grade: "E0" as const, standing: "finding" as const })),
  ];
  const tally = tallyOf(checks, unchecked);
  const isIncomplete =
    truncated ||
    undeclared.length > 0 ||
    checks.some(({ doubted }) => doubted) ||
    (ledger !== undefined &&
      checks.some((check) => isUnproven(check) || check.verdict === "unsupported"));
  return {
    tally,
    trust: trustWord({ checks, findings: graded, claims, tally, is_free, isIncomplete }),
    confidence: computeConfidence(
      claims.map((claim, index) => (isEmpty(checks[index]) ? { ...claim, grade: "X" } : claim)),
      { claimed: report.confidence.score, inferred: report.confidence.inferred },
      cappedBy(caps[reportGrade(graded)], tally),
    ),
  };
}

/** Compared and found to have nothing behind it: it counts, whether its class binds or not. */
const isEmpty = (check: AssessedCheck | undefined): boolean =>
  check?.verdict === "unsupported" || check?.verdict === "countered";

/** A decision that is there and is none of the three words counts as STOP. */
function claimedDecision(report: Report, outcome: Outcome): Decision {
  if (report.decision !== null) return report.decision;
  if (report.decision_words !== null) return "STOP";
  return decisionOf(outcome, {
    critical:
      report.blockers.length > 0 || report.issues.some(({ severity }) => severity === "critical"),
    answerable: report.questions.length > 0,
  });
}

function runFacts({ ledger }: AssessOptions): RunFacts | undefined {
  return (
    ledger && {
      toolUses: ledger.toolUses,
      deniedCalls: ledger.deniedCalls,
      failedCalls: ledger.failedCalls,
      openTodos: ledger.openTodos,
      failedAgents: ledger.failedAgents,
      failedCommand: lastFailure(ledger),
    }
  );
}

/**
 * The last command that failed and was not repeated with success. Tools that look for something
 * fail when they find nothing.
 */
function lastFailure({ commands }: Ledger): RunFacts["failedCommand"] {
  const failed = commands.findLast(
    ({ command, exitCode, order }) =>
      exitCode !== 0 &&
      exitCode !== null &&
      !looksOnly(command) &&
      !commands.some(
        (later) => later.order > order && later.exitCode === 0 && later.command === command,
      ),
  );
  return failed && { command: failed.command, exitCode: failed.exitCode! };
}

/** Applies what can be put right without asking; a correction that does not verify is none. */
function correct(
  text: string,
  { checks, repo }: CollectedChecks,
): { checks: AssessedCheck[]; corrected: string | null } {
  const possible = checks.flatMap((check) => correctionOf(check) ?? []);
  if (possible.length === 0) return { checks, corrected: null };
  const standing = new Set(
    verifyReport(applyCorrections(text, possible), { reader: repo })
      .checks.filter(({ verdict }) => verdict === "verified")
      .map((check) => check.text),
  );
  const kept = new Map<string, Correction>(
    possible.filter((one) => standing.has(one.text)).map((one) => [one.id, one]),
  );
  if (kept.size === 0) return { checks, corrected: null };
  return {
    checks: checks.map((check) =>
      kept.has(check.id) ? { ...check, corrected: kept.get(check.id)!.text } : check,
    ),
    corrected: applyCorrections(text, [...kept.values()]),
  };
}

const tickViolations = (ticks: readonly ComputedTick[]): Violation[] =>
  falseTicks(ticks).map(({ label }) => ({
    level: "L1",
    rule: "false-tick",
    message: `"${label}" is ticked, and the files contradict it`,
  }));
