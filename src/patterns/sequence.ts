// Phases one after another, each seeing only the summary of the one before. A failed validation sends the writer back, at most as often as the policy says.
// What an earlier life has on record is gone through again by the same rules, without running it.
import { counted } from "../base/text/grouped.ts";
import { oneLine } from "../base/text/printable.ts";
import { blockerWords, errorWords } from "../contract/failure.ts";
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
import { lossWords, noAnswer, outputOf, phaseRecordOf } from "./phase-record.ts";

/** What `sequence` takes. */
export type SequencePlan = {
  task: FlowTask;
  phases: readonly Phase[];
  ports: FlowPorts;
  policy?: FlowPolicy;
  /** What comes from before the first phase. */ previous?: PhaseOutput | null;
};

type Progress = {
  records: PhaseRecord[];
  warnings: string[];
  constraints: Map<string, string[]>;
  repairs: number;
  /** How often a person was asked after the last repair. */ asked: number;
  carried: PhaseOutput | null;
  /** What a person settled on the way. */ answers: string[];
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
  const progress: Progress = {
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
    const known =
      phase && finished.length > 0
        ? replayed(finished, { index, phases, policy, progress })
        : undefined;
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
    const end = endOf(phase, { entry, delivered, progress });
    if (end) return end;
    if (index < phases.length - 1 && (await ports.confirm?.(entry)) === false)
      return {
        decision: "STOP",
        phases: progress.records,
        warnings: progress.warnings,
        reason: `a person stopped the flow after ${phase.name}`,
        suggestion: "resume it to go on",
      };
  }
  return { decision: "PROCEED", phases: progress.records, warnings: progress.warnings };
}

/** Second looks come before the phase that would build on what they look at. What two agents see differently is a person's to settle. */
async function looks(
  progress: Progress,
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

type Setting = { index: number; phases: readonly Phase[]; policy: FlowPolicy; progress: Progress };

/** Where to go on after the next entry on record; undefined when this phase has to be run. */
function replayed(finished: PhaseRecord[], setting: Setting): number | undefined {
  const { index, phases, progress } = setting;
  const phase = phases[index]!;
  const at = phases.findIndex(({ name }) => name === finished[0]!.phase);
  // A line is missing in between. That something follows it proves that it was there: nothing is run again for it.
  if (at > index || (at >= 0 && at < index && phase.repairs === phases[at]!.name)) {
    progress.warnings.push(`${phase.name} was finished, but its record cannot be read`);
    return at > index ? index + 1 : goneBack([], at, setting);
  }
  if (at < index) return void (finished.length = 0);
  const entry = finished.shift()!;
  const next = passed(entry, setting);
  if (next < index) return next;
  const target = repairTarget(entry, setting);
  // Beyond the rounds of the policy: a person had sent it back.
  if (target !== undefined && finished[0]?.phase === phases[target]!.name)
    return goneBack(entry.issues, target, setting);
  if (entry.status === "skipped" || (entry.status === "done" && entry.decision === "PROCEED"))
    return index + 1;
  // What had stopped or had questions is run again, now that a person had a look; and it may be repaired anew.
  progress.records.pop();
  progress.repairs = 0;
  return index;
}

/** Takes note of a phase that has an answer; gives its own place, or the place to go back to when its STOP is a failure that another phase can repair. */
function passed(entry: PhaseRecord, setting: Setting): number {
  const { index, phases, policy, progress } = setting;
  const phase = phases[index]!;
  progress.records.push(entry);
  if (entry.status === "skipped")
    progress.warnings.push(`Agent ${phase.agent} failed, results may be incomplete`);
  if (entry.status !== "done") return index;
  const target = repairTarget(entry, setting);
  if (target !== undefined && progress.repairs < policy.repairRounds)
    return goneBack(entry.issues, target, setting);
  if (entry.decision === "PROCEED") progress.carried = outputOf(entry, progress.carried);
  return index;
}

/** The place of the phase that can repair what this one stopped for. */
function repairTarget(entry: PhaseRecord, { index, phases }: Setting): number | undefined {
  if (entry.status !== "done" || entry.decision !== "STOP") return undefined;
  const target = phases.findIndex(({ name }) => name === phases[index]!.repairs);
  return target >= 0 && target < index ? target : undefined;
}

/** After the last round of repair a person sees what there is, and may send it back once more. */
async function sentBackByPerson(
  entry: PhaseRecord,
  setting: Setting,
  { ask }: FlowPorts,
): Promise<number> {
  const { index, phases, policy, progress } = setting;
  const target = repairTarget(entry, setting);
  if (target === undefined || progress.asked >= policy.clarifyRounds) return index;
  const { name, agent } = phases[target]!;
  const left = progress.records.findLast(({ phase }) => phase === name)?.context_summary ?? "";
  progress.asked += 1;
  const answers = await ask?.(
    [
      `${entry.phase} still fails after ${counted(progress.repairs, "repair")} by ${agent}: ` +
        `${entry.issues.slice(0, 10).join("; ") || entry.context_summary}. ` +
        (left.trim() === "" ? "" : `${agent} said last: ${left.trim().slice(0, 500)}`) +
        `\nWhat should ${agent} do differently in one more try? Leave it empty to stop here.`,
    ],
    entry.phase,
  );
  const hint = answers?.[0]?.trim() ?? "";
  return hint === "" ? index : goneBack([...entry.issues.slice(0, 19), hint], target, setting);
}

function goneBack(
  issues: readonly string[],
  target: number,
  { phases, policy, progress }: Setting,
): number {
  progress.repairs += 1;
  progress.constraints.set(phases[target]!.name, [
    `The check after your change failed (${progress.repairs} of ${Math.max(progress.repairs, policy.repairRounds)}). Repair this:`,
    ...issues.slice(0, 20),
  ]);
  return target;
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
  const named = oneLine(
    [...(entry.blockers ?? []).map(blockerWords), ...entry.issues].slice(0, 3).join("; "),
    300,
  );
  const what = named === "" ? "" : ` (${named})`;
  if (phase.repairs !== undefined)
    return `look at the failures yourself${what}: ${phase.repairs} could not repair them${repairs > 0 ? ` after ${counted(repairs, "repair")}` : ""}`;
  return `settle what ${phase.agent} names${what}, then run the flow again`;
}

function endOf(
  phase: Phase,
  { entry, delivered, progress }: { entry: PhaseRecord; delivered: Delivered; progress: Progress },
): Outcome | undefined {
  const { records: phases, warnings } = progress;
  if (delivered.questions)
    return {
      decision: "CLARIFY",
      phases,
      warnings,
      questions: delivered.questions,
      reason: `${phase.agent} has questions`,
      suggestion:
        'resume the flow with an answer to each, "QUESTION=ANSWER", or with the options that they name',
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
