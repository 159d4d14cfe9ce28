// What trouble a message tells itself: failing tests, or a check that is red in whatever words. Who tells
// it is not held to have hidden it.
import { checkStems } from "./states/check-stems.ts";
import { goodWords, tellsTrouble } from "./words/good-words.ts";
import { anyPhrase } from "./words/phrase.ts";
import { noTrouble } from "./words/says-done.ts";
import { statementsOf, type Statement } from "./words/statements.ts";

/** `failure`: something of the tests fails; `trouble`: some check or command is not as it should be. */
export type Admitted = { failure: boolean; trouble: boolean };

export function admittedIn(report: string): Admitted {
  const statements = statementsOf(report).filter(({ kind }) => kind !== "fence");
  // Most messages are never asked, and a long one takes its time.
  let trouble: boolean | undefined;
  return {
    failure: statements.some(tellsTests),
    get trouble(): boolean {
      return (trouble ??= statements.some(tellsCheck));
    },
  };
}

const halves = ({ words, clauses }: Statement): string[] =>
  clauses.length === 0 ? [words] : clauses.map((clause) => clause.words);

const tellsTests = (statement: Statement): boolean =>
  /\b(?:tests?|specs?|fail\w*)\b|[❌✗✘]/i.test(statement.words) &&
  halves(statement).some(
    (one) =>
      tellsTrouble(one) &&
      (!isOver.test(one) || /\b(?:as well|too|also|still|already)\b/i.test(one)),
  );

/** A failure that is told as past. */
const isOver = new RegExp(
  "\\b(?:before|previously|formerly|used to|initially|originally|at first|no longer|any ?more|" +
    "(?:was|were) \\w+ing|vorher|avant|antes)\\b",
  "i",
);

/** Words of trouble that no list of good and bad results has. */
const bad = anyPhrase([
  "red|rot|rouges?|roj[oa]s?|vermelh[oa]s?|unhappy|complain\\p{L}*|non-?zero|turned down|objects? to|broken",
  "(?:isn't|aren't|wasn't|weren't|doesn't|don't|didn't|is not|are not|does not|not)(?: \\p{L}+)? " +
    "(?:happy|clean|green|go|pass\\p{L}*|build|compile|succeed|fine|ok|through|work|make it)",
  "(?:lint\\p{L}*|types?|format\\p{L}*|build|tests?|style|environment|check|suite|job|stage)" +
    "(?: \\p{L}+)? (?:isn't|aren't|doesn't|wasn't)",
  "[1-9]\\d* (?:\\p{L}+ )?(?:errors?|offen[cs]es?|problems?|failures?|violations?|findings?)",
  "one (?:\\p{L}+ )?(?:error|offen[cs]e|problem|failure|violation|finding|complaint)",
  "exit(?:s|ed)?(?: with)?(?: code| status)? [1-9]|ends? with [1-9]|ended (?:with [1-9]|red)",
]);

const tellsCheck = (statement: Statement): boolean =>
  isOfCheck(statement) &&
  halves(statement).some((one) => {
    const rest = one
      .replace(noTrouble, " ")
      .replace(goodWords, " ")
      .replace(/\d+ skipped/g, " ");
    return !isOver.test(one) && (tellsTrouble(rest) || rest.search(bad) >= 0);
  });

const isOfCheck = ({ words, clauses }: Statement): boolean =>
  checkStems.some(({ named }) => words.search(named) >= 0) ||
  clauses.some(({ code }) => code.length > 0) ||
  /\b(?:environment|exit|errors?|offen[cs]es?|run)\b/i.test(words);
