// Asks the person at the terminal an agent's questions: with its suggestions, or for an answer in
// the person's own words.
import { oneLine, printable } from "../../base/text/printable.ts";
import type { Answerer, UserQuestion } from "../../manager/session/asker.ts";
import { interruptRun } from "./interrupt-run.ts";
import { loadPrompts } from "../load-prompts.ts";

const ownWords = "\u0000own";

/**
 * `pause` clears the status line and returns the function that restores it. Ctrl+C at a question
 * stops the run.
 */
export function answerTerminal(pause: () => () => void): Answerer {
  return async (questions, signal) => {
    const resume = pause();
    try {
      const answers: string[] = [];
      for (const question of questions) {
        const answer = await askOne(question, signal);
        if (answer === undefined) {
          await interruptRun(signal);
          return undefined;
        }
        answers.push(answer);
      }
      return answers;
    } finally {
      resume();
    }
  };
}

/** An agent's text is cleaned before it reaches the terminal; the labels are returned unchanged. */
async function askOne(
  { question, options = [], multiSelect }: UserQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { isCancel, multiselect, select, text } = await loadPrompts();
  const common = { message: printable(question), output: process.stderr, signal };
  const inWords = async (): Promise<string | undefined> => {
    const answer = await text(common);
    return isCancel(answer) ? undefined : answer;
  };
  if (options.length === 0) return inWords();
  const choices = options.map(({ label, description }) => ({
    value: label,
    label: oneLine(label, 100),
    ...(description === undefined ? {} : { hint: oneLine(description, 200) }),
  }));
  if (multiSelect) {
    const chosen = await multiselect<string>({ ...common, options: choices, required: false });
    return isCancel(chosen) ? undefined : chosen.join(", ") || "none of them";
  }
  const chosen = await select<string>({
    ...common,
    options: [...choices, { value: ownWords, label: "Something else" }],
  });
  if (isCancel(chosen)) return undefined;
  return chosen === ownWords ? inWords() : chosen;
}
