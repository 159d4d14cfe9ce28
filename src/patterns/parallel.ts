// Independent tasks side by side: bounded, each with its own task id, every result kept. One that
// throws or runs out of time is a failed check, not the end of the others.
import { limits } from "../base/limits.ts";
import { oneLine } from "../base/text/printable.ts";
import {
  foldChecks,
  type CheckResult,
  type FoldedChecks,
  type FoldRule,
} from "../contract/aggregate/fold-checks.ts";
import { foldDecisions, type Decision } from "../contract/axes.ts";
import { errorWords } from "../contract/failure.ts";
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
  answerEach,
  usualPolicy,
  type FlowPolicy,
  type FlowPorts,
  type FlowResult,
  type FlowTask,
  type Phase,
  type PhaseRecord,
} from "./flow.ts";
import { namedBy, phaseRecordOf } from "./phase-record.ts";

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
  Pick<FlowResult, "phases" | "warnings" | "aggregate" | "second_looks" | "reason" | "suggestion">;

/** `reason`: why it says what it says, where the answer itself gives one. */
type Result = { check: CheckResult; entry: PhaseRecord; reason?: string | undefined };

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
  const decision = foldDecisions([folded.decision, ...questions.map(() => "CLARIFY" as const)]);
  return {
    ...folded,
    decision,
    ...endWords(decision, results, folded),
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
      reason: delivered.delivery.response?.reason,
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

/** Why tasks side by side did not proceed, those with the same reason together, and what to do. */
function endWords(
  decision: Decision,
  results: readonly Result[],
  { checks }: FoldedChecks,
): Pick<FlowResult, "reason" | "suggestion"> {
  if (decision === "PROCEED") return {};
  const held = results.filter(({ entry }) => checks[entry.task_id]?.decision === decision);
  const names = held.map(({ entry }) => entry.phase).join(", ");
  if (decision === "CLARIFY")
    return {
      reason: names === "" ? "two agents contradict each other" : `${names}: open questions`,
      suggestion: answerEach,
    };
  const phasesOf = new Map<string, string[]>();
  for (const result of held) {
    const why = whyStopped(result);
    phasesOf.set(why, [...(phasesOf.get(why) ?? []), result.entry.phase]);
  }
  const failed = new Set(held.flatMap(({ entry }) => namedBy(entry)));
  const what = failed.size === 0 ? "" : ` (${oneLine([...failed].slice(0, 4).join("; "), 300)})`;
  return {
    reason:
      [...phasesOf].map(([why, phases]) => `${phases.join(", ")}: ${why}`).join("; ") ||
      "there are no results",
    suggestion: `settle what failed in ${names || "it"}${what}, then resume the flow: what passed is not run again`,
  };
}

function whyStopped({ entry, reason }: Result): string {
  const { overridden, error, issues, agent, decision } = entry;
  const own = overridden?.why ?? reason ?? (error && errorWords(error)) ?? issues[0];
  return oneLine(own ?? `${agent} says ${decision}`, 400);
}
