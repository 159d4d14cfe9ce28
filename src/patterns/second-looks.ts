// Which findings deserve a second pair of eyes, whose, and what it is told: the contract's triggers
// as data in, tasks as data out. Bounded, and nothing is looked at twice.
import type { Aggregate, MergedFinding, Trigger } from "../contract/aggregate/aggregate-reports.ts";
import type { Member } from "../contract/aggregate/verified-report.ts";
import type { Phase } from "./flow.ts";

/** One finding that is looked at again. `key` names it across lives of a flow. */
export type SecondLook = {
  key: string;
  finding: MergedFinding;
  triggers: Trigger["kind"][];
  agent: string;
};

export type LookedAt = {
  /** Keys of findings that had their second look. */ keys: ReadonlySet<string>;
  /** Tasks that were second looks. */ tasks: ReadonlySet<string>;
};

export type LookPolicy = {
  /** At most so many in a flow. */ most: number;
  knows?: ((agent: string) => boolean) | undefined;
};

/**
 * The worst finding first. `left`: findings that would deserve one, but the flow's share is used
 * up.
 */
export function planSecondLooks(
  { findings, triggers }: Pick<Aggregate, "findings" | "triggers">,
  looked: LookedAt,
  { most, knows }: LookPolicy,
): { looks: SecondLook[]; left: number } {
  const wanted = findings.flatMap((finding): SecondLook[] => {
    const kinds = triggers
      .filter((trigger) => trigger.finding === finding.id && schedules(trigger.kind, finding))
      .map(({ kind }) => kind);
    const done = finding.members.some(
      (member) => looked.keys.has(keyOf(member)) || looked.tasks.has(member.task_id),
    );
    return kinds.length === 0 || done
      ? []
      : [
          {
            key: keyOf(finding.members[0]!),
            finding,
            triggers: kinds,
            agent: agentFor(finding, knows),
          },
        ];
  });
  const room = Math.max(0, most - looked.keys.size);
  return { looks: wanted.slice(0, room), left: Math.max(0, wanted.length - room) };
}

export const keyOf = ({ task_id, id }: Pick<Member, "task_id" | "id">): string =>
  `${task_id} ${id}`;

/**
 * A note that nobody called a problem is not worth an agent of its own just because one agent
 * alone wrote it.
 */
const schedules = (kind: Trigger["kind"], { severity }: MergedFinding): boolean =>
  kind !== "needs corroboration" || severity === "critical" || severity === "important";

/** The specialist of a project that has one, else the built-in agent of that trade. */
const trades: [RegExp, string[]][] = [
  [/^(?:sec|vuln|owasp|cwe|auth)/, ["security-auditor", "security-scan"]],
  [/^(?:test|qa|coverage)/, ["qa-engineer", "test-runner"]],
  [/(?:)/, ["code-explorer", "Explore"]],
];

/** Another kind of agent than the one that found it, where there is a choice. */
function agentFor({ category, members }: MergedFinding, knows: LookPolicy["knows"]): string {
  const candidates = trades
    .find(([trade]) => trade.test(category))![1]
    .filter((agent, index, all) => knows?.(agent) ?? index === all.length - 1);
  return (
    candidates.find((agent) => members.every((member) => member.agent_type !== agent)) ??
    candidates[0] ??
    "Explore"
  );
}

/** The task of a second look. The claim itself goes along as material, not as an instruction. */
export function lookPhase({ finding, agent }: SecondLook, number: number): Phase {
  const category = /^[\w -]{1,40}$/.test(finding.category)
    ? ` and the category "${finding.category}"`
    : "";
  return {
    name: `verify-${number}`,
    agent,
    required: false,
    expected_output: "structured_findings",
    instructions:
      "Another agent reports what stands under the previous findings. Find out for " +
      "yourself whether it is so: read the place and what uses it, run what can be run, " +
      "and do not take its word for it. Answer with one finding in the form that is asked " +
      "of you (in JSON under findings.findings as {id, title, path, line, quote, category, " +
      "severity, confidence}; in a report as a row with ID, Issue, File:Line, Category, " +
      `Severity, Confidence, and the line quoted), with the same place${category}; the ` +
      "quote is the line as it stands, the confidence from 0 to 100 is your own. If it is " +
      `not so, let the title begin with "No". The decision is PROCEED either way.`,
  };
}

/** What the second agent is told of the finding. */
export function claimOf({ title, severity, path, lines }: MergedFinding): string {
  const place =
    path === null
      ? ""
      : `\nPlace: ${path}${lines === null ? "" : `:${lines[0] === lines[1] ? lines[0] : `${lines[0]}-${lines[1]}`}`}`;
  return `${severity === null ? "" : `${severity}: `}${title.slice(0, 600)}${place}`;
}
