// Judges "it works now" by what was executed after the last change, and coverage by what a run printed.
import type { Ledger } from "../evidence/ledger.ts";
import { gapOf, commandWords, type ResultSetting } from "./gap-of.ts";
import { contradicted, executed, notJudged, onRecord, outdated, unsupported } from "./judgement.ts";
import type { ClaimJudgement } from "./judgement.ts";
import { editAfter } from "./runs/edit-after.ts";
import type { Record } from "./runs/recorded-runs.ts";
import type { ResultClaim } from "./words/find-result-claims.ts";
import type { ResultSubject } from "./words/subject-words.ts";

/** A run of the thing itself after the last change; what it showed is for the reader to compare. */
export function judgeBehaviour(
  claim: ResultClaim,
  setting: ResultSetting,
): ClaimJudgement | undefined {
  const { ledger, record } = setting;
  const first =
    /\b(?:verified|confirmed|validated|tested|checked|reproduced|ran|executed|exercised)\b/i.test(
      claim.words,
    );
  if (!first && ledger.edits.length === 0) return undefined;
  const executions = record.recognitions.filter(
    ({ recognition }) =>
      recognition.executes &&
      (recognition.runs.length === 0 ||
        recognition.runs.some(({ subjects }) =>
          subjects.some((one) => one === "tests" || !still.has(one)),
        )),
  );
  const looked = ledger.toolRuns.length > 0 || ledger.fetches > 0;
  if (executions.length === 0 && looked) return notJudged("another tool may have commandWords it");
  if (executions.length === 0) {
    const gap = gapOf(claim, setting);
    if (gap !== undefined) return notJudged(gap);
    if (record.recognitions.some(({ recognition }) => recognition.runs.length > 0))
      return notJudged("it was built or checked; no run of it is recorded");
    return unsupported("nothing was run in this work: no command on record executes it");
  }
  const last = executions.at(-1)!;
  const edit = editAfter({ run: last.run, ecosystem: "any", folder: "." }, ledger.edits);
  if (edit)
    return outdated(
      `the last run on record is ${commandWords(last.run.command)}; ${edit.path} was changed after it`,
    );
  if (isBroken(claim, executions, ledger))
    return contradicted(`recorded: ${commandWords(last.run.command)} failed`);
  return onRecord(`recorded: ${commandWords(last.run.command)}; what it showed is not compared`);
}

const still: ReadonlySet<ResultSubject> = new Set([
  "types",
  "lint",
  "format",
  "build",
  "commit",
  "push",
  "merge",
  "publish",
  "deploy",
]);

/** Every run after the last edit ended in an error, and the words do not speak of one. */
function isBroken(
  { words }: ResultClaim,
  executions: Record["recognitions"],
  { edits }: Ledger,
): boolean {
  if (/\b(?:error|reject\w*|refus\w*|fail\w*|invalid|exit|throw\w*|4\d\d)\b/i.test(words))
    return false;
  const since = edits.findLast(({ by }) => by !== "Bash")?.order ?? 0;
  const after = executions.filter(({ run }) => run.order > since);
  return (
    after.length > 0 &&
    after.every(
      ({ run }) =>
        (run.exitCode !== 0 && run.exitCode !== null && broken.test(run.output)) ||
        (run.tests !== null && run.tests.failed > 0),
    )
  );
}

const broken = /Traceback|\b(?:Error|Exception|panic|FAIL(?:ED)?|fatal|refused|Segmentation)\b/;

export function judgeCoverage({ words }: ResultClaim, setting: ResultSetting): ClaimJudgement {
  const figure = /(\d{1,3}(?:\.\d+)?) ?(?:%|percent)/i.exec(words)![1]!;
  const runs = setting.record.runs.filter(
    ({ subjects, run }) => subjects.includes("tests") || /coverage|cov\b/.test(run.command),
  );
  const lines = runs.flatMap(({ run }) =>
    run.output.split("\n").filter((line) => isCoverage.test(line)),
  );
  if (lines.length === 0) {
    const gap = gapOf({ ...emptyClaim, words }, setting);
    return gap === undefined ? unsupported("no recorded run shows coverage") : notJudged(gap);
  }
  const near = (value: string): boolean =>
    Number(value) === Number(figure) || Math.round(Number(value)) === Number(figure);
  return lines.some((line) => (line.match(/\d{1,3}(?:\.\d+)?/g) ?? []).some(near))
    ? executed(`a recorded run shows ${figure} %`)
    : contradicted(`recorded: ${lines.at(-1)!.trim().slice(0, 100)}`);
}

const isCoverage =
  /All files|\bTOTAL\b|\bcoverage\b|\b(?:Statements|Lines|Branches|Functions)\s*:/i;
const emptyClaim: ResultClaim = {
  kind: "result",
  subject: "coverage",
  span: [0, 0],
  words: "",
  code: [],
  numbers: null,
  whole: false,
  partly: false,
};
