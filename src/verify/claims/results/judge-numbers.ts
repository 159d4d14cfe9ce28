// Numbers of tests in a sentence against the summaries on record: one run, or several together.
import type { ResultClaim } from "../words/find-result-claims.ts";
import { contradicted, executed, notJudged, type ClaimJudgement } from "../judgement.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";

const maxSummed = 8;

/** Undefined where the sentence tells no number. */
export function judgeNumbers(
  { numbers, partly, whole }: ResultClaim,
  passed: readonly RecordedRun[],
): ClaimJudgement | undefined {
  if (!numbers || numbers.passed === null) return undefined;
  const wanted = numbers.passed;
  const counted = passed.flatMap(({ run }) => {
    if (!run.tests) return [];
    const { runner } = run.tests;
    const each = (run.tests.each ?? []).map((one) => ({ ...one, runner, command: run.command }));
    return [...each, { ...run.tests, command: run.command }];
  });
  if (counted.every(({ packages }) => packages))
    return notJudged("a run went well; its output has no numbers that could be compared");
  const fits = (count: { passed: number; failed: number; total: number }): boolean =>
    (wanted === count.passed || (numbers.total === null && wanted === count.total)) &&
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
  return partly && counted.some((count) => wanted <= count.passed)
    ? notJudged(`${told}; ${wanted} may be some of them`)
    : contradicted(told);
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
