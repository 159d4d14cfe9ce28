// The claims of results of a message, each with what the record says of it; what is told in two halves is
// judged once.
import { isFlagged } from "../../verdict.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { isCommandText, unmadeCommand, withRuns } from "../command-claims.ts";
import { recognise } from "../runs/recognise.ts";
import { namedRun } from "../runs/named/named-run.ts";
import { judgeResult } from "../judge-result.ts";
import { inDoubt, notJudged, type ClaimJudgement } from "../judgement.ts";
import { statementsOf } from "../words/statements.ts";
import { findResultClaims, type ResultClaim } from "../words/find-result-claims.ts";

type FoundResult = { claim: ResultClaim; judged: ClaimJudgement };

const noRecord = "there is no record of the run to compare with";

/** Without a setting there is no record. */
export function judgedClaims(report: string, setting: ResultSetting | undefined): FoundResult[] {
  const found: FoundResult[] = [];
  for (const claim of findResultClaims(report)) {
    const judged = setting ? judgeLikely(claim, setting) : notJudged(noRecord);
    if (judged && !found.some((one) => isOtherHalf(one, { claim, judged })))
      found.push({ claim, judged });
  }
  return found;
}

/** "5 passed, 0 failed" is two halves and one result. */
const isOtherHalf = (first: FoundResult, { claim, judged }: FoundResult): boolean =>
  first.claim.subject === claim.subject &&
  first.judged.verdict === judged.verdict &&
  first.claim.span[1] <= claim.span[0] &&
  claim.span[0] - first.claim.span[1] < 3;

/** The command is on record, and its last run went well. */
const hasPassed = (command: string, { ledger }: ResultSetting): boolean =>
  ledger.ran(command).at(-1)?.run.exitCode === 0;

/** A claim that names its command is held against the runs of that command alone. */
function byCommand(claim: ResultClaim, setting: ResultSetting): ClaimJudgement | undefined {
  if (setting.ledger.edits.length === 0) return undefined;
  const command = commandOf(claim, setting.report);
  if (command === undefined) return undefined;
  const { root } = setting.project;
  const shows = recognise(command, root, setting.project).runs.flatMap(({ subjects }) => subjects);
  const named = shows.includes(claim.subject) ? namedRun(command, setting) : undefined;
  return named === undefined || named.found === "made" || named.found === "open"
    ? undefined
    : unmadeCommand({ words: claim.words, command }, named, setting);
}

/** What another command of the same subject showed is not said of the one that is named. */
function ofCommand(claim: ResultClaim, setting: ResultSetting): ResultSetting {
  const command = commandOf(claim, setting.report);
  const named = command === undefined ? undefined : namedRun(command, setting);
  if (named?.found !== "made") return setting;
  const own = withRuns(setting, named.runs);
  return own.record.runs.some(({ subjects }) => subjects.some((one) => one === claim.subject))
    ? own
    : setting;
}

/** In its own words, or in a half that is nothing but code and leads on to it: "`npm run build` – succeeds". */
function commandOf({ span, code, words }: ResultClaim, report: string): string | undefined {
  const own = code.length > 0 && !asksJustBefore(words) ? code : leadBefore(report, span);
  return own.find((one) => one.includes(" ") && isCommandText(one));
}

const asksJustBefore = (words: string): boolean =>
  /(?<![\p{L}])(?:run|use|try|execute|with|via|by|for|of|in|from|like|as|and|or) ?[(:]? ?§/iu.test(
    words,
  );

function leadBefore(report: string, span: [number, number]): readonly string[] {
  const clauses = statementsOf(report).flatMap((statement) => statement.clauses);
  const before = clauses[clauses.findIndex((one) => one.span[0] === span[0]) - 1];
  return before && /^\W*§\W*$/.test(before.words) ? before.code : [];
}

/** What is not sure to be meant is held against nobody while something else that may be meant holds. */
function judgeLikely(claim: ResultClaim, setting: ResultSetting): ClaimJudgement | undefined {
  const judged = byCommand(claim, setting) ?? judgeResult(claim, ofCommand(claim, setting));
  if (!judged || !isFlagged(judged.verdict)) return judged;
  const named = claim.code.find((one) => one.includes(" ") && hasPassed(one, setting));
  if (judged.cause === "never_run" && named !== undefined)
    return inDoubt("named went well", `${commandWords(named)}, which it names, went well`, judged);
  const other = claim.others.find((subject) => {
    const instead = judgeResult({ ...claim, subject }, setting);
    return instead === undefined || !(instead.instead || isFlagged(instead.verdict));
  });
  return other === undefined
    ? judged
    : inDoubt("other subject", `${judged.reason}; it may speak of ${other}`, judged);
}
