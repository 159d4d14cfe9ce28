// Folds reports into one: independent of their order, idempotent, lossless. Agreement counts,
// contradictions are named, nothing at all is STOP.
import {
  axes,
  foldDecisions,
  worstOutcome,
  type Decision,
  type Outcome,
  type Severity,
  type Trust,
} from "../axes.ts";
import { betterGrade, isAtLeast } from "../grades.ts";
import { findConflicts, type Conflict } from "./find-conflicts.ts";
import { pooledConfidence, type ConfidencePolicy, type Expertise } from "./pool-confidence.ts";
import { groupFindings, possible_duplicates, type PossibleDuplicate } from "./group-findings.ts";
import type { Member, VerifiedFinding, VerifiedReport } from "./verified-report.ts";

/** How `aggregateReports` merges and decides. */
export type AggregatePolicy = { confidence?: ConfidencePolicy; expertise?: Expertise };

/** Findings of one place and kind as one; the members keep what each agent said. */
export type MergedFinding = Omit<VerifiedFinding, "line_text" | "symbol"> & { members: Member[] };

export type Trigger = {
  kind: "needs corroboration" | "unverified security claim" | "second agent";
  finding: string;
  reason: string;
};

/** Several reports as one. */
export type Aggregate = {
  outcome: Outcome;
  decision: Decision;
  trust: Trust;
  /** Of the weakest critical or important finding, else of the best one; null where none has any. */
  confidence: number | null;
  findings: MergedFinding[];
  possible_duplicates: PossibleDuplicate[];
  conflicts: Conflict[];
  triggers: Trigger[];
  checks: Record<string, { agent: string; outcome: Outcome; decision: Decision; trust: Trust }>;
  issues: string[];
};

const trustOrder: Trust[] = ["VERIFIED", "MIXED", "UNVERIFIED", "CONTRADICTED"];

/** Merges verified reports: equal findings become one, contradictions are named. */
export function aggregateReports(
  given: readonly VerifiedReport[],
  policy: AggregatePolicy = {},
): Aggregate {
  const reports = canonical(given);
  const members = reports.flatMap(({ findings, agent_id, agent_type, task_id, model }) =>
    findings.map((finding): Member => ({ ...finding, agent_id, agent_type, task_id, model })),
  );
  const findings = numbered(groupFindings(members).map((group) => merge(group.members, policy)));
  const conflicts = findConflicts(reports, findings);
  const required = reports.filter((report) => report.required);
  // An optional agent that failed is a gap that is named, not a reason to stop.
  const heard = reports.filter(
    (report) => report.required || (report.outcome !== "FAILED" && report.outcome !== "INVALID"),
  );
  const blocked = heard.length > 0 && conflicts.some((conflict) => conflict.blocks);
  const decision = foldDecisions([
    ...heard.map((report) => report.decision),
    ...(blocked ? (["CLARIFY"] as const) : []),
  ]);
  return {
    outcome:
      reports.length === 0 ? "INVALID" : worstOutcome(required.map((report) => report.outcome)),
    decision,
    trust: reports
      .map((report) => report.trust)
      .reduce<Trust>(
        (worst, next) => (trustOrder.indexOf(next) > trustOrder.indexOf(worst) ? next : worst),
        reports.length === 0 ? "UNVERIFIED" : "VERIFIED",
      ),
    confidence: confidenceOf(findings),
    findings,
    possible_duplicates: possible_duplicates(findings),
    conflicts,
    triggers: findings.flatMap(triggersOf),
    checks: Object.fromEntries(
      reports.map((report) => [
        report.task_id,
        {
          agent: report.agent_type,
          outcome: report.outcome,
          decision: report.decision,
          trust: report.trust,
        },
      ]),
    ),
    issues: [
      ...new Set(
        reports.flatMap((report) => [
          ...report.issues,
          ...(report.required || report.outcome === "SUCCESS"
            ? []
            : [`Agent ${report.agent_type} failed, results may be incomplete`]),
        ]),
      ),
    ],
  };
}

/** As strong as the weakest of what counts: agreement is in the numbers of the findings already. */
function confidenceOf(findings: readonly MergedFinding[]): number | null {
  const numbers = (list: readonly MergedFinding[]): number[] =>
    list.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  const weighty = numbers(
    findings.filter(({ severity }) => severity === "critical" || severity === "important"),
  );
  if (weighty.length > 0) return Math.min(...weighty);
  const all = numbers(findings);
  return all.length > 0 ? Math.max(...all) : null;
}

/** Sorted, and the same report given twice counts once. */
function canonical(reports: readonly VerifiedReport[]): VerifiedReport[] {
  const keyed = new Map(
    reports.map((report) => [JSON.stringify([report.task_id, report.agent_id, report]), report]),
  );
  return [...keyed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, report]) => report);
}

function merge(given: readonly Member[], policy: AggregatePolicy): Omit<MergedFinding, "id"> {
  const members = [...given].sort(compareMembers);
  const lead = members[0]!;
  const severity =
    axes.severities.find((value) => members.some((member) => member.severity === value)) ?? null;
  return {
    title: lead.title,
    category: lead.category,
    severity,
    confidence: pooledConfidence(members, policy.confidence ?? "pool", policy.expertise),
    grade: members.map((member) => member.grade).reduce(betterGrade),
    path: lead.path,
    lines: lead.lines,
    members,
  };
}

/** The best evidenced and most confident member speaks for the group. */
function compareMembers(a: Member, b: Member): number {
  if (a.grade !== b.grade) return betterGrade(a.grade, b.grade) === a.grade ? -1 : 1;
  if (a.confidence !== b.confidence) return (b.confidence ?? -1) - (a.confidence ?? -1);
  return identity(a) < identity(b) ? -1 : 1;
}

const identity = (member: Member): string =>
  `${member.agent_id} ${member.task_id} ${member.id} ${member.title}`;

/** Worst first; the number is a place in this list, not an identity across runs. */
function numbered(findings: Omit<MergedFinding, "id">[]): MergedFinding[] {
  const rank = (severity: Severity | null): number =>
    severity === null ? axes.severities.length : axes.severities.indexOf(severity);
  const sorted = findings.sort(
    (a, b) =>
      rank(a.severity) - rank(b.severity) ||
      (b.confidence ?? -1) - (a.confidence ?? -1) ||
      (placeOf(a) < placeOf(b) ? -1 : 1),
  );
  return sorted.map((finding, index) => ({ id: `A${index + 1}`, ...finding }));
}

const placeOf = ({ path, lines, category, members }: Omit<MergedFinding, "id">): string =>
  `${path ?? ""}:${String(lines?.[0] ?? 0).padStart(8, "0")} ${category} ${identity(members[0]!)}`;

function triggersOf({ id, grade, category, confidence, members }: MergedFinding): Trigger[] {
  const agents = new Set(members.map((member) => member.agent_id));
  const security = /^(?:sec|security|vuln|owasp|cwe|auth)/.test(category);
  return [
    ...(agents.size === 1 && grade !== "E4"
      ? [
          {
            kind: "needs corroboration" as const,
            finding: id,
            reason: `one source, evidence ${grade}`,
          },
        ]
      : []),
    ...(security && !isAtLeast(grade, "E2")
      ? [
          {
            kind: "unverified security claim" as const,
            finding: id,
            reason: `a security finding with evidence ${grade}`,
          },
        ]
      : []),
    ...(confidence !== null && confidence < 70
      ? [{ kind: "second agent" as const, finding: id, reason: `confidence ${confidence}` }]
      : []),
  ];
}
