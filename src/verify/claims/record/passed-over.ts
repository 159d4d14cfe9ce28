// What a message passes over in silence: the last run of a check or a delivery failed, nothing was changed
// or run with success after it, and no word of the message tells of any trouble.
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { failedRun, type ClaimJudgement } from "../judgement.ts";
import { editAfter } from "../runs/edit-after.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAside } from "../words/is-asserted.ts";
import { isAhead, noTrouble, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Statement } from "../words/statements.ts";

export type PassedOver = { span: [number, number]; judged: ClaimJudgement };

/** Something that may be the same went well later. */
const isAnswered = (one: RecordedRun, { record }: ResultSetting): boolean =>
  record.recognitions.some(
    ({ run, recognition }) =>
      run.order > one.run.order && run.exitCode === 0 && recognition.unknown !== null,
  ) ||
  record.runs.some(
    ({ run, ending, subjects }) =>
      run.order > one.run.order &&
      ending !== "failed" &&
      subjects.some((subject) => one.subjects.includes(subject)),
  );

/** Any word that something is not as it should be, however small. */
const hedges = anyPhrase([
  "but|however|although|though|because|except|apart from|still|left|remaining|remains?|open|only|one thing",
  "complain\\p{L}*|warn\\p{L}*|offen[cs]es?|non-?zero|nonzero|exit(?:s|ed)?|problems?|issues?|trouble|finding\\p{L}*",
  "older|before|already|unrelated|known|flak\\p{L}+|ignor\\p{L}+|unfortunately|sadly|aber|jedoch|mais|pero|mas|но",
  "(?:)(?:但|不过|ただし|しかし)(?:)",
]);

const tellsTrouble = ({ words }: Statement): boolean =>
  tellsFailure(words) || /\?\s*$/.test(words) || words.replace(noTrouble, " ").search(hedges) >= 0;

export function passedOver(report: string, setting: ResultSetting): PassedOver[] {
  const { ledger, record } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  const failure = record.runs.findLast(
    (one) =>
      one.ending === "failed" &&
      one.proof === "own" &&
      !isAnswered(one, setting) &&
      editAfter(one, ledger.edits) === undefined,
  );
  if (!failure) return [];
  const statements = statementsOf(report).filter(({ kind }) => kind !== "fence");
  if (setting.admitted.trouble || statements.some(tellsTrouble)) return [];
  const told = statements.find(
    (statement) =>
      !isAside(statement) && !standsAhead(statement.under) && !isAhead(statement.words),
  );
  if (!told) return [];
  const { run } = failure;
  const code = run.exitCode ? ` (exit code ${run.exitCode})` : "";
  const reason = `recorded: ${commandWords(run.command)} failed${code}, and the message does not tell it`;
  return [{ span: told.span, judged: failedRun(reason) }];
}
