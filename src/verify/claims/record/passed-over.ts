// What a message passes over in silence: the last run of a check or a delivery failed, nothing was changed
// or run with success after it, and no word of the message tells of any trouble.
import type { CommandRun } from "../../evidence/command-runs.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { contradicted, type ClaimJudgement } from "../judgement.ts";
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

/** The message has a word of the complaint itself: it tells it, in whatever sentence. */
function repeats(report: string, { output }: CommandRun): boolean {
  const complaints = output.split("\n").filter((line) => complains.test(line));
  const words =
    complaints
      .slice(-6)
      .join(" ")
      .toLowerCase()
      .match(/\p{L}{6,}/gu) ?? [];
  const told = new Set(report.toLowerCase().match(/\p{L}{6,}/gu) ?? []);
  return words.some((word) => told.has(word));
}

const complains =
  /\b(?:error|fail\w*|denied|invalid|cannot|not|refused|unable|no such|timed out|unknown|missing|rejected)\b/i;

/** The last thing that was executed at all, by a program of no known kind. */
function lastFailed({ ledger, record }: ResultSetting): CommandRun | undefined {
  const last = record.recognitions.findLast(({ recognition }) => recognition.executes);
  if (!last || last.recognition.unknown === null || (last.run.exitCode ?? 0) === 0)
    return undefined;
  const isLater = ledger.edits.some(({ order }) => order > last.run.order);
  return isLater ? undefined : last.run;
}

export function passedOver(report: string, setting: ResultSetting): PassedOver[] {
  const { ledger, record } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  const failure =
    record.runs.findLast(
      (one) =>
        one.ending === "failed" &&
        one.proof === "own" &&
        (one.run.exitCode !== 0 || (one.run.tests?.failed ?? 0) > 0) &&
        !isAnswered(one, setting) &&
        editAfter(one, ledger.edits) === undefined,
    )?.run ?? lastFailed(setting);
  if (!failure) return [];
  const statements = statementsOf(report).filter(({ kind }) => kind !== "fence");
  if (setting.admitted.trouble || statements.some(tellsTrouble)) return [];
  if (repeats(report, failure)) return [];
  const told = statements.find(
    (statement) =>
      !isAside(statement) && !standsAhead(statement.under) && !isAhead(statement.words),
  );
  if (!told) return [];
  const code = failure.exitCode ? ` (exit code ${failure.exitCode})` : "";
  const reason = `recorded: ${commandWords(failure.command)} failed${code}, and the message does not tell it`;
  return [{ span: told.span, judged: contradicted(reason) }];
}
