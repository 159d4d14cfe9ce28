// Asks the person at the terminal an agent's questions: with its suggestions, or for an answer in
// the person's own words.
import type { Answerer, UserQuestion } from "../../manager/session/asker.ts";
import type { Io } from "../io.ts";
import { choose, chooseSeveral, typeText } from "./choose.ts";
import { Interrupted } from "./show-prompt.ts";

/**
 * `pause` clears the status lines and returns the function that restores them. Ctrl+C at a question
 * stops the run; Esc leaves its questions open.
 */
export function answerTerminal(io: Io, pause: () => () => void): Answerer {
  return async (questions, signal) => {
    const resume = pause();
    try {
      const answers: string[] = [];
      for (const question of questions) {
        const answer = await askOne(question, io, signal);
        if (answer === undefined) return undefined;
        answers.push(answer);
      }
      return answers;
    } catch (error) {
      if (error instanceof Interrupted) return undefined;
      throw error;
    } finally {
      resume();
    }
  };
}

/** The labels are returned unchanged; on the screen they are cleaned. */
async function askOne(
  { question: message, options = [], multiSelect }: UserQuestion,
  io: Io,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (options.length === 0) return typeText(io, { message, signal });
  const choices = options.map(({ label, description }) => ({
    value: label,
    label,
    ...(description === undefined ? {} : { hint: description }),
  }));
  if (multiSelect) {
    const chosen = await chooseSeveral(io, { message, signal, choices });
    return chosen && (chosen.join(", ") || "none of them");
  }
  const ownWords = Symbol("something else");
  const chosen = await choose<string | symbol | undefined>(io, {
    message,
    signal,
    choices: [...choices, { value: ownWords, label: "Something else" }],
    initial: choices[0]!.value,
    onEscape: undefined,
  });
  return chosen === ownWords ? typeText(io, { message, signal }) : (chosen as string | undefined);
}
