// Phases one after another, each seeing only the summary of the one before. A failed validation sends the writer back, at most as often as the policy says.
import { deliver, type Delivered } from "./deliver.ts";
import { filesOf, usualPolicy, type FlowPolicy, type FlowPorts, type FlowResult, type FlowTask, type Phase, type PhaseOutput, type PhaseRecord } from "./flow.ts";

export type SequencePlan = { task: FlowTask; phases: readonly Phase[]; ports: FlowPorts; policy?: FlowPolicy; /** What comes from before the first phase. */ previous?: PhaseOutput | null };

type Progress = { records: PhaseRecord[]; warnings: string[]; constraints: Map<string, string[]>; repairs: number };

export async function sequence({ task, phases, ports, policy = usualPolicy, previous = null }: SequencePlan): Promise<FlowResult> {
  const progress: Progress = { records: [], warnings: [], constraints: new Map(), repairs: 0 };
  let carried = previous;
  const finished = [...(ports.finished ?? [])];
  for (let index = 0; index < phases.length; index++) {
    const phase = phases[index]!;
    const known = takeFinished(finished, phase.name);
    if (known) {
      progress.records.push(known);
      carried = { context_summary: known.context_summary, files: known.files, findings: {} };
      continue;
    }
    const delivered = await deliver(phase, { task, previous: carried, constraints: progress.constraints.get(phase.name) ?? [] }, { ports, policy });
    const entry = recordOf(phase, delivered);
    await ports.record(entry);
    progress.records.push(entry);
    const back = goesBack(phase, { entry, delivered, phases, policy, progress });
    if (back !== undefined) {
      index = back - 1;
      continue;
    }
    const end = endOf(phase, { entry, delivered, progress });
    if (end) return end;
    if (delivered.delivery.response) carried = { context_summary: entry.context_summary, files: entry.files.length > 0 ? entry.files : (carried?.files ?? []), findings: delivered.delivery.response.findings };
    if (index < phases.length - 1 && (await ports.confirm?.(entry)) === false) return { decision: "STOP", phases: progress.records, warnings: progress.warnings, reason: `a person stopped the flow after ${phase.name}`, suggestion: "continue it later with `retinue flow resume`" };
  }
  return { decision: "PROCEED", phases: progress.records, warnings: progress.warnings };
}

/** Only an unbroken run of finished phases counts: what a repair has overtaken is run again. */
function takeFinished(finished: PhaseRecord[], name: string): PhaseRecord | undefined {
  const first = finished[0];
  if (!first || first.phase !== name || first.status !== "done" || first.decision !== "PROCEED") return undefined;
  return finished.shift();
}

export function recordOf(phase: Phase, { delivery, run_ids }: Delivered): PhaseRecord {
  const { response } = delivery;
  return {
    phase: phase.name,
    agent: phase.agent,
    task_id: delivery.task_id,
    run_ids,
    status: response ? "done" : phase.required ? "failed" : "skipped",
    decision: response?.decision ?? "STOP",
    context_summary: response?.context_summary ?? delivery.partial.slice(0, 1_000),
    files: response ? filesOf(response) : [],
    outcome: delivery.outcome,
    trust: delivery.trust,
  };
}

type Turn = { entry: PhaseRecord; delivered: Delivered; progress: Progress };

/** The place to go on from when this phase's STOP is a failure that another phase can repair. */
function goesBack(phase: Phase, { entry, delivered, phases, policy, progress }: Turn & { phases: readonly Phase[]; policy: FlowPolicy }): number | undefined {
  const { response } = delivered.delivery;
  if (phase.repairs === undefined || entry.decision !== "STOP" || !response || progress.repairs >= policy.repairRounds) return undefined;
  const target = phases.findIndex((candidate) => candidate.name === phase.repairs);
  if (target < 0) return undefined;
  progress.repairs += 1;
  progress.constraints.set(phase.repairs, [`The check after your change failed (${progress.repairs} of ${policy.repairRounds}). Repair this:`, ...response.issues.slice(0, 20)]);
  return target;
}

function endOf(phase: Phase, { entry, delivered, progress }: Turn): FlowResult | undefined {
  const { records: phases, warnings } = progress;
  if (delivered.questions) return { decision: "CLARIFY", phases, warnings, questions: delivered.questions, reason: `${phase.agent} has questions`, suggestion: 'answer them with --answer "QUESTION=ANSWER"' };
  if (entry.status === "skipped") {
    warnings.push(`Agent ${phase.agent} failed, results may be incomplete`);
    return undefined;
  }
  const { response, reason } = delivered.delivery;
  if (!response) return { decision: "STOP", phases, warnings, reason: `${phase.agent} gave no usable answer (${reason ?? delivered.delivery.state})`, suggestion: entry.context_summary ? "its partial output is in the record; try again with a smaller task" : "try again with a smaller task" };
  if (entry.decision === "PROCEED") return undefined;
  const repaired = progress.repairs > 0 ? ` after ${progress.repairs} repairs` : "";
  return { decision: entry.decision, phases, warnings, reason: response.reason ?? (response.issues.join("; ") || `${phase.agent} says ${entry.decision}${repaired}`), suggestion: phase.repairs === undefined ? "settle what is named, then run the flow again" : `look at the failures yourself: ${phase.repairs} could not repair them${repaired}` };
}
