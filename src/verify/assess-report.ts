// From a report to something that can be trusted: every claim checked, every finding graded, the confidence computed, the outcome lowered where the evidence says so.
import { maskSecrets } from "../base/secrets/find-secrets.ts";
import { decisionOf, type Decision, type Outcome } from "../contract/axes.ts";
import {
  caps,
  computeConfidence,
  findingGrade,
  reportGrade,
  trustOf,
  type GradedClaim,
  type GradedFinding,
} from "../contract/grades.ts";
import { lintReport, type RunFacts, type Violation } from "../contract/report/lint-report.ts";
import { parsePlacedReport, type PlacedReport } from "../contract/report/parse-report.ts";
import { isEmptyReport, type Report } from "../contract/report/report.ts";
import { settleDecision } from "../contract/trust/settle-decision.ts";
import { applyCorrections, correctionOf, type Correction } from "./apply-corrections.ts";
import {
  isCountered,
  isUnproven,
  type Assessment,
  type AssessedCheck,
  type AssessedFinding,
  type ComputedTick,
} from "./assessment.ts";
import { checkGiven } from "./check-given.ts";
import { collectChecks, type CheckOptions, type CollectedChecks } from "./collect-checks.ts";
import { computedTicks, falseTicks } from "./computed-ticks.ts";
import { enclosingSymbol } from "./enclosing-symbol.ts";
import { looksOnly } from "./claims/runs/recognise.ts";
import type { Ledger } from "./evidence/ledger.ts";
import { repairTable } from "./repair.ts";
import type { Repository } from "./repository.ts";
import { isFlagged } from "./verdict.ts";
import { uncheckedSentences } from "./unchecked-sentences.ts";
import { countVerdicts, verifyReport } from "./verify-report.ts";

export type AssessOptions = CheckOptions & {
  /** `report` holds the text to the contract's form; `none` only checks what it claims; `auto` decides by whether it has the form. */
  contract?: "report" | "handoff" | "none" | "auto";
};

/** Counts as after repair: what is contradicted now is graded X. Never throws because of what a report, a file or a transcript holds. */
export async function assessReport(text: string, options: AssessOptions): Promise<Assessment> {
  checkGiven("assessReport", text, options);
  const placed = parsePlacedReport(text);
  const { report } = placed;
  const bound =
    options.contract === "report" ||
    (options.contract !== "none" &&
      options.contract !== "handoff" &&
      (report.agent !== null || report.outcome !== null));
  const collected = await collectChecks(text, placed, options);
  const { checks, corrected } = correct(text, collected);
  const findings = gradedFindings(placed, checks, collected.repo);
  const graded = weighed(findings, checks);
  const claims: GradedClaim[] = [
    ...checks.map(({ grade, standing }) => ({ grade, standing })),
    ...findings
      .filter((finding) => finding.checks.length === 0)
      .map(() => ({ grade: "E0" as const, standing: "finding" as const })),
  ];
  const confidence = computeConfidence(
    claims,
    { claimed: report.confidence.score, inferred: report.confidence.inferred },
    Math.min(caps[reportGrade(graded)], checks.some(isCountered) ? caps.E0 : caps.E4),
  );
  const ticks = computedTicks(report, { checks, findings, repo: collected.repo });
  const trust = trustOf(graded, claims);
  const outcome = settleOutcome({ report, checks, bound }, options);
  const contradictedCritical = findings.some(
    ({ severity, grade }) => severity === "critical" && grade === "X",
  );
  const assessment: Omit<Assessment, "repair"> = {
    text,
    report,
    lint: [...(bound ? lintReport(report, runFacts(options)) : []), ...tickViolations(ticks)],
    checks,
    counts: countVerdicts(checks),
    findings,
    trust:
      trust === "VERIFIED" &&
      (collected.undeclared.length > 0 ||
        checks.some(isCountered) ||
        (options.ledger !== undefined && checks.some(isUnproven)))
        ? "MIXED"
        : trust,
    confidence,
    ticks,
    outcome,
    decision: settleDecision(claimedDecision(report, outcome.value), {
      failedChecks: [],
      contradictions: contradictedCritical ? ["the files contradict a critical finding"] : [],
      outcome: outcome.value,
    }),
    undeclared: collected.undeclared,
    corrected,
    withdrawn: [],
    unchecked: uncheckedSentences(text, checks),
    truncated: collected.truncated,
  };
  return { ...assessment, repair: repairTable(assessment) };
}

/** A decision that is there and is none of the three words counts as STOP. */
function claimedDecision(report: Report, outcome: Outcome): Decision {
  if (report.decision !== null) return report.decision;
  if (report.decisionWords !== null) return "STOP";
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

/** The last command that failed and was not repeated with success. Tools that look for something fail when they find nothing. */
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

function gradedFindings(
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
      grade: findingGrade({
        severity: finding.severity,
        grades: [...own, ...about].map(({ grade }) => grade),
      }),
      checks: own.map(({ id }) => id),
      ...place,
      ...lineAt(place, repo),
    };
  });
}

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
): Pick<AssessedFinding, "lineText" | "symbol"> {
  const state = path === null || lines === null ? undefined : repo.open(path);
  if (!state?.ok) return { lineText: "", symbol: null };
  return {
    lineText: maskSecrets(state.file.line(lines![0]).trim().slice(0, 400)),
    symbol: enclosingSymbol(state.file, lines![0]),
  };
}

/**
 * The findings that trust and cap are computed from. What an agent says it did (files, tests, commands) is a finding too: where it is flagged
 * it weighs like an important one; where it holds it counts for reports that have no other findings, as an implementation's.
 */
function weighed(
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

type Judged = { report: Report; checks: readonly AssessedCheck[]; bound: boolean };

function settleOutcome(
  { report, checks, bound }: Judged,
  { ledger }: AssessOptions,
): Assessment["outcome"] {
  const claimed = report.outcome;
  const acted =
    report.fileClaims.some(({ isDone }) => isDone) ||
    checks.some(({ kind, spoken }) => !spoken && (kind === "test" || kind === "command")) ||
    (bound && report.findings.length > 0);
  if (ledger && ledger.effectiveUses === 0 && acted)
    return {
      claimed,
      value: "INVALID",
      reasons: [
        ledger.toolUses === 0
          ? "it claims actions, but no tool was used"
          : "it claims actions, but every tool call was denied or failed",
      ],
    };
  if (bound && isEmptyReport(report))
    return { claimed, value: "INVALID", reasons: ["there is no report that could be read"] };
  const wrong = checks.filter(({ grade }) => grade === "X").length;
  const reasons = [
    ...(wrong > 0
      ? [`${wrong} ${wrong === 1 ? "claim is" : "claims are"} contradicted by the evidence`]
      : []),
    ...(bound && claimed === null ? ["it has no Status"] : []),
  ];
  const value: Outcome =
    claimed === null || claimed === "SUCCESS"
      ? reasons.length > 0
        ? "PARTIAL"
        : "SUCCESS"
      : claimed;
  return { claimed, value, reasons: value === claimed ? [] : reasons };
}

const tickViolations = (ticks: readonly ComputedTick[]): Violation[] =>
  falseTicks(ticks).map(({ label }) => ({
    level: "L1",
    rule: "false-tick",
    message: `"${label}" is ticked, and the files contradict it`,
  }));
