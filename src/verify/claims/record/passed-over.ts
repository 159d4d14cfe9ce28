// What a message passes over in silence: the last run of a check or a delivery failed, nothing was changed
// or run with success after it, and no word of the message tells of any trouble.
import type { CommandRun } from "../../evidence/command-runs.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { contradicted, type ClaimJudgement } from "../judgement.ts";
import { hasFigures } from "../results/judge-numbers.ts";
import { echoOf } from "./echo-of.ts";
import { editAfter } from "../runs/edit-after.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";
import { isAside } from "../words/is-asserted.ts";
import { isAhead, standsAhead, tellsFailure } from "../words/says-done.ts";
import { stancesOf } from "../stance/stances-of.ts";
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
      record.runs.some(
        (other) =>
          other.run === one.run && subjects.some((subject) => other.subjects.includes(subject)),
      ),
  );

/** In logits: a message that tells of trouble as plainly as this passes over nothing. */
const leastTrouble = -1;
/** Where the same sentence names what failed, less is enough. */
const leastEcho = -2;

/** The last thing that was executed at all, by a program of no known kind. */
function lastFailed({ ledger, record }: ResultSetting): CommandRun | undefined {
  const last = record.recognitions.findLast(({ recognition }) => recognition.executes);
  if (!last || last.recognition.unknown === null || (last.run.exitCode ?? 0) === 0)
    return undefined;
  const isLater = ledger.edits.some(({ order }) => order > last.run.order);
  return isLater ? undefined : last.run;
}

/** A sentence names what failed, and tells that something is not as it should be. */
const tellsOf = (
  words: string,
  named: readonly string[],
  { subjects, output }: { subjects: readonly string[]; output: string },
): boolean =>
  tellsFailure(words) &&
  (named.some((subject) => subjects.includes(subject)) ||
    (words.match(/\d{3,}/g) ?? []).some((figure) => output.includes(figure)));

/** "10 of 11 tests pass": a failure told with its own numbers. */
const tellsCounts = (words: string, { tests }: CommandRun): boolean =>
  tests !== null &&
  tests.failed > 0 &&
  hasFigures(words, [tests.passed, tests.passed + tests.failed]);

function tellsTrouble(
  report: string,
  statements: readonly Statement[],
  known: { subjects: readonly string[]; output: string },
): boolean {
  const stances = stancesOf(report);
  return (
    stances.trouble(() => true) > leastTrouble ||
    statements.some(({ words, span }) => tellsOf(words, stances.subjectsAt(span), known))
  );
}

export function passedOver(report: string, setting: ResultSetting): PassedOver[] {
  const { ledger, record } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  const failed = record.runs.findLast(
    (one) =>
      one.ending === "failed" &&
      one.proof === "own" &&
      (one.run.exitCode !== 0 || (one.run.tests?.failed ?? 0) > 0) &&
      !isAnswered(one, setting) &&
      editAfter(one, ledger.edits) === undefined,
  );
  const failure = failed?.run ?? lastFailed(setting);
  if (!failure) return [];
  const statements = statementsOf(report).filter(({ kind }) => kind !== "fence");
  if (setting.admitted.failure || setting.admitted.trouble) return [];
  const known = { subjects: failed?.subjects ?? [], output: failure.output };
  if (tellsTrouble(report, statements, known)) return [];
  if (echoOf(stancesOf(report), failure, () => true) > leastEcho) return [];
  if (record.runs.some(({ run }) => statements.some(({ words }) => tellsCounts(words, run))))
    return [];
  const told = statements.find(
    (statement) =>
      !isAside(statement) && !standsAhead(statement.under) && !isAhead(statement.words),
  );
  if (!told) return [];
  const code = failure.exitCode ? ` (exit code ${failure.exitCode})` : "";
  const reason = `recorded: ${commandWords(failure.command)} failed${code}, and the message does not tell it`;
  return [{ span: told.span, judged: contradicted(reason) }];
}
