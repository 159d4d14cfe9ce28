// Asks the person at the terminal a flow's questions. Ctrl+C ends the flow; Esc leaves its
// questions open.
import type { PhaseRecord } from "../../patterns/flow.ts";
import type { Io } from "../io.ts";

/** Undefined if the person gives up: then the flow stops with its questions. */
export async function askQuestions(
  io: Io,
  phase: string,
  questions: readonly string[],
): Promise<string[] | undefined> {
  const { typeText } = await import("./choose.ts");
  const answers: string[] = [];
  for (const question of questions) {
    const answer = await typeText(io, { message: `${phase}: ${question}` }).catch(
      unlessInterrupted,
    );
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return answers;
}

/** The flow is stopped by the signal that Ctrl+C gave; what it has so far is kept. */
async function unlessInterrupted(error: unknown): Promise<undefined> {
  const { Interrupted } = await import("./show-prompt.ts");
  if (!(error instanceof Interrupted)) throw error;
}

export async function confirmPhase(io: Io, { phase }: PhaseRecord): Promise<boolean> {
  const { confirm } = await import("./choose.ts");
  return (await confirm(io, `Continue after ${phase}?`).catch(unlessInterrupted)) === true;
}
