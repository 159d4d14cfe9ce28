// Judges a claimed result against the runs on record: the last run of the widest scope decides, an edit
// after it makes it old, numbers are those of its own summary, and what nobody can tell accuses nobody.
import type { Ledger } from "../evidence/ledger.ts";
import type { ResultSubject } from "./words/subject-words.ts";
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
import { hasFigures, judgeNumbers } from "./results/judge-numbers.ts";
import { judgeElsewhere, runsElsewhere } from "./results/judge-elsewhere.ts";
import { judgeNamed, optionGap } from "./results/judge-named.ts";
import { isTestName } from "./runs/scope/is-test-name.ts";
import { isAbove } from "./runs/scope/left-aside.ts";
import { judgeEverything, judgeScope } from "./results/judge-scope.ts";
import type { Ending, RecordedRun } from "./runs/recorded-runs.ts";
import { warningsIn } from "./runs/output-says.ts";
import { isRehearsal, isState } from "./shows-delivery.ts";

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
  if (isRehearsal(claim) || onlyExplains(setting)) return undefined;
  const elsewhere = runsElsewhere(claim) ? judgeElsewhere(setting) : undefined;
  if (elsewhere) return elsewhere;
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

/** A run of everything, or of the same parts, says more than one of a part. */
const isAsWide = (later: RecordedRun, run: RecordedRun): boolean =>
  later.run.command === run.run.command ||
  (later.parts.length === 0 && isAbove(later.folder, run.folder)) ||
  (run.parts.length > 0 && run.parts.every((part) => later.parts.includes(part))) ||
  (later.run.tests !== null &&
    run.run.tests !== null &&
    later.run.tests.total >= run.run.tests.total);

/** The last failure that no later run of at least the same scope has answered. */
const openFailure = (
  subject: ResultSubject,
  runs: readonly RecordedRun[],
  { record }: ResultSetting,
): RecordedRun | undefined =>
  runs.findLast(
    (run) =>
      run.ending === "failed" &&
      !isBeside(subject, run, runs) &&
      !record.runs.some(
        (later) =>
          later.run.order > run.run.order &&
          later.ending === "passed" &&
          (later.run.command === run.run.command ||
            (runs.includes(later) && (delivered.has(subject) || isAsWide(later, run)))),
      ),
  );

/** A run of tests that failed to build them says little of a build that went well by itself. */
const isBeside = (
  subject: ResultSubject,
  { subjects }: RecordedRun,
  runs: readonly RecordedRun[],
): boolean =>
  subject !== "tests" &&
  subjects[0] === "tests" &&
  runs.some((one) => one.ending === "passed" && one.subjects[0] === subject);

/** A second try is another command: a commit with other words, a push to another branch. */
const delivered: ReadonlySet<ResultSubject> = new Set(["commit", "push", "merge", "publish"]);

function byRuns(
  claim: ResultClaim,
  runs: readonly RecordedRun[],
  setting: ResultSetting,
): ClaimJudgement {
  const last = runs.at(-1)!;
  if (claim.isRun) return isRunOnly(claim, runs, setting);
  const failure = openFailure(claim.subject, runs, setting);
  const passed = runs.filter(
    ({ ending, fixes }) => ending === "passed" && (!fixes || claim.subject === "format"),
  );
  const told = runs.findLast((run) => run.ending === "failed" && isTold(claim, run, setting));
  if (failure && told) return executed(endWords(told));
  if (failure && !isAnswered(claim, { failure, passed }))
    return byFailure(claim, failure, { last, passed, setting });
  const decisive =
    (claim.whole ? passed.findLast(({ parts }) => parts.length === 0) : undefined) ?? passed.at(-1);
  if (!decisive && !failure && last.ending === "failed")
    return notJudged(`${endWords(last)}; the same command went well later`);
  if (!decisive) return withoutSuccess(claim, last, setting);
  const warned = saysNoWarnings.test(claim.words) ? withWarnings(passed, setting) : undefined;
  if (warned) return contradicted(`recorded: ${commandWords(warned.run.command)} told of warnings`);
  const strange =
    claim.subject === "commit"
      ? strangeCommit(claim, setting.ledger)
      : optionGap(claim, passed, setting);
  return strange ?? judgeFresh(claim, { decisive, passed, runs }, setting);
}

/** A run of what there is now told of warnings: a later one that built nothing anew is silent about them. */
const withWarnings = (
  passed: readonly RecordedRun[],
  { ledger }: ResultSetting,
): RecordedRun | undefined =>
  passed.find((one) => warningsIn(one.run.output) > 0 && !editAfter(one, ledger.edits));

const saysNoWarnings = new RegExp(
  "\\b(?:no|zero|0|without(?: an?y?)?(?: single)?) (?:[\\w-]+ ){0,2}warnings?\\b|\\bwarning-free\\b|" +
    "\\b(?:ohne|keine)(?: eine| einzige\\w*)* Warnung|sans (?:aucun )?avertissement|sin (?:ninguna )?advertencia",
  "i",
);

/** An open failure speaks against the claim, unless the message tells of failures and names other tests. */
function byFailure(
  claim: ResultClaim,
  failure: RecordedRun,
  {
    last,
    passed,
    setting,
  }: { last: RecordedRun; passed: readonly RecordedRun[]; setting: ResultSetting },
): ClaimJudgement {
  const isOther =
    (!claim.whole && claim.code.some(isTestName)) ||
    isNamedApart(claim, failure, setting) ||
    isToldApart(claim, failure, setting);
  const isCounted = (failure.run.tests?.failed ?? 0) > 0;
  if (setting.admitted.trouble && passed.length > 0 && !isCounted)
    return notJudged(`${endWords(failure)}; the message itself tells of trouble`);
  if (isOther && (setting.admitted.trouble || setting.admitted.failure))
    return notJudged(`${endWords(failure)}; the message tells it of another command`);
  return !setting.admitted.failure || (failure.run.order === last.run.order && !isOther)
    ? failedRun(endWords(failure))
    : notJudged(`${endWords(failure)}; the message itself speaks of failures`);
}

/** The sentence names a command, and the last run of that one went well. */
const isNamedApart = (
  { sentenceCode }: ResultClaim,
  failure: RecordedRun,
  { ledger }: ResultSetting,
): boolean =>
  sentenceCode.some((one) => {
    const last = one.includes(" ") ? ledger.ran(one).at(-1)?.run : undefined;
    return last?.exitCode === 0 && last.command !== failure.run.command;
  });

/** A message that tells of failures gives the numbers of another run, made by another command. */
const isToldApart = (
  { numbers, words }: ResultClaim,
  failure: RecordedRun,
  { record }: ResultSetting,
): boolean =>
  record.runs.some(
    ({ run, ending }) =>
      ending === "passed" &&
      run.command !== failure.run.command &&
      run.tests !== null &&
      (numbers?.passed === run.tests.passed ||
        new RegExp(`(?<!\\d)${run.tests.total}(?!\\d)`).test(words)),
  );

/** That it was run is so, however it went. */
const isRunOnly = (
  claim: ResultClaim,
  runs: readonly RecordedRun[],
  setting: ResultSetting,
  last = runs.at(-1)!,
): ClaimJudgement =>
  last.ending === "empty"
    ? byEmpty(claim, last, setting)
    : (judgeScope(claim, { decisive: last, passed: runs }, setting.project) ??
      onRecord(endWords(last)));

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

/** "2 of 13 failed", "the other 10 pass": a failure told with its own numbers is no false claim. */
function isTold(
  { numbers, partly, words }: ResultClaim,
  { run }: RecordedRun,
  { admitted }: ResultSetting,
): boolean {
  if (
    run.tests !== null &&
    run.tests.failed > 0 &&
    hasFigures(words, [run.tests.passed, run.tests.passed + run.tests.failed])
  )
    return true;
  const isShort =
    numbers?.passed != null && numbers.total !== null && numbers.passed < numbers.total;
  const admits = admitted.failure || isShort || /\b(?:others?|rest|remaining)\b/i.test(words);
  if (!admits || run.tests === null) return false;
  const counts = [run.tests, ...(run.tests.each ?? [])];
  return numbers?.passed == null
    ? partly
    : counts.some(({ passed, failed }) => numbers.passed === passed || numbers.passed === failed);
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

/** A claim about some tests is not refuted by others. */
function isAnswered(
  claim: ResultClaim,
  { failure, passed }: { failure: RecordedRun; passed: readonly RecordedRun[] },
): boolean {
  const named = claim.sentenceCode.map((one) => one.replace(/^\.\//, ""));
  const speaksOfPart =
    !claim.whole && (claim.partly || named.length > 0 || claim.numbers?.passed != null);
  return (
    speaksOfPart &&
    passed.some(
      ({ run, parts }) =>
        named.some((name) => parts.some((part) => part.includes(name) || name.includes(part))) ||
        (run.order > failure.run.order && (named.length === 0 || claim.numbers !== null)),
    )
  );
}

const endings: { [ending in Ending]: string } = {
  passed: "went well",
  failed: "failed",
  empty: "ran no tests",
  unfinished: "did not end",
  hidden: "threw its exit code away, and its output shows no result",
  open: "passed its output on, which shows no result",
};

function endWords({ run, ending }: RecordedRun): string {
  const numbers = run.tests ? `: ${run.tests.passed} passed, ${run.tests.failed} failed` : "";
  const code = run.exitCode !== null && run.exitCode !== 0 ? ` (exit code ${run.exitCode})` : "";
  return `${sourceOf(run)} ${commandWords(run.command)} ${endings[ending]}${numbers}${code}`;
}

function withoutSuccess(
  claim: ResultClaim,
  last: RecordedRun,
  setting: ResultSetting,
): ClaimJudgement {
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
  const edit = editAfter(decisive, claim.subject === "migration" ? schemas(ledger) : ledger.edits);
  const later = edit && runs.findLast((run) => run.run.order > edit.order);
  if (edit && later?.ending === "unfinished") return unsupported(endWords(later));
  if (edit && later && (later.ending === "passed" || later.ending === "open"))
    return (claim.whole ? unsupported : notJudged)(
      `${endWords(decisive)}; after ${edit.path} was changed only a part was run again`,
    );
  if (edit)
    return outdated(
      `recorded: ${commandWords(decisive.run.command)} went well, but ${edit.path} was changed after that run`,
    );
  const part =
    judgeEverything(claim, passed) ??
    (claim.subject === "tests" ? judgeNumbers(claim, passed, ledger.commands) : undefined) ??
    judgeScope(claim, { decisive, passed }, project);
  if (part) return part;
  return executed(
    `${sourceOf(decisive.run)} ${commandWords(decisive.run.command)} ${summaryWords(decisive)}`,
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
