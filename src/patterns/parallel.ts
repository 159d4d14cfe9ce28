// Independent tasks side by side: bounded, each with its own task id, every result kept. One that throws or runs out of time is a failed check, not the end of the others.
import { foldChecks, type CheckResult, type FoldedChecks, type FoldRule } from "../contract/aggregate/fold-checks.ts";
import { deliver } from "./deliver.ts";
import { usualPolicy, type FlowPolicy, type FlowPorts, type FlowTask, type Phase, type PhaseRecord } from "./flow.ts";
import { recordOf } from "./sequence.ts";

export type ParallelPlan = { task: FlowTask; phases: readonly Phase[]; ports: FlowPorts; policy?: FlowPolicy; rule?: FoldRule; maxConcurrent?: number };

export type ParallelResult = FoldedChecks & { phases: PhaseRecord[] };

export async function parallel({ task, phases, ports, policy = usualPolicy, rule = "all_must_pass", maxConcurrent = 10 }: ParallelPlan): Promise<ParallelResult> {
  const results: { check: CheckResult; entry: PhaseRecord }[] = [];
  const finished = new Map((ports.finished ?? []).map((entry) => [`${entry.phase} ${entry.agent}`, entry]));
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < phases.length; index = next++) {
      const phase = phases[index]!;
      const known = finished.get(`${phase.name} ${phase.agent}`);
      results[index] = known ? { entry: known, check: checkOf(known) } : await runOne(phase, { task, ports, policy });
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, phases.length) }, work));
  return { ...foldChecks(results.map(({ check }) => check), rule), phases: results.map(({ entry }) => entry) };
}

async function runOne(phase: Phase, flow: { task: FlowTask; ports: FlowPorts; policy: FlowPolicy }): Promise<{ check: CheckResult; entry: PhaseRecord }> {
  try {
    const delivered = await deliver(phase, { task: flow.task, previous: null, constraints: [] }, flow);
    const entry = recordOf(phase, delivered);
    await flow.ports.record(entry);
    return { entry, check: { ...checkOf(entry), findings: delivered.delivery.response?.findings ?? {}, issues: delivered.delivery.response?.issues ?? entry.issues } };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const entry: PhaseRecord = { phase: phase.name, agent: phase.agent, task_id: flow.ports.newTaskId(phase.name), run_ids: [], status: "failed", decision: "STOP", context_summary: words, files: [], issues: [`${phase.agent}: ${words}`], outcome: "FAILED", trust: "UNVERIFIED" };
    await flow.ports.record(entry);
    return { entry, check: checkOf(entry) };
  }
}

const checkOf = ({ task_id, phase, decision, issues, questions }: PhaseRecord): CheckResult => ({ task_id, phase, decision, findings: {}, issues, ...(questions ? { questions } : {}) });
