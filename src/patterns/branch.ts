// A first look decides the way: an analyzer's finding picks the phases that follow.
import { checkPlan } from "./check-plan.ts";
import { deliver } from "./deliver.ts";
import {
  answerEach,
  usualPolicy,
  type Delivered,
  type FlowPolicy,
  type FlowPorts,
  type FlowResult,
  type FlowTask,
  type Phase,
  type PhaseRecord,
} from "./flow.ts";
import { outputOf, phaseRecordOf } from "./phase-record.ts";
import { sequence } from "./sequence.ts";

export type Complexity = "simple" | "complex";

/** What `branch` takes. */
export type BranchPlan = {
  task: FlowTask;
  analyzer: Phase;
  paths: Readonly<Record<Complexity, readonly Phase[]>>;
  ports: FlowPorts;
  policy?: FlowPolicy;
};

/** One agent rates the task as simple or complex; its answer picks the phases that follow. */
export async function branch({
  task,
  analyzer,
  paths,
  ports,
  policy = usualPolicy,
}: BranchPlan): Promise<FlowResult & { path?: Complexity }> {
  checkPlan("branch", { task, phases: [analyzer], ports });
  for (const phases of [paths?.simple, paths?.complex])
    checkPlan("branch", { task, phases, ports });
  const { entry, rest, delivered } = await analysis({ task, analyzer, paths, ports, policy });
  const held = heldBack(analyzer, entry, delivered);
  if (held) return held;
  const path: Complexity = entry.choice === "simple" ? "simple" : "complex";
  const previous = outputOf(entry, null);
  const result = await sequence({
    task,
    phases: paths[path],
    ports: { ...ports, finished: rest },
    policy,
    previous,
  });
  return { ...result, phases: [entry, ...result.phases], path };
}

/** `rest`: the finished phases behind an analysis that is on record. */
type Analysis = { entry: PhaseRecord; rest: readonly PhaseRecord[]; delivered?: Delivered };

async function analysis(plan: Required<BranchPlan>): Promise<Analysis> {
  const { task, analyzer, ports, policy } = plan;
  // An analysis that stopped or had questions is made again.
  const open = (ports.finished ?? []).findIndex(
    (entry) =>
      entry.phase !== analyzer.name || (entry.status === "done" && entry.decision === "PROCEED"),
  );
  const [known, ...rest] = open < 0 ? [] : ports.finished!.slice(open);
  if (known?.phase === analyzer.name) return { entry: known, rest };
  const delivered = await deliver(
    analyzer,
    { task, previous: null, constraints: [] },
    { ports, policy },
  );
  const choice = complexityOf(delivered.delivery.response?.findings ?? {});
  const entry = { ...phaseRecordOf(analyzer, delivered), choice };
  await ports.record(entry, delivered.delivery.report);
  return { entry, rest: [], delivered };
}

/** The end of a flow whose analysis has questions or does not say PROCEED. */
function heldBack(
  analyzer: Phase,
  entry: PhaseRecord,
  delivered: Delivered | undefined,
): FlowResult | undefined {
  const result = { phases: [entry], warnings: [], second_looks: [] };
  if (delivered?.questions)
    return {
      ...result,
      decision: "CLARIFY",
      questions: delivered.questions,
      reason: `${analyzer.agent} has questions`,
      suggestion: answerEach,
    };
  if (entry.status === "done" && entry.decision === "PROCEED") return undefined;
  return {
    ...result,
    decision: "STOP",
    reason:
      delivered?.delivery.response?.reason ??
      (entry.issues.join("; ") || `${analyzer.agent} says ${entry.decision}`),
    suggestion: `${analyzer.name} failed: describe the task more closely, or choose a pattern yourself`,
  };
}

/** What cannot be read is treated as complex: the longer way is the safer one. */
function complexityOf(findings: Record<string, unknown>): Complexity {
  return findings["complexity"] === "simple" ? "simple" : "complex";
}
