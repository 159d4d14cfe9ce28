// Independent tasks side by side: bounded, each with its own task id, every result kept. One that
// throws or runs out of time is a failed check, not the end of the others.
import { limits } from "../base/limits.ts";
import {
  foldChecks,
  type CheckResult,
  type FoldedChecks,
  type FoldRule,
} from "../contract/aggregate/fold-checks.ts";
import { foldDecisions } from "../contract/axes.ts";
import { checkPlan } from "./check-plan.ts";
import {
  crossResult,
  keepReport,
  crossVerify,
  openCross,
  withLooks,
  type CrossState,
} from "./cross-verify.ts";
import { deliver } from "./deliver.ts";
import {
  usualPolicy,
  type FlowPolicy,
  type FlowPorts,
  type FlowResult,
  type FlowTask,
  type Phase,
  type PhaseRecord,
} from "./flow.ts";
import { phaseRecordOf } from "./phase-record.ts";

/** What `parallel` takes. */
export type ParallelPlan = {
  task: FlowTask;
  phases: readonly Phase[];
  ports: FlowPorts;
  policy?: FlowPolicy;
  rule?: FoldRule;
  maxConcurrent?: number;
};

/** What `parallel` returns. */
export type ParallelResult = FoldedChecks &
  Pick<FlowResult, "phases" | "warnings" | "aggregate" | "second_looks">;

type Result = { check: CheckResult; entry: PhaseRecord };

/** Runs phases side by side and merges their reports. */
export async function parallel({
  task,
  phases,
  ports,
  policy = usualPolicy,
  rule = "all_must_pass",
  maxConcurrent = limits.run.maxConcurrent,
}: ParallelPlan): Promise<ParallelResult> {
  checkPlan("parallel", { task, phases, ports });
  const cross = openCross(ports);
  const results: Result[] = [];
  const finished = new Map(
    (ports.finished ?? []).map((entry) => [`${entry.phase} ${entry.agent}`, entry]),
  );
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < phases.length; index = next++) {
      const phase = phases[index]!;
      const known = finished.get(`${phase.name} ${phase.agent}`);
      results[index] = known
        ? { entry: known, check: checkOf(known) }
        : await runOne(phase, { task, ports, policy, cross });
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, phases.length) }, work));
  const folded = foldChecks(
    results.map(({ check }) => check),
    rule,
  );
  // Whatever they decided together: what one of them reports alone and badly evidenced is looked at again.
  const { questions } = await crossVerify(cross, { task, ports, policy });
  return {
    ...folded,
    decision: foldDecisions([folded.decision, ...questions.map(() => "CLARIFY" as const)]),
    questions: [...folded.questions, ...questions],
    phases: withLooks(
      results.map(({ entry }) => entry),
      cross,
    ),
    ...crossResult(cross),
  };
}

async function runOne(
  phase: Phase,
  flow: { task: FlowTask; ports: FlowPorts; policy: FlowPolicy; cross: CrossState },
): Promise<Result> {
  try {
    const delivered = await deliver(
      phase,
      { task: flow.task, previous: null, constraints: [] },
      flow,
    );
    const entry = phaseRecordOf(phase, delivered);
    await flow.ports.record(entry, delivered.delivery.report);
    keepReport(flow.cross, entry, delivered.delivery.report);
    return {
      entry,
      check: {
        ...checkOf(entry),
        findings: delivered.delivery.response?.findings ?? {},
        issues: delivered.delivery.response?.issues ?? entry.issues,
      },
    };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const entry: PhaseRecord = {
      phase: phase.name,
      agent: phase.agent,
      task_id: flow.ports.newTaskId(phase.name),
      run_ids: [],
      status: "failed",
      decision: "STOP",
      context_summary: words,
      files: [],
      issues: [`${phase.agent}: ${words}`],
      outcome: "FAILED",
      trust: "UNVERIFIED",
    };
    await flow.ports.record(entry);
    return { entry, check: checkOf(entry) };
  }
}

const checkOf = ({ findings = {}, ...entry }: PhaseRecord): CheckResult => ({
  task_id: entry.task_id,
  phase: entry.phase,
  decision: entry.decision,
  findings,
  issues: entry.issues,
  ...(entry.questions ? { questions: entry.questions } : {}),
});
