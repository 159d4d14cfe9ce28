// Where reports contradict each other. The source decides where it can; the rest needs a person.
import { axes, type Severity } from "../axes.ts";
import { isAtLeast, type Grade } from "../grades.ts";
import type { Member, VerifiedReport } from "./verified-report.ts";

export type Conflict = {
  kind: "presence" | "verdict" | "severity" | "tests";
  subject: string;
  sides: { agent_id: string; says: string; grade: Grade | null }[];
  /** What the evidence decided, where it could. */
  decided: string | null;
  human_review: boolean;
  /** An undecided conflict about something critical holds everything up. */
  blocks: boolean;
};

const denies = /^(?:no\b|not\b|none\b|absent\b|does not\b|there (?:is|are) no\b)/i;

export function findConflicts(
  reports: readonly VerifiedReport[],
  groups: readonly { id: string; members: readonly Member[] }[],
): Conflict[] {
  return [
    ...groups.flatMap(presence),
    ...groups.flatMap(severity),
    ...verdicts(reports),
    ...tests(reports),
  ].sort((a, b) => (`${a.kind} ${a.subject}` < `${b.kind} ${b.subject}` ? -1 : 1));
}

/** One says that it is there, another at the same place that it is not. */
function presence({ id, members }: { id: string; members: readonly Member[] }): Conflict[] {
  const no = members.filter((member) => denies.test(member.title));
  if (no.length === 0 || no.length === members.length) return [];
  const sides = members.map((member) => ({
    agent_id: member.agent_id,
    says: denies.test(member.title) ? "absent" : "present",
    grade: member.grade,
  }));
  return [
    settle({
      kind: "presence",
      subject: id,
      sides,
      isCritical: members.some((member) => member.severity === "critical"),
    }),
  ];
}

function severity({ id, members }: { id: string; members: readonly Member[] }): Conflict[] {
  const ranks = [
    ...new Set(
      members.flatMap((member) =>
        member.severity ? [axes.severities.indexOf(member.severity)] : [],
      ),
    ),
  ];
  if (ranks.length < 2 || Math.max(...ranks) - Math.min(...ranks) < 2) return [];
  const sides = members
    .filter((member): member is Member & { severity: Severity } => member.severity !== null)
    .map((member) => ({ agent_id: member.agent_id, says: member.severity, grade: member.grade }));
  // How bad something is stands in no file: no evidence decides it.
  return [
    { kind: "severity", subject: id, sides, decided: null, human_review: true, blocks: true },
  ];
}

function verdicts(reports: readonly VerifiedReport[]): Conflict[] {
  const bySubject = new Map<string, Conflict["sides"]>();
  for (const { agent_id, assertions } of reports) {
    for (const { subject, verdict, grade } of assertions) {
      const key = subject.trim().toLowerCase();
      bySubject.set(key, [...(bySubject.get(key) ?? []), { agent_id, says: verdict, grade }]);
    }
  }
  return [...bySubject]
    .filter(([, sides]) => new Set(sides.map(({ says }) => says)).size > 1)
    .map(([subject, sides]) => settle({ kind: "verdict", subject, sides, isCritical: false }));
}

function tests(reports: readonly VerifiedReport[]): Conflict[] {
  const told = reports.flatMap(({ agent_id, tests: numbers }) =>
    numbers
      ? [{ agent_id, says: `${numbers.passed} passed, ${numbers.failed} failed`, grade: null }]
      : [],
  );
  return new Set(told.map(({ says }) => says)).size > 1
    ? [
        settle({
          kind: "tests",
          subject: "test results",
          sides: told,
          isCritical: told.some(({ says }) => !says.endsWith(" 0 failed")),
        }),
      ]
    : [];
}

/** Decided when only one of the answers stands on matched evidence. */
function settle({
  kind,
  subject,
  sides,
  isCritical,
}: Pick<Conflict, "kind" | "subject" | "sides"> & { isCritical: boolean }): Conflict {
  const backed = new Set(
    sides.filter(({ grade }) => grade !== null && isAtLeast(grade, "E2")).map(({ says }) => says),
  );
  const decided = backed.size === 1 ? [...backed][0]! : null;
  const sorted = [...sides].sort((a, b) =>
    `${a.agent_id} ${a.says}` < `${b.agent_id} ${b.says}` ? -1 : 1,
  );
  return {
    kind,
    subject,
    sides: sorted,
    decided,
    human_review: decided === null,
    blocks: decided === null && isCritical,
  };
}
