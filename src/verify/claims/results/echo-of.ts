// Whether a message tells of a run that failed: a sentence speaks of something that went wrong or was not
// done, and names what the run worked on or complained about.
import type { CommandRun } from "../../evidence/command-runs.ts";
import { tellsFailure } from "../words/says-done.ts";
import type { Stances } from "../stance/stances-of.ts";
import type { Statement } from "../words/statements.ts";

const longestRead = 4_000;

/** Words that any run or any failure may have. */
const common = new Set(
  (
    "error errors failed failure failing fails test tests exit code line file files with from that this the and for " +
    "not was were run runs running command found build check checks passed pass expected received actual true false " +
    "null undefined module package version project task tasks main index node python"
  ).split(" "),
);

/** Words and names of a text that not every run has. */
export const tellingWords = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\d_@-]+(?:[./:][\p{L}\d_@-]+)*/gu) ?? []).filter(
      (word) => (word.length > 3 || /\d/.test(word)) && !common.has(word) && word !== "0",
    ),
  );

/** How plainly the sentences tell of trouble with what the run worked on or complained about. */
export function echoOf(
  { statements, of }: Stances,
  { command, output }: CommandRun,
  isMeant: (statement: Statement) => boolean,
): number {
  const known = [...tellingWords(`${command}\n${output.slice(-longestRead)}`)];
  return statements
    .filter((statement) => isMeant(statement) && tellsFailure(statement.words))
    .filter(({ words, clauses }) =>
      [...tellingWords([words, ...clauses.flatMap(({ code }) => code)].join(" "))].some((word) =>
        known.some((one) => one === word || (one.length > 3 && word.startsWith(one))),
      ),
    )
    .flatMap((statement) => statement.clauses.map((clause) => of(statement, clause).bad))
    .reduce((most, one) => Math.max(most, one), -Infinity);
}
