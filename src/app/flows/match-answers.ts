// Answers to a flow's questions, each brought to the question that it is for. An answer to what was
// never asked is refused: it would bind every phase to come.
import { RetinueError } from "../../base/errors.ts";
import { oneLine } from "../../base/text/printable.ts";

export type AskedQuestions = {
  /** Every question on record. */ asked: readonly string[];
  /** Those that the last life of the flow ended with. */ open: readonly string[];
};

/** Each as `QUESTION=ANSWER` with the whole question; the beginning of one question alone is enough. */
export function matchAnswers(
  given: readonly string[],
  { asked, open }: AskedQuestions,
): readonly string[] {
  return given.map((text) => {
    const found = questionOf(text, open) ?? questionOf(text, asked);
    if (found !== undefined) return found;
    const named = (open.length > 0 ? open : asked).map((one) => `\n  ? ${oneLine(one, 500)}`);
    throw new RetinueError(
      "usage",
      `${JSON.stringify(oneLine(text, 200))} answers no question of this flow. ` +
        (named.length === 0
          ? "It has none: resume it without an answer."
          : `Its questions are:${named.join("")}`),
    );
  });
}

function questionOf(text: string, questions: readonly string[]): string | undefined {
  const plainText = plain(text);
  // A question may have an equals sign of its own: the longest that fits is meant.
  const whole = questions
    .filter((question) => /^ ?=/.test(restAfter(plainText, plain(question))))
    .sort((a, b) => b.length - a.length)[0];
  if (whole !== undefined)
    return `${whole}=${restAfter(plainText, plain(whole)).replace(/^ ?= ?/, "")}`;
  const at = plainText.indexOf("=");
  const begin = plainText.slice(0, Math.max(at, 0)).trim().toLowerCase();
  const fits = questions.filter((question) => plain(question).toLowerCase().startsWith(begin));
  return begin === "" || fits.length !== 1
    ? undefined
    : `${fits[0]}=${plainText.slice(at + 1).trim()}`;
}

const plain = (text: string): string => text.replace(/\s+/g, " ").trim();

/** What follows the question; "" where the text does not begin with it. */
const restAfter = (text: string, question: string): string =>
  text.toLowerCase().startsWith(question.toLowerCase()) ? text.slice(question.length) : "";
