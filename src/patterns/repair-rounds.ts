// A phase that stopped for a failure goes back to the phase that can repair it: as often as the
// policy says, and once more where a person wants it.
import { counted } from "../base/text/grouped.ts";
import type { FlowPolicy, FlowPorts, Phase, PhaseOutput, PhaseRecord } from "./flow.ts";

export type SequenceProgress = {
  records: PhaseRecord[];
  warnings: string[];
  constraints: Map<string, string[]>;
  repairs: number;
  /** How often a person was asked after the last repair. */ asked: number;
  carried: PhaseOutput | null;
  /** What a person settled on the way. */ answers: string[];
};

export type Setting = {
  index: number;
  phases: readonly Phase[];
  policy: FlowPolicy;
  progress: SequenceProgress;
};

/** The place of the phase that can repair what this one stopped for. */
export function repairTarget(entry: PhaseRecord, { index, phases }: Setting): number | undefined {
  if (entry.status !== "done" || entry.decision !== "STOP") return undefined;
  const target = phases.findIndex(({ name }) => name === phases[index]!.repairs);
  return target >= 0 && target < index ? target : undefined;
}

/** After the last round of repair a person sees what there is, and may send it back once more. */
export async function sentBackByPerson(
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
  return hint === "" ? index : repairRound([...entry.issues.slice(0, 19), hint], target, setting);
}

export function repairRound(
  issues: readonly string[],
  target: number,
  { phases, policy, progress }: Setting,
): number {
  progress.repairs += 1;
  progress.constraints.set(phases[target]!.name, [
    `The check after your change failed (${progress.repairs} of ` +
      `${Math.max(progress.repairs, policy.repairRounds)}). Repair this:`,
    ...issues.slice(0, 20),
  ]);
  return target;
}
