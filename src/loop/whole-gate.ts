// The gate as the loop calls it, from its three parts: judging is a step, asking is another, and
// what follows from both is worked out in every process that goes on with the run.
import type { Gate, GateDecision, JudgedCall, SplitGate, RunStep } from "./ports.ts";

/** For a gate outside of any run: nothing is kept. */
export const unkept: RunStep = (_key, work) => work();

export function wholeGate(gate: SplitGate, step: RunStep): Gate {
  const settle = (
    judged: JudgedCall,
    signal: AbortSignal,
  ): GateDecision | Promise<GateDecision> => {
    if (judged.behavior !== "ask") return gate.conclude(judged);
    const asked = step(`ask/${judged.call.toolUseId}`, () => gate.ask(judged, signal));
    return Promise.resolve(asked).then((answer) => gate.conclude(judged, answer));
  };
  return (call, signal) => {
    const judged =
      step === unkept
        ? gate.judge(call, signal)
        : step(`gate/${call.toolUseId}`, () => gate.judge(call, signal));
    return judged instanceof Promise
      ? judged.then((known) => settle(known, signal))
      : settle(judged, signal);
  };
}
