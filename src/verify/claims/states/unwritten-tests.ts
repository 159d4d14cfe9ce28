// "Added a regression test": told in a run whose every edit is known, and none of them is of a test.
import type { Edit } from "../../evidence/edits.ts";
import type { ResultSetting } from "../gap-of.ts";
import { unsupported } from "../judgement.ts";
import { isTestFile } from "../runs/proof-command.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf } from "../words/statements.ts";
import { isOwnDeed, type UnmadeRun } from "./unmade-runs.ts";
import { knowsEdits } from "./knows-edits.ts";

const said = anyPhrase([
  "(?:^|(?:i|we|i've|we've|and|also|then|have) (?:also |then )?)(?:added|wrote|written|created|introduced)" +
    "(?: (?:a|an|the|one|two|three|\\d+|new|small|unit|regression|integration|extra|more|further|some|" +
    "corresponding|matching|dedicated)){1,4} (?:tests?|specs?|test ?cases?)(?! (?:id|user|account|data|page|env))",
  "(?:^|(?:i|we|i've|we've|and|also|then|have) (?:also |then )?)(?:added|wrote|created|introduced) (?:an?|the) " +
    "(?:[\\p{L}§-]+ ){0,4}with (?:\\p{L}+ ){0,2}tests",
]);

/** A test by its place, or by the words that were written. */
const isOfTest = ({ path, change }: Edit): boolean =>
  isTestFile(path) ||
  /test|spec|__tests__|cypress|e2e|features?\//i.test(path) ||
  change === null ||
  /\b(?:test|it|describe|expect|assert\w*|should|verify|Test)\b|#\[test\]|>>> /.test(change.to);

export function unwrittenTests(report: string, setting: ResultSetting): UnmadeRun[] {
  if (!knowsEdits(setting) || setting.ledger.edits.some(isOfTest)) return [];
  return statementsOf(report)
    .filter(({ kind }) => kind !== "fence")
    .flatMap((statement) =>
      statement.clauses.flatMap((clause) => {
        const at = clause.words.search(said);
        return at >= 0 && isOwnDeed(statement, clause, at)
          ? [{ span: clause.span, judged: unsupported("no write to a test is recorded") }]
          : [];
      }),
    )
    .slice(0, 1);
}
