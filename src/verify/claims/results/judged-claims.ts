// The claims of results of a message, each with what the record says of it; what is told in two halves is
// judged once.
import { isFlagged } from "../../verdict.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { judgeResult } from "../judge-result.ts";
import { inDoubt, notJudged, type ClaimJudgement } from "../judgement.ts";
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

/** What is not sure to be meant is held against nobody while something else that may be meant holds. */
function judgeLikely(claim: ResultClaim, setting: ResultSetting): ClaimJudgement | undefined {
  const judged = judgeResult(claim, setting);
  if (!judged || !isFlagged(judged.verdict)) return judged;
  const named = claim.code.find((one) => one.includes(" ") && hasPassed(one, setting));
  if (judged.cause === "never_run" && named !== undefined)
    return inDoubt("named went well", `${commandWords(named)}, which it names, went well`, judged);
  const other = claim.others.find((subject) => {
    const instead = judgeResult({ ...claim, subject }, setting);
    return instead === undefined || !isFlagged(instead.verdict);
  });
  return other === undefined
    ? judged
    : inDoubt("other subject", `${judged.reason}; it may speak of ${other}`, judged);
}
