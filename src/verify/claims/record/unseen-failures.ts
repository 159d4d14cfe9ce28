// "It failed before the fix": a failing run that a message tells of as seen, while no run on record failed.
// What a message merely knows of an old failure is no such claim.
import type { ResultSetting } from "../gap-of.ts";
import { unsupported, type ClaimJudgement } from "../judgement.ts";
import { isAside } from "../words/is-asserted.ts";
import { isCheckItem } from "../states/is-check-item.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf, type Statement } from "../words/statements.ts";

export type UnseenFailure = { span: [number, number]; judged: ClaimJudgement };

const failsFirst = anyPhrase([
  "(?:before|without|prior to|reverting|on top of the old) (?:the |my |this |that )?(?:fix|change|patch|edit|code)",
  "before (?:fixing|changing|patching)|on the (?:old|unpatched|original) (?:code|version)",
  "(?:red|fail(?:s|ed|ing)?) (?:first|initially|at first|beforehand)|first (?:red|fail(?:s|ed|ing))",
  "vor (?:dem|der) (?:fix|änderung|korrektur)|ohne (?:den|die) (?:fix|änderung)",
  "avant (?:le correctif|la correction|le fix)|sans (?:le correctif|la correction)",
  "antes (?:del|de la|da|do) (?:arreglo|corrección|cambio|correção|fix)",
]);
const fails = anyPhrase([
  "fail(?:s|ed|ing)?|red|failures?|fehlgeschlagen|schlägt fehl|schlug fehl|rot",
  "échou\\p{L}+|échec|fall\\p{L}+|falh\\p{L}+",
  "(?:)(?:失败|失敗|❌|✗)(?:)",
]);
/** The agent says that it saw it. */
const saw = anyPhrase([
  "(?:i|we|i've|we've) (?:\\p{L}+ )?(?:confirmed|verified|checked|saw|watched|made sure|ran|tested|reproduced)",
  "^(?:confirmed|verified|checked|saw|watched|made sure|ran|reproduced)",
]);
const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

const isTold = (statement: Statement): boolean =>
  statement.kind !== "fence" &&
  !isAside(statement) &&
  has(failsFirst, statement.words) &&
  has(fails, statement.words) &&
  (isCheckItem(statement) || has(saw, statement.words));

export function unseenFailures(report: string, { ledger, record }: ResultSetting): UnseenFailure[] {
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  if (ledger.edits.length === 0 || ledger.toolRuns.length > 0) return [];
  // Whatever ended badly, or may have, can be meant.
  const mayHaveFailed = record.recognitions.some(
    ({ run, recognition }) =>
      run.exitCode !== 0 ||
      recognition.unknown !== null ||
      (run.tests !== null && run.tests.failed > 0),
  );
  if (mayHaveFailed || record.runs.some(({ ending }) => ending !== "passed")) return [];
  return statementsOf(report)
    .filter(isTold)
    .map(({ span }) => ({ span, judged: unsupported("no run on record failed") }))
    .slice(0, 1);
}
