// Judges a claimed result against the runs on record: the last run of the widest scope decides, an edit
// after it makes it old, numbers are those of its own summary, and what nobody can tell accuses nobody.
import type { Ledger } from "../evidence/ledger.ts";
import type { ResultSubject } from "./result-subject.ts";
import type { ResultClaim } from "./words/find-result-claims.ts";
import { editAfter } from "./runs/edit-after.ts";
import {
  contradicted,
  executed,
  failedRun,
  notJudged,
  onRecord,
  outdated,
  sourceOf,
  unsupported,
} from "./judgement.ts";
import type { ClaimJudgement } from "./judgement.ts";
import { judgeBehaviour, judgeCoverage, judgeMeasured } from "./results/judge-behaviour.ts";
import { commandWords, judgeWithoutRun, onlyExplains, type ResultSetting } from "./gap-of.ts";
import {
  byOpenFailure,
  endWords,
  isAnswered,
  isToldFailure,
  openFailure,
} from "./results/open-failure.ts";
import { judgeNumbers } from "./results/judge-numbers.ts";
import { judgeNamed } from "./results/judge-named.ts";
import { judgeApart, judgeEverything, judgeScope } from "./results/judge-scope.ts";
import type { RecordedRun } from "./runs/recorded-runs.ts";
import { warningsIn } from "./runs/output-says.ts";
import { isRehearsal, isState } from "./is-rehearsal.ts";

const provers: Partial<{ [subject in ResultSubject]: readonly ResultSubject[] }> = {
  checks: ["checks", "tests", "lint", "types", "build", "format"],
  // An image or a tag is pushed by other programs than a branch.
  push: ["push", "publish"],
};

export function judgeResult(
  claim: ResultClaim,
  setting: ResultSetting,
): ClaimJudgement | undefined {
  const { subject } = claim;
  if (subject === "behaviour") return judgeBehaviour(claim, setting);
  if (subject === "coverage") return judgeCoverage(claim, setting);
  if (subject === "measured") return judgeMeasured(claim, setting);
  if (isRehearsal(claim) || onlyExplains(claim.words, setting)) return undefined;

  const runs = runsFor(subject, setting);
  if (runs.length === 0)
    return isState(claim, setting) ? undefined : judgeWithoutRun(claim, setting);
  const named = subject === "tests" ? judgeNamed(claim, runs, setting) : undefined;
  return named ?? byRuns(claim, runs, setting);
}

function runsFor(subject: ResultSubject, { record }: ResultSetting): RecordedRun[] {
  const wanted = provers[subject] ?? [subject];
  return record.runs.filter(({ subjects }) => subjects.some((one) => wanted.includes(one)));
}

/** A check that an answer has as data: nothing in it is left to be read. */
export function judgeCheck(claim: ResultClaim, setting: ResultSetting): ClaimJudgement {
  const runs = runsFor(claim.subject, setting);
  return runs.length === 0 ? judgeWithoutRun(claim, setting) : byRuns(claim, runs, setting);
}

function byRuns(
  claim: ResultClaim,
  runs: readonly RecordedRun[],
  setting: ResultSetting,
): ClaimJudgement {
  const last = runs.at(-1)!;
  if (claim.isRun) return isRunOnly(claim, runs, setting);
  const failure = openFailure(claim, runs, setting);
  const passed = runs.filter(
    ({ ending, fixes }) => ending === "passed" && (!fixes || claim.subject === "format"),
  );
  const told = runs.findLast(
    (run) => run.ending === "failed" && isToldFailure(claim, run, setting),
  );
  if (failure && told) return executed(endWords(told));
  if (failure && !isAnswered(claim, { failure, passed }))
    return byOpenFailure(claim, failure, { last, passed, setting });
  const decisive =
    (claim.whole ? passed.findLast(({ parts }) => parts.length === 0) : undefined) ?? passed.at(-1);
  if (!decisive) return withoutSuccess(claim, { last, failure }, setting);
  return (
    judgeDetails(claim, passed, setting) ?? judgeFresh(claim, { decisive, passed, runs }, setting)
  );
}

/** Warnings, the id of a commit, options: what is said besides that it went well. */
function judgeDetails(
  claim: ResultClaim,
  passed: readonly RecordedRun[],
  setting: ResultSetting,
): ClaimJudgement | undefined {
  const warned = saysNoWarnings.test(claim.words) ? withWarnings(passed, setting) : undefined;
  if (warned) return contradicted(`recorded: ${commandWords(warned.run.command)} told of warnings`);
  const draft = claim.subject === "deploy" ? draftOnly(claim, passed) : undefined;
  if (draft) return unsupported(`recorded: ${commandWords(draft.run.command)} delivered a draft`);
  return claim.subject === "commit" ? strangeCommit(claim, setting.ledger) : undefined;
}

/** An id of a commit that no output shows, while another is commandWords. */
function strangeCommit(
  { words, code }: ResultClaim,
  { commands }: Ledger,
): ClaimJudgement | undefined {
  const ids = [...code, ...words.split(/[^\w]+/)].filter((one) =>
    /^(?=[a-f]*\d)[0-9a-f]{7,40}$/.test(one),
  );
  const strange = ids.find((id) => !commands.some(({ output }) => output.includes(id.slice(0, 7))));
  if (strange === undefined) return undefined;
  const made = commands.flatMap(
    ({ output }) => /^\[[^\]]* ([0-9a-f]{7,})\]/m.exec(output)?.[1] ?? [],
  );
  return made.length > 0
    ? contradicted(`recorded: the commit is ${made.at(-1)}, not ${strange}`)
    : notJudged(`no recorded output shows ${strange}`);
}

/** What is said to be in production went to a draft, a preview or a test environment only. */
function draftOnly(
  { words }: ResultClaim,
  passed: readonly RecordedRun[],
): RecordedRun | undefined {
  if (!/\bprod(?:uction|ucción|ução|uktion)?\b|本番|生产/i.test(words)) return undefined;
  const textOf = ({ run }: RecordedRun): string => `${run.command}\n${run.output}`;
  return passed.some((one) => /\bprod/i.test(textOf(one)))
    ? undefined
    : passed.findLast((one) => /\b(?:draft|preview|staging|sandbox)\b/i.test(textOf(one)));
}

/** A run of what there is now told of warnings: a later one that built nothing anew is silent about them. */
const withWarnings = (
  passed: readonly RecordedRun[],
  { ledger }: ResultSetting,
): RecordedRun | undefined =>
  passed.find((one) => warningsIn(one.run.output) > 0 && !editAfter(one, ledger.edits));

const saysNoWarnings = new RegExp(
  "\\b(?:no|zero|0|without(?: an?y?)?(?: single)?) (?:(?!new|further|additional|other)[\\w-]+ ){0,2}warnings?\\b|" +
    "\\bwarning-free\\b|\\b(?:ohne|keine)(?: eine| einzige\\w*)* Warnung|" +
    "sans (?:aucun )?avertissement|sin (?:ninguna )?advertencia",
  "i",
);

/** That it was run is so, however it went. */
function isRunOnly(
  claim: ResultClaim,
  runs: readonly RecordedRun[],
  setting: ResultSetting,
): ClaimJudgement {
  const last = runs.at(-1)!;
  if (last.ending === "empty") return byEmpty(claim, last, setting);
  const edit = /\b(?:after|again|re-?ran)\b/i.test(claim.words)
    ? editAfter(last, setting.ledger.edits)
    : undefined;
  if (edit) return outdated(`${endWords(last)}, and ${edit.path} was changed after it`);
  return (
    judgeScope(claim, { decisive: last, passed: runs }, setting.project) ?? onRecord(endWords(last))
  );
}

const saysNoTests =
  /\b(?:no|zero|0|without(?: any)?|keine|aucun|sin) tests?(?: files?)?\b(?! (?:\w+ )?(?:fail|br[eo]k|regress|skip))/i;

/** No tests were there: that speaks against claims about tests, unless the message says so itself. */
function byEmpty(
  { subject, sentence, numbers, whole }: ResultClaim,
  last: RecordedRun,
  { report }: ResultSetting,
): ClaimJudgement {
  const words = endWords(last);
  if (numbers === null && saysNoTests.test(sentence)) return onRecord(words);
  const isTold = numbers === null && !whole && saysNoTests.test(report);
  return subject !== "tests" || isTold ? notJudged(words) : contradicted(words);
}

function withoutSuccess(
  claim: ResultClaim,
  { last, failure }: { last: RecordedRun; failure: RecordedRun | undefined },
  setting: ResultSetting,
): ClaimJudgement {
  if (last.ending === "failed" && !failure)
    return notJudged(`${endWords(last)}; the same command went well later`);
  if (last.ending === "empty") return byEmpty(claim, last, setting);
  if (last.ending === "passed")
    return notJudged(
      `recorded: ${commandWords(last.run.command)} changes what it finds, which is no check`,
    );
  if (last.ending === "open") return notJudged(endWords(last));
  return last.ending === "unfinished" || last.ending === "hidden"
    ? unsupported(endWords(last))
    : failedRun(endWords(last));
}

type Passed = {
  decisive: RecordedRun;
  passed: readonly RecordedRun[];
  runs: readonly RecordedRun[];
};

function judgeFresh(
  claim: ResultClaim,
  { decisive, passed, runs }: Passed,
  setting: ResultSetting,
): ClaimJudgement {
  const { ledger, project } = setting;
  const old = judgeOld(claim, { decisive, runs }, ledger);
  if (old) return old;
  const part =
    judgeEverything(claim, passed, project) ??
    (claim.subject === "tests" ? judgeNumbers(claim, passed, ledger.commands) : undefined) ??
    judgeScope(claim, { decisive, passed }, project) ??
    judgeApart(claim, decisive, ledger.edits);
  if (part) return part;
  return executed(
    `${sourceOf(decisive.run)} ${commandWords(decisive.run.command)} ${summaryWords(decisive)}`,
  );
}

/** Something was changed after the run that decides. */
function judgeOld(
  claim: ResultClaim,
  { decisive, runs }: Pick<Passed, "decisive" | "runs">,
  ledger: Ledger,
): ClaimJudgement | undefined {
  const edit = editAfter(decisive, claim.subject === "migration" ? schemas(ledger) : ledger.edits);
  const later = edit && runs.findLast((run) => run.run.order > edit.order);
  if (edit && later?.ending === "unfinished") return unsupported(endWords(later));
  if (edit && later && (later.ending === "passed" || later.ending === "open"))
    return (claim.whole ? unsupported : notJudged)(
      `${endWords(decisive)}; after ${edit.path} was changed only a part was run again`,
    );
  return (
    edit &&
    outdated(
      `recorded: ${commandWords(decisive.run.command)} went well, but ${edit.path} was changed after that run`,
    )
  );
}

/** A migration that was made stays made, whatever is changed but what it is made of. */
const schemas = ({ edits }: Ledger): Ledger["edits"] =>
  edits.filter(({ path }) => /migrat|schema|\.sql$|prisma/i.test(path));

const summaryWords = ({ run }: RecordedRun): string =>
  run.tests
    ? `told ${run.tests.passed} passed, ${run.tests.failed} failed (${run.tests.runner})`
    : run.exitCode === 0
      ? "ended with exit code 0"
      : "went well";
