// Phases one after another, each seeing only the summary of the one before. A failed validation
// sends the writer back, at most as often as the policy says.
// What an earlier life has on record is gone through again by the same rules, without running it.
import { counted } from "../base/text/grouped.ts";
import { oneLine } from "../base/text/printable.ts";
import { errorWords } from "../contract/failure.ts";
import { checkPlan } from "./check-plan.ts";
import {
  crossResult,
  isLook,
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
  type Delivered,
  type FlowPolicy,
  type FlowPorts,
  type FlowResult,
  type FlowTask,
  type Phase,
  type PhaseOutput,
  type PhaseRecord,
} from "./flow.ts";
import { lossWords, namedBy, noAnswer, outputOf, phaseRecordOf } from "./phase-record.ts";
import {
  repairRound,
  repairTarget,
  sentBackByPerson,
  type SequenceProgress,
  type Setting,
} from "./repair-rounds.ts";

/** What `sequence` takes. */
export type SequencePlan = {
  task: FlowTask;
  phases: readonly Phase[];
  ports: FlowPorts;
  policy?: FlowPolicy;
  /** What comes from before the first phase. */ previous?: PhaseOutput | null;
};

/** Runs phases one after another; each gets the summary of the one before. */
export async function sequence(plan: SequencePlan): Promise<FlowResult> {
  checkPlan("sequence", plan);
  const cross = openCross(plan.ports);
  const result = await runPhases(plan, cross);
  const { warnings, ...findings } = crossResult(cross);
  return {
    ...result,
    ...findings,
    phases: withLooks(result.phases, cross),
    warnings: [...result.warnings, ...warnings],
  };
}

type Outcome = Omit<FlowResult, "aggregate" | "second_looks">;

async function runPhases(
  { task, phases, ports, policy = usualPolicy, previous = null }: SequencePlan,
  cross: CrossState,
): Promise<Outcome> {
  const progress: SequenceProgress = {
    records: [],
    warnings: [],
    constraints: new Map(),
    repairs: 0,
    asked: 0,
    carried: previous,
    answers: [],
  };
  const finished = (ports.finished ?? []).filter((entry) => !isLook(entry));
  for (let index = 0; index <= phases.length; index++) {
    const phase = phases[index];
    const known = replayed(finished, { index, phases, policy, progress });
    if (known !== undefined) {
      index = known - 1;
      continue;
    }
    const open = await looks(progress, cross, { task, ports, policy });
    if (open) return open;
    if (!phase) break;
    const delivered = await deliver(
      phase,
      {
        task,
        previous: progress.carried,
        constraints: [...progress.answers, ...(progress.constraints.get(phase.name) ?? [])],
      },
      { ports, policy },
    );
    const entry = phaseRecordOf(phase, delivered);
    await ports.record(entry, delivered.delivery.report);
    keepReport(cross, entry, delivered.delivery.report);
    const setting = { index, phases, policy, progress };
    const next = passed(entry, setting);
    const back = next < index ? next : await sentBackByPerson(entry, setting, ports);
    if (back < index) {
      index = back - 1;
      continue;
    }
    const end =
      endOf(phase, { entry, delivered, progress }) ??
      (index < phases.length - 1 ? await stoppedByPerson(entry, progress, ports) : undefined);
    if (end) return end;
  }
  return { decision: "PROCEED", phases: progress.records, warnings: progress.warnings };
}

async function stoppedByPerson(
  entry: PhaseRecord,
  { records, warnings }: SequenceProgress,
  { confirm }: FlowPorts,
): Promise<Outcome | undefined> {
  if ((await confirm?.(entry)) !== false) return undefined;
  return {
    decision: "STOP",
    phases: records,
    warnings,
    reason: `a person stopped the flow after ${entry.phase}`,
    suggestion: "resume it to go on",
  };
}

/**
 * Second looks come before the phase that would build on what they look at. A person settles what
 * two agents see differently.
 */
async function looks(
  progress: SequenceProgress,
  cross: CrossState,
  flow: { task: FlowTask; ports: FlowPorts; policy: FlowPolicy },
): Promise<Outcome | undefined> {
  const { records, questions } = await crossVerify(cross, flow);
  progress.records.push(...records);
  for (const { agent } of records.filter(({ status }) => status !== "done"))
    progress.warnings.push(`Agent ${agent} failed, results may be incomplete`);
  if (questions.length === 0) return undefined;
  const answers = await flow.ports.ask?.(questions, "verify");
  if (answers === undefined)
    return {
      decision: "CLARIFY",
      phases: progress.records,
      warnings: progress.warnings,
      questions,
      reason: "two agents contradict each other",
      suggestion: 'resume the flow with your answer to each, "QUESTION=ANSWER"',
    };
  progress.answers.push(
    ...questions.map((question, index) => `${question} ${answers[index] ?? "no answer"}`),
  );
  return undefined;
}

/** Where to go on after the next entry on record; undefined when this phase has to be run. */
function replayed(finished: PhaseRecord[], setting: Setting): number | undefined {
  const { index, phases, progress } = setting;
  const phase = phases[index];
  if (!phase || finished.length === 0) return undefined;
  const at = phases.findIndex(({ name }) => name === finished[0]!.phase);
  // A line is missing in between. That something follows it proves that it was there: nothing is
  // run again for it.
  if (at > index || (at >= 0 && at < index && phase.repairs === phases[at]!.name)) {
    progress.warnings.push(`${phase.name} was finished, but its record cannot be read`);
    return at > index ? index + 1 : repairRound([], at, setting);
  }
  if (at < index) return void (finished.length = 0);
  const entry = finished.shift()!;
  const next = passed(entry, setting);
  if (next < index) return next;
  const target = repairTarget(entry, setting);
  // Beyond the rounds of the policy: a person had sent it back.
  if (target !== undefined && finished[0]?.phase === phases[target]!.name)
    return repairRound(entry.issues, target, setting);
  if (isPassed(entry)) return index + 1;
  // What had stopped or had questions is run again, now that a person had a look; and it may be repaired anew.
  progress.records.pop();
  progress.repairs = 0;
  return index;
}

const isPassed = ({ status, decision }: PhaseRecord): boolean =>
  status === "skipped" || (status === "done" && decision === "PROCEED");

/**
 * Takes note of a phase that has an answer. Gives its own place, or the place to go back to when
 * its STOP is a failure that another phase can repair.
 */
function passed(entry: PhaseRecord, setting: Setting): number {
  const { index, phases, policy, progress } = setting;
  const phase = phases[index]!;
  progress.records.push(entry);
  if (entry.status === "skipped")
    progress.warnings.push(`Agent ${phase.agent} failed, results may be incomplete`);
  if (entry.status !== "done") return index;
  const target = repairTarget(entry, setting);
  if (target !== undefined && progress.repairs < policy.repairRounds)
    return repairRound(entry.issues, target, setting);
  if (entry.decision === "PROCEED") progress.carried = outputOf(entry, progress.carried);
  return index;
}

/** The end of a phase without an answer: what failed, and what can be done about it. */
function unanswered(
  { agent, name }: Phase,
  { entry, delivered: { delivery } }: { entry: PhaseRecord; delivered: Delivered },
): { reason: string; suggestion: string } {
  if (delivery.reason === "cancelled")
    return { reason: `${agent} was stopped`, suggestion: "resume the flow to go on from here" };
  const tries = entry.run_ids.length > 1 ? " and was tried again" : "";
  const left = entry.context_summary === "" ? "" : "; its partial output is in the record";
  return {
    reason: `${agent} ${noAnswer(delivery)}`,
    suggestion: `${name} failed${tries} (${oneLine(lossWords(delivery), 200)})${left}: try again with a smaller task`,
  };
}

/** What a person can do about a STOP; what blocks it is named with what would remove it. */
function wayOut(phase: Phase, { entry, repairs }: { entry: PhaseRecord; repairs: number }): string {
  const named = oneLine(namedBy(entry).slice(0, 3).join("; "), 300);
  const what = named === "" ? "" : ` (${named})`;
  if (phase.repairs !== undefined)
    return (
      `look at the failures yourself${what}: ${phase.repairs} could not repair them` +
      (repairs > 0 ? ` after ${counted(repairs, "repair")}` : "")
    );
  return `settle what ${phase.agent} names${what}, then run the flow again`;
}

function endOf(
  phase: Phase,
  {
    entry,
    delivered,
    progress,
  }: { entry: PhaseRecord; delivered: Delivered; progress: SequenceProgress },
): Outcome | undefined {
  const { records: phases, warnings } = progress;
  if (delivered.questions)
    return {
      decision: "CLARIFY",
      phases,
      warnings,
      questions: delivered.questions,
      reason: `${phase.agent} has questions`,
      suggestion: answerEach,
    };
  if (entry.status === "skipped" || (entry.status === "done" && entry.decision === "PROCEED"))
    return undefined;
  const { response } = delivered.delivery;
  if (!response)
    return { decision: "STOP", phases, warnings, ...unanswered(phase, { entry, delivered }) };
  const repaired = progress.repairs > 0 ? ` after ${counted(progress.repairs, "repair")}` : "";
  return {
    decision: entry.decision,
    phases,
    warnings,
    reason:
      response.reason ??
      (response.issues.join("; ") ||
        (response.error && errorWords(response.error)) ||
        `${phase.agent} says ${entry.decision}${repaired}`),
    suggestion: wayOut(phase, { entry, repairs: progress.repairs }),
  };
}
