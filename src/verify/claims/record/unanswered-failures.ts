// The last run of the tests failed, something was changed after it, and nothing was run again: whoever
// says then that it passes, or that the failure is gone, has not seen it.
import type { ResultSetting } from "../gap-of.ts";
import { commandWords } from "../gap-of.ts";
import { unsupported, type ClaimJudgement } from "../judgement.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, standsAhead } from "../words/says-done.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

export type UnansweredFailure = { span: [number, number]; judged: ClaimJudgement };

const saysOver = anyPhrase([
  "pass(?:es|ing)?(?=$|[.,;:!)]| (?:now|again|too|as well|with|after))(?:)",
  "(?:is|are|was|were)(?: now)? (?:gone|green|fixed|resolved|solved)",
  "no longer (?:fails?|trips?|breaks?|crash\\p{L}*)|works(?: now| again)|succeeds?",
  "(?:ist|sind) (?:jetzt |nun )?(?:grün|behoben|weg)|läuft (?:wieder|durch)|bestehen|passent?|pasan|passam",
  "(?:)(?:通过|解决|修复|通ります|直り)(?:)",
]);
const admits =
  /\b(?:not (?:re-?run|run again|verified|tested)|untested|unverified|still fail|haven't|did not|didn't|could not)\b/i;

/** The run of tests that failed last, where something was changed and nothing run after it. */
function lastFailure({ ledger, record }: ResultSetting): RecordedRun | undefined {
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return undefined;
  const last = record.runs.findLast(({ subjects }) => subjects.includes("tests"));
  if (last?.ending !== "failed") return undefined;
  const isLater = ({ order }: { order: number }): boolean => order > last.run.order;
  const ranLater = record.recognitions.some(
    ({ run, recognition }) =>
      isLater(run) && (recognition.executes || recognition.unknown !== null),
  );
  return ranLater || !ledger.edits.some(isLater) || ledger.toolRuns.some(isLater)
    ? undefined
    : last;
}

const isOver = (statement: Statement, clause: Clause): boolean => {
  const at = clause.words.search(saysOver);
  return at >= 0 && !isAhead(clause.words) && isAsserted(statement, clause, [at, at + 1]);
};

export function unansweredFailures(report: string, setting: ResultSetting): UnansweredFailure[] {
  const last = lastFailure(setting);
  if (!last || admits.test(report)) return [];
  const reason = `recorded: ${commandWords(last.run.command)} failed, and nothing was run after the last change`;
  return statementsOf(report)
    .filter((one) => one.kind !== "fence" && !isAside(one) && !standsAhead(one.under))
    .flatMap((statement) => statement.clauses.filter((clause) => isOver(statement, clause)))
    .map(({ span }) => ({ span, judged: unsupported(reason) }))
    .slice(0, 1);
}
