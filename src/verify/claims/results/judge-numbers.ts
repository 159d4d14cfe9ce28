// Numbers of tests in a sentence against the summaries on record: one run, or several together.
import type { ResultClaim } from "../words/find-result-claims.ts";
import { contradicted, executed, inDoubt, notJudged, type ClaimJudgement } from "../judgement.ts";
import type { CommandRun } from "../../evidence/command-runs.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";

const maxSummed = 8;

/** Undefined where the sentence tells no number. */
export function judgeNumbers(
  { numbers, words, sentence, partly, whole }: ResultClaim,
  passed: readonly RecordedRun[],
  commands: readonly CommandRun[],
): ClaimJudgement | undefined {
  if (!numbers || numbers.passed === null) return undefined;
  const wanted = numbers.passed;
  const saysAll = whole && !tellsSkips.test(sentence.replace(noSkips, " "));
  const counted = passed.flatMap(({ run }) => {
    if (!run.tests) return [];
    const { runner } = run.tests;
    const each = (run.tests.each ?? []).map((one) => ({ ...one, runner, command: run.command }));
    return [...each, { ...run.tests, command: run.command }];
  });
  if (counted.every(({ packages }) => packages))
    return notJudged("a run went well; its output has no numbers that could be compared");
  const fits = (count: { passed: number; failed: number; total: number }): boolean =>
    (wanted === count.passed ||
      // Tests that were left out are none that passed.
      (numbers.total === null &&
        wanted === count.total &&
        (count.passed === count.total || !saysAll))) &&
    (numbers.total === null ||
      numbers.total === count.total ||
      numbers.total === count.passed + count.failed);
  const one = counted.findLast(fits);
  if (one) return executed(`recorded: ${one.passed} passed, ${one.failed} failed (${one.runner})`);
  const sum = sums(counted).find(fits);
  if (sum)
    return executed(`recorded over several runs: ${sum.passed} passed, ${sum.failed} failed`);
  const last = counted.at(-1)!;
  const told = `recorded: ${last.passed} passed, ${last.failed} failed (${last.runner})`;
  if (partly && !whole && counted.some((count) => wanted <= count.passed)) return executed(told);
  // "5 of 5 suites", "4 of 4 tasks", the second of three runs: a line of some output has these figures.
  const pairs = [
    [wanted, numbers.total, numbers.failed].filter((one) => one !== null),
    words.match(/(?<![\w.,])\d+(?![\w.,]\d|\w)/g)?.map(Number) ?? [],
  ].filter(({ length }) => length > 1);
  const line = commands
    .flatMap(({ output }) => output.split("\n"))
    .find((one) => pairs.some((figures) => hasFigures(one, figures)));
  if (line !== undefined)
    return notJudged(`${told}; another line says: ${line.trim().slice(0, 80)}`);
  return partly && counted.some((count) => wanted <= count.passed)
    ? inDoubt("numbers", `${told}; ${wanted} may be some of them`, contradicted(told))
    : contradicted(told);
}

const tellsSkips = /skip|pending|ignore|todo|exclude|übersprung|omit/i;
/** "Nothing skipped" tells of none. */
const noSkips =
  /\b(?:no|none|nothing|zero|0|without(?: any)?|not) (?:\w+ ){0,2}(?:skip\w*|pending|ignored|omitted)/gi;

/** Each of these numbers stands in the text, as often as it is asked for. */
export function hasFigures(text: string, figures: readonly number[]): boolean {
  const left = text.match(/\d+/g)?.map(Number) ?? [];
  return figures.every((figure) => {
    const at = left.indexOf(figure);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

type Count = { passed: number; failed: number; total: number };

/** Every way to add up different runs, the last few of them. */
function sums(counts: readonly (Count & { command: string })[]): Count[] {
  const latest = [...new Map(counts.map((count) => [count.command, count])).values()].slice(
    -maxSummed,
  );
  return latest.reduce<Count[]>(
    (found, next) => [
      ...found,
      ...[{ passed: 0, failed: 0, total: 0 }, ...found].map((sum) => ({
        passed: sum.passed + next.passed,
        failed: sum.failed + next.failed,
        total: sum.total + next.total,
      })),
    ],
    [],
  );
}
