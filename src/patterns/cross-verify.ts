// Runs the second looks that findings call for, on record like any phase, and folds everything that
// was reported into one.
import {
  aggregateReports,
  type Aggregate,
  type MergedFinding,
} from "../contract/aggregate/aggregate-reports.ts";
import type { VerifiedReport } from "../contract/aggregate/verified-report.ts";
import { requestFor } from "./deliver.ts";
import type { Delivery, FlowPolicy, FlowPorts, FlowTask, LookResult, PhaseRecord } from "./flow.ts";
import { holdDelivery } from "./hold-delivery.ts";
import { phaseRecordOf } from "./phase-record.ts";
import { claimOf, keyOf, lookPhase, planSecondLooks, type SecondLook } from "./second-looks.ts";

/**
 * What a flow knows of its findings: the newest report of each phase; `done` are looks, by the key
 * of their finding.
 */
export type CrossState = {
  reports: Map<string, VerifiedReport>;
  done: Map<string, { entry: PhaseRecord; look?: SecondLook }>;
  left: number;
};

/** Looks of an earlier life count: they are not made again. */
export function openCross({
  finished = [],
  reports,
}: Pick<FlowPorts, "finished" | "reports">): CrossState {
  const state: CrossState = { reports: new Map(), done: new Map(), left: 0 };
  for (const entry of finished) {
    keepReport(state, entry, reports?.get(entry.task_id));
    if (entry.verifies !== undefined) state.done.set(entry.verifies, { entry });
  }
  return state;
}

/** A phase that is run again leaves nothing of what it said before. */
export function keepReport(
  { reports }: CrossState,
  { phase, agent }: PhaseRecord,
  report: VerifiedReport | undefined,
): void {
  if (report) reports.set(`${phase} ${agent}`, report);
  else reports.delete(`${phase} ${agent}`);
}

/**
 * The looks of an earlier life come last: their place among the phases is on record, not in
 * memory.
 */
export const withLooks = (phases: readonly PhaseRecord[], { done }: CrossState): PhaseRecord[] => [
  ...phases,
  ...[...done.values()].map(({ entry }) => entry).filter((entry) => !phases.includes(entry)),
];

export const isLook = (entry: PhaseRecord): boolean => entry.verifies !== undefined;

/**
 * Makes the looks that are due, side by side. Returns their records, and the questions of
 * conflicts that nobody but a person can settle.
 */
export async function crossVerify(
  state: CrossState,
  { task, ports, policy }: { task: FlowTask; ports: FlowPorts; policy: FlowPolicy },
): Promise<{ records: PhaseRecord[]; questions: string[] }> {
  const looked = {
    keys: new Set(state.done.keys()),
    tasks: new Set([...state.done.values()].map(({ entry }) => entry.task_id)),
  };
  const { looks, left } = planSecondLooks(aggregateReports([...state.reports.values()]), looked, {
    most: policy.secondLooks,
    knows: ports.knows,
  });
  state.left = policy.secondLooks === 0 ? 0 : left;
  const records = await Promise.all(
    looks.map((look, index) =>
      lookOnce(look, state, { task, ports, number: state.done.size + index + 1 }),
    ),
  );
  const fresh = new Set(looks.map(({ key }) => key));
  // Only what a new look has stirred up is asked about: what a person has seen once does not come again.
  const { findings, conflicts } = aggregateReports([...state.reports.values()]);
  const open =
    looks.length === 0
      ? []
      : conflicts.filter(
          ({ blocks, subject }) =>
            blocks &&
            findings
              .find(({ id }) => id === subject)
              ?.members.some((member) => fresh.has(keyOf(member))),
        );
  return {
    records,
    questions: open.map(({ subject, sides }) => {
      const said = sides.map(
        ({ agent_id, says, grade }) =>
          `${typeOf(state, agent_id)} says ${says} (evidence ${grade ?? "none"})`,
      );
      return `${titleOf(findings, subject)}: ${said.join(", ")}. Which of them holds?`;
    }),
  };
}

async function lookOnce(
  look: SecondLook,
  state: CrossState,
  { task, ports, number }: { task: FlowTask; ports: FlowPorts; number: number },
): Promise<PhaseRecord> {
  const phase = lookPhase(look, number);
  const taskId = ports.newTaskId(phase.name);
  const previous = {
    context_summary: claimOf(look.finding),
    files: look.finding.path === null ? [] : [look.finding.path],
    doubts: [],
  };
  const given = await ports
    .delegate(
      phase.agent,
      requestFor(phase, { task: { feature: task.feature }, previous, constraints: [] }, taskId),
    )
    .catch((error: unknown) => failed(phase.agent, taskId, error));
  const delivery = holdDelivery(given, { taskId, phase });
  const entry: PhaseRecord = {
    ...phaseRecordOf(phase, { delivery, run_ids: delivery.run_ids }),
    verifies: look.key,
  };
  // A second look never decides by itself; and one that fails is a gap, not an obstacle.
  const report =
    delivery.report && delivery.response
      ? { ...delivery.report, required: false, decision: "PROCEED" as const }
      : undefined;
  await ports.record(entry, report);
  state.done.set(look.key, { entry, look });
  keepReport(state, entry, report);
  return entry;
}

const failed = (agent: string, task_id: string, error: unknown): Delivery => ({
  task_id,
  agent,
  run_ids: [],
  state: "failed",
  reason: error instanceof Error ? error.message : String(error),
  outcome: "FAILED",
  response: null,
  partial: "",
  trust: "UNVERIFIED",
  verification: null,
});

const titleOf = (findings: readonly MergedFinding[], id: string): string =>
  findings.find((finding) => finding.id === id)?.title ?? id;
const typeOf = ({ reports }: CrossState, agentId: string): string =>
  [...reports.values()].find(({ agent_id }) => agent_id === agentId)?.agent_type ?? agentId;

export type CrossResult = { aggregate?: Aggregate; second_looks: LookResult[]; warnings: string[] };

/** Everything that was reported, and what the second looks made of it. */
export function crossResult(state: CrossState): CrossResult {
  const aggregate = aggregateReports([...state.reports.values()]);
  const warnings =
    state.left > 0
      ? [
          `${state.left} more ${state.left === 1 ? "finding deserves" : "findings deserve"} a ` +
            "second look; the flow's share is used up",
        ]
      : [];
  const second_looks = [...state.done].map(([key, done]) => resultOf(key, done, aggregate));
  return { ...(aggregate.findings.length > 0 ? { aggregate } : {}), second_looks, warnings };
}

const placeOf = ({ path, lines }: MergedFinding["members"][number]): string | null =>
  path === null ? null : `${path}${lines === null ? "" : `:${lines[0]}`}`;

type Seen = { done: boolean; disputed: boolean; joined: boolean };

function verdictOf({ done, disputed, joined }: Seen): LookResult["verdict"] {
  if (!done) return "failed";
  if (disputed) return "disputed";
  return joined ? "confirmed" : "not confirmed";
}

function resultOf(
  key: string,
  { entry, look }: { entry: PhaseRecord; look?: SecondLook },
  { findings, conflicts }: Aggregate,
): LookResult {
  const group = findings.find(({ members }) => members.some((member) => keyOf(member) === key));
  const joined = group?.members.some((member) => member.task_id === entry.task_id) === true;
  const disputed =
    joined && conflicts.some(({ kind, subject }) => kind === "presence" && subject === group.id);
  const own = group?.members.find((member) => keyOf(member) === key);
  return {
    task_id: entry.task_id,
    agent: entry.agent,
    finding: own?.title ?? key,
    place: own ? placeOf(own) : null,
    triggers: look?.triggers ?? [],
    verdict: verdictOf({ done: entry.status === "done", disputed, joined }),
    confidence: {
      before: look?.finding.confidence ?? own?.confidence ?? null,
      after: group?.confidence ?? null,
    },
  };
}
