// The last run of a check failed, something was changed after it, and nothing was run again: whoever
// says then that it passes, or that the failure is gone, has not seen it.
import type { ResultSetting } from "../gap-of.ts";
import { commandWords } from "../gap-of.ts";
import { unsupported, type ClaimJudgement } from "../judgement.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, standsAhead } from "../words/says-done.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";
import type { ResultSubject } from "../result-subject.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

export type UnansweredFailure = { span: [number, number]; judged: ClaimJudgement };

const saysOver = anyPhrase([
  "pass(?:es|ing)?(?=$|[.,;:!)]| (?:now|again|too|as well|with|after))(?:)",
  "(?:is|are|was|were)(?: now)? (?:gone|green|fixed|resolved|solved)",
  "no longer (?:fails?|trips?|breaks?|crash\\p{L}*)|works(?: now| again)|succeeds?",
  "(?:builds?|compiles?|packages?|bundles?|links?|assembles?|type-?checks?|lints?)" +
    "(?= (?:cleanly|fine|again|now|without|successfully|ok)|[.,;!])(?:)",
  "(?:build|compilation|lint|type check|types?) (?:is|are) (?:now )?(?:clean|ok|fine)",
  "(?:ist|sind) (?:jetzt |nun )?(?:grün|behoben|weg)|läuft (?:wieder|durch)|bestehen|passent?|pasan|passam",
  "(?:)(?:通过|解决|修复|通ります|直り)(?:)",
]);
const admits =
  /\b(?:not (?:re-?run|run again|verified|tested)|untested|unverified|still fail|haven't|did not|didn't|could not)\b/i;

const checks: ReadonlySet<ResultSubject> = new Set(["tests", "build", "types", "lint"]);

/** The check that failed last, where something was changed and nothing run after it. */
function lastFailure({ ledger, record }: ResultSetting): RecordedRun | undefined {
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return undefined;
  const last = record.runs.findLast(({ subjects }) => subjects.some((one) => checks.has(one)));
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
