// Judges "it works now" by what was executed after the last change, and coverage by what a run printed.
import { programsOf } from "../runs/programs-of.ts";
import type { CommandRun } from "../../evidence/command-runs.ts";
import { isPrinter } from "../runs/no-run.ts";
import { ordinaryPrograms } from "../runs/tables/other-programs.ts";
import { gapOf, commandWords, type ResultSetting } from "../gap-of.ts";
import {
  contradicted,
  executed,
  inDoubt,
  notJudged,
  neverRun,
  onRecord,
  outdated,
  unsupported,
} from "../judgement.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { optionGap } from "./judge-named.ts";
import { editAfter } from "../runs/edit-after.ts";
import { showsEnd } from "../runs/output-says.ts";
import type { Record } from "../runs/recorded-runs.ts";
import { tellsRehearsal } from "../is-rehearsal.ts";
import type { ResultClaim } from "../words/find-result-claims.ts";
import type { ResultSubject } from "../result-subject.ts";

/** A run of the thing itself after the last change; what it showed is for the reader to compare. */
export function judgeBehaviour(
  claim: ResultClaim,
  setting: ResultSetting,
): ClaimJudgement | undefined {
  const { ledger, record } = setting;
  const { words } = claim;
  if (tellsRehearsal({ words, code: claim.sentenceCode })) return undefined;
  const isRun = saysRun.test(words);
  const first = isRun || saysTried.test(words);
  if (!isRun && ledger.edits.length === 0) return undefined;
  const executions = record.recognitions.filter(
    ({ recognition }) =>
      recognition.executes &&
      (recognition.runsOther ||
        recognition.runs.length === 0 ||
        recognition.runs.some(({ subjects }) =>
          subjects.some((one) => one === "tests" || !still.has(one)),
        )),
  );
  if (executions.length === 0) return withoutExecution(claim, setting, first);
  const last = executions.at(-1)!;
  const edit = editAfter({ run: last.run, ecosystem: "any", folder: "." }, ledger.edits);
  if (edit)
    return outdated(
      `the last run on record is ${commandWords(last.run.command)}; ${edit.path} was changed after it`,
    );
  if (isBroken(claim, executions, setting))
    return contradicted(`recorded: ${commandWords(last.run.command)} failed`);
  return onRecord(`recorded: ${commandWords(last.run.command)}; what it showed is not compared`);
}

/** Nothing on record executes the thing itself. */
function withoutExecution(
  claim: ResultClaim,
  setting: ResultSetting,
  first: boolean,
): ClaimJudgement {
  const { ledger, record } = setting;
  const named = record.recognitions.find(({ run }) => names(claim, run.command));
  if (named) return onRecord(`recorded: ${commandWords(named.run.command)}`);
  if (ledger.toolRuns.length > 0 || ledger.fetches > 0)
    return notJudged("another tool may have executed it");
  const gap = gapOf(claim, setting);
  if (gap !== undefined) return notJudged(gap);
  const isBuilt = record.recognitions.some(({ recognition }) => recognition.runs.length > 0);
  const none = unsupported(
    `no command on record executes it${isBuilt ? "; it was built or checked, no more" : ""}`,
  );
  return isBuilt && !first
    ? inDoubt("built", "it was built or checked; no run of it is recorded", none)
    : none;
}

/** The sentence names the command, or the one program, that it was checked with. */
const names = ({ sentence, sentenceCode }: ResultClaim, command: string): boolean =>
  sentenceCode.some((one) => one.includes(" ") && command.includes(one)) ||
  programsOf(command, "/").some(
    ({ argv: [name] }) =>
      name != null &&
      name.length > 3 &&
      !ordinaryPrograms.has(name) &&
      sentence
        .toLowerCase()
        .split(/[^\w-]+/)
        .includes(name.toLowerCase()),
  );

const saysRun = new RegExp(
  "\\b(?:ran|re-?ran|executed|started|launched|reproduced)\\b|\\b(?:answers?|responds?) with\\b|relancé|" +
    "ausgeführt|运行|実行",
  "i",
);
const saysTried = new RegExp(
  "\\b(?:verified|confirmed|validated|tested|checked|tried|exercised)\\b|vérifié|verificado|geprüft|" +
    "verifiziert|验证|确认|確認",
  "i",
);

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
  { ledger: { edits }, report }: ResultSetting,
): boolean {
  if (/\b(?:error|reject\w*|refus\w*|fail\w*|invalid|exit|throw\w*|4\d\d)\b/i.test(words))
    return false;
  const since = edits.findLast(({ by }) => by !== "Bash")?.order ?? 0;
  const after = executions.filter(({ run }) => run.order > since);
  const last = after.at(-1)?.run;
  if (last && showsEnd(last.output) && !tellsIt(last.output, report)) return true;
  return (
    after.length > 0 &&
    after.every(
      ({ run }) =>
        (run.exitCode !== null && !isOwnZero(run) && broken.test(run.output)) ||
        isBadStatus(run.output, report) ||
        (run.tests !== null && run.tests.failed > 0),
    )
  );
}

/** The exit code is that of what it did, and good: behind `&` or `|` it is that of another program. */
const isOwnZero = ({ command, exitCode }: CommandRun): boolean => {
  if (exitCode !== 0) return false;
  const doing = programsOf(command, "/").filter(({ argv }) => !isPrinter(argv));
  return doing.length === 0 || doing.some(({ proof }) => proof === "own");
};

/** A word or a figure of its last lines stands in the message. */
const tellsIt = (output: string, report: string): boolean =>
  (
    /\b50\d\b|\(\d+\)|\bcode \d+|\b[A-Z]\w+(?:Error|Exception)\b|not ok \S+/.exec(output) ?? []
  ).some((one) => report.includes(one));

/** The last thing that a request printed is a status of failure, and the message does not tell it. */
function isBadStatus(output: string, report: string): boolean {
  const status = /(?:^|\n)(?:HTTP\/[\d.]+ )?([45]\d\d)(?: [A-Z][\w ]*)?\s*$/.exec(output)?.[1];
  return status !== undefined && !new RegExp(`\\b${status}\\b`).test(report);
}
const broken = /Traceback|\b(?:Error|Exception|panic|FAIL(?:ED)?|fatal|refused|Segmentation)\b/;

export function judgeCoverage(claim: ResultClaim, setting: ResultSetting): ClaimJudgement {
  const { words } = claim;
  // Of "from 91 % to 100 %" the end counts.
  const figures = [...words.matchAll(/(\d{1,3}(?:[.,]\d+)?) ?(?:%|percent)/gi)];
  const told = /\bfrom\b.*\bto\b|→/.test(words) ? figures.at(-1)! : figures[0]!;
  const figure = told[1]!.replace(",", ".");
  const covers = /cov(?:erage)?\b|jacoco|nyc|c8|tarpaulin|simplecov|kover|gcov/i;
  const runs = setting.record.recognitions.filter(
    ({ run, recognition }) =>
      recognition.runs.some(({ subjects }) => subjects.includes("tests")) ||
      (recognition.executes && covers.test(run.command)),
  );
  const lines = runs.flatMap(({ run }) =>
    run.output.split("\n").filter((line) => isCoverage.test(line)),
  );
  if (lines.length === 0) {
    // A report on disk was read by another command: what that printed is not compared.
    const later = setting.ledger.commands.some(({ output }) => output.includes(figure));
    if (later && runs.some(({ run }) => covers.test(run.command)))
      return notJudged("a run made a report on coverage; how its figure was read is not compared");
    const gap = gapOf(claim, setting);
    return gap === undefined ? neverRun("no recorded run shows coverage") : notJudged(gap);
  }
  const near = (value: string): boolean =>
    Math.abs(Number(value) - Number(figure)) < 10 ** -(figure.split(".")[1]?.length ?? 0);
  const last = runs.findLast(({ run }) =>
    run.output.split("\n").some((line) => isCoverage.test(line)),
  );
  const edit =
    last && editAfter({ run: last.run, ecosystem: "any", folder: "." }, setting.ledger.edits);
  // A line of the report for a file that the claim names has its figure.
  const named = last
    ? last.run.output.split("\n").filter((line) => claim.code.some((one) => line.includes(one)))
    : [];
  const shown = [...lines, ...named].some((line) =>
    (line.match(/\d{1,3}(?:\.\d+)?/g) ?? []).some(near),
  );
  if (edit && /\bfrom\b.*\bto\b|→|\bnow\b|\bup\b/i.test(words))
    return outdated(`coverage was measured before ${edit.path} was changed`);
  return shown
    ? executed(`a recorded run shows ${figure} %`)
    : contradicted(`recorded: ${lines.at(-1)!.trim().slice(0, 100)}`);
}

const isCoverage =
  /All files|\bTOTAL\b|\bcoverage\b|\b(?:Statements|Lines|Branches|Functions)\s*:/i;

/** Figures of speed, memory and races: without any run of the thing there are none. */
export function judgeMeasured(
  claim: ResultClaim,
  setting: ResultSetting,
): ClaimJudgement | undefined {
  const { record, ledger } = setting;
  if (ledger.edits.length === 0) return undefined;
  const gap = gapOf(claim, setting);
  if (gap !== undefined) return notJudged(gap);
  const tool = /\b(?:valgrind|asan|tsan|ubsan|miri|hyperfine|wrk|k6|autocannon|lighthouse)\b/i.exec(
    claim.sentence,
  )?.[0];
  const executed = record.recognitions.filter(
    ({ recognition }) =>
      recognition.unknown !== null ||
      (recognition.executes &&
        (recognition.runs.length === 0 ||
          recognition.runs.some(
            ({ subjects }) => subjects.includes("tests") || !still.has(subjects[0]!),
          ))),
  );
  if (
    tool !== undefined &&
    !ledger.commands.some(({ command }) => command.toLowerCase().includes(tool.toLowerCase()))
  )
    return executed.some(({ recognition }) => recognition.unknown !== null)
      ? notJudged(`no command on record names ${tool}`)
      : neverRun(`no command on record runs ${tool}`);
  const option = optionGap(claim, executed, setting);
  if (option) return option;
  return executed.length === 0
    ? neverRun("no command on record runs it, so nothing was measured")
    : notJudged("it was run; its figures are not compared");
}
