// Says of every subject in which state the record leaves it, and asks of each sentence only whether it
// calls good what was never run, failed, or is older than the last edit.
import type { ResultSetting } from "../gap-of.ts";
import { judgeResult } from "../judge-result.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { claimIn, isRest } from "../words/find-result-claims.ts";
import { recognise } from "../runs/recognise.ts";
import type { ResultSubject } from "../result-subject.ts";
import { readStates } from "./read-states.ts";
import { readDeliveries } from "./read-deliveries.ts";

export type UnmetClaim = { span: [number, number]; judged: ClaimJudgement };

const isUnmet = ({ verdict }: ClaimJudgement): boolean =>
  verdict === "unsupported" || verdict === "altered" || verdict === "stale";

/** A message about a run that only looked tells how things are, not what came out. */
const didSomething = ({ ledger, record }: ResultSetting): boolean =>
  ledger.edits.length > 0 ||
  record.recognitions.some(({ recognition }) => recognition.executes || recognition.mayWrite);

/** Without an edit, long sentences describe what was looked at. */
const isOwn = (words: string): boolean =>
  words.split(/\s+/).length <= 12 || /\b(?:I|we|I've|ran|executed)\b/i.test(words);

export function unmetStates(report: string, setting: ResultSetting): UnmetClaim[] {
  const { ledger } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  if (!didSomething(setting)) return [];
  const { project } = setting;
  const subjectsOf = (command: string): ResultSubject[] =>
    /\s/.test(command)
      ? recognise(command, project.root, project).runs.flatMap(({ subjects }) =>
          subjects.slice(0, 1),
        )
      : [];
  return [...readStates(report, subjectsOf), ...readDeliveries(report)].flatMap(
    ({ subject, statement, clause }): UnmetClaim[] => {
      if (ledger.edits.length === 0 && !isOwn(clause.words)) return [];
      if (isRest(clause.words, statement.words)) return [];
      const judged = judgeResult(claimIn(statement, clause, subject), setting);
      return judged && isUnmet(judged) ? [{ span: clause.span, judged }] : [];
    },
  );
}
