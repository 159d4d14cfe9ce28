// Asks the person at the terminal a flow's questions.
import { printable } from "../../base/text/printable.ts";
import type { PhaseRecord } from "../../patterns/flow.ts";
import type { Io } from "../io.ts";
import { loadPrompts } from "../load-prompts.ts";

/** Undefined if the person gives up: then the flow stops with its questions. */
export async function askQuestions(
  io: Io,
  phase: string,
  questions: readonly string[],
): Promise<string[] | undefined> {
  const { text, isCancel } = await loadPrompts();
  const answers: string[] = [];
  for (const question of questions) {
    const answer = await text({
      message: `${phase}: ${printable(question)}`,
      output: process.stderr,
      signal: io.signal,
    });
    if (isCancel(answer)) return undefined;
    answers.push(answer);
  }
  return answers;
}

export async function confirmPhase(io: Io, { phase }: PhaseRecord): Promise<boolean> {
  const { confirm, isCancel } = await loadPrompts();
  const yes = await confirm({
    message: `Continue after ${phase}?`,
    output: process.stderr,
    signal: io.signal,
  });
  return !isCancel(yes) && yes;
}
