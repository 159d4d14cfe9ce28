// A run that failed and that no later one answers: whether it speaks against a claim, or the message tells
// it, or speaks of something else.
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { failedRun, inDoubt, sourceOf, unsupported, type ClaimJudgement } from "../judgement.ts";
import { editAfter } from "../runs/edit-after.ts";
import type { Ending, RecordedRun } from "../runs/recorded-runs.ts";
import { isAbove } from "../runs/scope/left-aside.ts";
import type { ResultClaim } from "../words/find-result-claims.ts";
import type { ResultSubject } from "../result-subject.ts";
import { hasFigures } from "./judge-numbers.ts";

/** A run of everything, or of the same parts, says more than one of a part. */
const isAsWide = (later: RecordedRun, run: RecordedRun): boolean =>
  later.run.command === run.run.command ||
  (later.parts.length === 0 && isAbove(later.folder, run.folder)) ||
  (run.parts.length > 0 && run.parts.every((part) => later.parts.includes(part))) ||
  // A run that stopped at its first failure counted few of all the tests.
  (later.run.tests !== null &&
    run.run.tests !== null &&
    (later.parts.length === 0 || run.parts.length > 0) &&
    later.run.tests.total >= run.run.tests.total);

/** The last failure that no later run of at least the same scope has answered. */
export const openFailure = (
  { subject, words }: ResultClaim,
  runs: readonly RecordedRun[],
  { record }: ResultSetting,
): RecordedRun | undefined =>
  runs.findLast(
    (run) =>
      run.ending === "failed" &&
      !isBeside(subject, run, runs) &&
      !isBuiltLater(subject, run, record.runs) &&
      !record.runs.some(
        (later) =>
          later.run.order > run.run.order &&
          later.ending === "passed" &&
          !namesOnly(words, run, later) &&
          (later.run.command === run.run.command || (runs.includes(later) && isAsWide(later, run))),
      ),
  );

/** "The wasm32 build": a word of the failed command that neither the later one nor its output has. */
const namesOnly = (words: string, failed: RecordedRun, later: RecordedRun): boolean => {
  const shown = `${later.run.command}\n${later.run.output}`.toLowerCase();
  return (failed.run.command.toLowerCase().match(/[a-z]\w{3,}/g) ?? []).some(
    (word) => !shown.includes(word) && words.toLowerCase().includes(word),
  );
};

/** A run of tests that failed to build them says little of a build that went well by itself. */
const isBeside = (
  subject: ResultSubject,
  { subjects }: RecordedRun,
  runs: readonly RecordedRun[],
): boolean =>
  subject !== "tests" &&
  subjects[0] === "tests" &&
  runs.some((one) => one.ending === "passed" && one.subjects[0] === subject);

/** Tests that passed later had been built. */
const isBuiltLater = (
  subject: ResultSubject,
  failed: RecordedRun,
  all: readonly RecordedRun[],
): boolean =>
  subject === "build" &&
  all.some(
    ({ run, ending, subjects, ecosystem }) =>
      run.order > failed.run.order &&
      ending === "passed" &&
      subjects.includes("tests") &&
      ecosystem === failed.ecosystem &&
      ecosystem !== "js" &&
      ecosystem !== "any",
  );

/** An open failure speaks against the claim, unless the message tells of failures and names other tests. */
export function byOpenFailure(
  claim: ResultClaim,
  failure: RecordedRun,
  {
    last,
    passed,
    setting,
  }: { last: RecordedRun; passed: readonly RecordedRun[]; setting: ResultSetting },
): ClaimJudgement {
  const failed = failedRun(endWords(failure));
  if (isLeftOpen(failure, passed, setting))
    return unsupported(`${endWords(failure)}, and nothing was run after the last change`);
  const isLast = failure.run.order === last.run.order;
  return !setting.admitted.failure || isLast
    ? failed
    : inDoubt("admitted", `${endWords(failure)}; the message itself speaks of failures`, failed);
}

/** Something was changed after it, and nothing run since: whoever tells the failure has not seen it gone. */
const isLeftOpen = (
  failure: RecordedRun,
  passed: readonly RecordedRun[],
  { ledger, record }: ResultSetting,
): boolean => {
  const edit = editAfter(failure, ledger.edits);
  return (
    edit !== undefined &&
    passed.length === 0 &&
    !record.recognitions.some(
      ({ run, recognition }) => recognition.executes && run.order > edit.order,
    )
  );
};

/** "2 of 13 failed", "the other 10 pass": a failure told with its own numbers is no false claim. */
export function isToldFailure(
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

/** A claim about some tests is not refuted by others. */
export function isAnswered(
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

export function endWords({ run, ending }: RecordedRun): string {
  const numbers = run.tests ? `: ${run.tests.passed} passed, ${run.tests.failed} failed` : "";
  const code = run.exitCode !== null && run.exitCode !== 0 ? ` (exit code ${run.exitCode})` : "";
  return `${sourceOf(run)} ${commandWords(run.command)} ${endings[ending]}${numbers}${code}`;
}
