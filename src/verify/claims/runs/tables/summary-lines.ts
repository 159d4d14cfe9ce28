// The line with which a test runner sums up a run, and how its numbers are read: a row a runner.

export type TestCounts = {
  runner: string;
  passed: number;
  failed: number;
  total: number;
  /** The numbers are those of packages, not of tests. */
  packages?: true;
  /** Where several runs are summed up: each of them. */
  each?: Omit<TestCounts, "runner" | "each">[];
};

export type Counts = Omit<TestCounts, "runner" | "each">;

/** `all`: every match counts and they are added up; otherwise the last one is the summary. */
type Summary = {
  runner: string;
  line: RegExp;
  all?: true;
  read: (match: RegExpMatchArray) => Counts | null;
};

export const number = (text: string | undefined): number =>
  Number((text ?? "0").replaceAll(",", ""));

/** "1 failed | 5 passed", "5 passed, 1 error, 2 skipped". */
function named(words: string, given: number | null): Counts | null {
  const count = (pattern: RegExp): number =>
    [...words.matchAll(/(\d{1,9}) (\w+)/g)].reduce(
      (sum, [, value, word]) => (pattern.test(word!) ? sum + Number(value) : sum),
      0,
    );
  const passed = count(/^(?:passed|xpassed|passing|success(?:es)?)$/i);
  const failed = count(/^(?:failed|errors?|failing|failures?|broken|timed)$/i);
  const total = given ?? passed + failed + count(/^(?:skipped|xfailed|pending|todo|ignored)$/i);
  return total > 0 || given !== null ? { passed, failed, total } : null;
}

/** "25 tests, 0 failures": what did not fail and was not left out passed. */
export function ofTotal(total: number, failed: number, left = 0): Counts {
  return { passed: Math.max(0, total - failed - left), failed, total };
}

export const summaryLines: readonly Summary[] = [
  {
    runner: "vitest",
    line: /^\s*Tests\s{1,6}((?:\d+ \w+(?: \| )?)+)\s*\((\d+)\)/gm,
    read: ([, words, total]) => named(words!, Number(total)),
  },
  {
    runner: "jest",
    line: /^\s*Tests:\s+((?:\d+ \w+, )*)(\d+) total/gm,
    read: ([, words, total]) => named(words!, Number(total)),
  },
  {
    runner: "cargo test",
    line: /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/gm,
    all: true,
    read: ([, passed, failed, ignored]) => ({
      passed: number(passed),
      failed: number(failed),
      total: number(passed) + number(failed) + number(ignored),
    }),
  },
  {
    runner: "cargo nextest",
    line: /^\s*Summary \[[^\]]*\]\s+(\d+) tests? run: (\d+) passed(?: \(\d+ \w+\))?(?:, (\d+) failed)?/gm,
    read: ([, total, passed, failed]) => ({
      passed: number(passed),
      failed: number(failed),
      total: number(total),
    }),
  },
  {
    runner: "pytest",
    line: new RegExp(
      "^[= ]*((?:\\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|" +
        "rerun)(?:, )?)+)(?: in [\\d.:]+ ?s?)",
      "gm",
    ),
    read: ([, words]) => named(words!, null),
  },
  {
    runner: "unittest",
    line: /^Ran (\d+) tests? in [\d.]+s\s+(OK|FAILED)(?: \(([^)]*)\))?/gm,
    read: ([, total, , rest = ""]) => {
      const of = (word: string): number => number(new RegExp(`${word}=(\\d+)`).exec(rest)?.[1]);
      return ofTotal(number(total), of("failures") + of("errors"), of("skipped"));
    },
  },
  {
    runner: "maven",
    line: /Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?(?!.*Time elapsed)/g,
    read: ([, total, failures, errors, skipped]) =>
      ofTotal(number(total), number(failures) + number(errors), number(skipped)),
  },
  {
    runner: "gradle",
    line: /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?/gm,
    read: ([, total, failed, skipped]) => ofTotal(number(total), number(failed), number(skipped)),
  },
  {
    runner: "rspec",
    line: /^(\d+) examples?, (\d+) failures?(?:, (\d+) errors?[^,]*)?(?:, (\d+) pending)?/gm,
    read: ([, total, failed, errors, pending]) =>
      ofTotal(number(total), number(failed) + number(errors), number(pending)),
  },
  {
    runner: "minitest",
    line: /^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors(?:, (\d+) (?:skips|pendings))?/gm,
    read: ([, total, failed, errors, skips]) =>
      ofTotal(number(total), number(failed) + number(errors), number(skips)),
  },
  {
    runner: "phpunit",
    line: /^OK \((\d+) tests?, \d+ assertions?\)/gm,
    read: ([, total]) => ofTotal(number(total), 0),
  },
  {
    runner: "phpunit",
    line: /^Tests: (\d+), Assertions: \d+((?:, \w+: \d+)*)\.?$/gm,
    read: ([, total, rest = ""]) => {
      const of = (word: string): number => number(new RegExp(`${word}: (\\d+)`).exec(rest)?.[1]);
      return ofTotal(number(total), of("Failures") + of("Errors"), of("Skipped"));
    },
  },
  {
    runner: "pest",
    line: /^\s*Tests:\s+((?:\d+ \w+,? ?)+)\s*\(\d+ assertions?\)/gm,
    read: ([, words]) => named(words!.replaceAll(",", ""), null),
  },
  {
    runner: "dotnet",
    line: /(?:Passed|Failed)!\s+- Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+), Total:\s+(\d+)/g,
    all: true,
    read: ([, failed, passed, , total]) => ({
      passed: number(passed),
      failed: number(failed),
      total: number(total),
    }),
  },
  {
    runner: "dotnet",
    line: /[Tt]otal(?: tests)?: (\d+)[,;\s]+[Ff]ailed: (\d+)[,;\s]+[Ss]ucceeded: (\d+)/g,
    read: ([, total, failed, passed]) => ({
      passed: number(passed),
      failed: number(failed),
      total: number(total),
    }),
  },
  {
    runner: "mix",
    line: /^(?:(\d+) doctests?, )?(?:\d+ propert\w+, )?(\d+) tests?, (\d+) failures?(?:, (\d+) \w+)?/gm,
    read: ([, doctests, tests, failed, left]) =>
      ofTotal(number(doctests) + number(tests), number(failed), number(left)),
  },
  {
    runner: "swift",
    line: /Executed (\d+) tests?, with (?:\d+ tests? skipped and )?(\d+) failures?/g,
    read: ([, total, failed]) => ofTotal(number(total), number(failed)),
  },
  {
    runner: "swift testing",
    line: /Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed)(?:.*with (\d+) issues?)?/g,
    read: ([, total, word, issues]) =>
      ofTotal(number(total), word === "passed" ? 0 : Math.max(1, number(issues))),
  },
  {
    runner: "ctest",
    line: /^\d+% tests passed, (\d+) tests? failed out of (\d+)/gm,
    read: ([, failed, total]) => ofTotal(number(total), number(failed)),
  },
  {
    runner: "meson",
    line: /^Ok:\s+(\d+)\s*\n(?:(?:Expected|Unexpected) \w+:.*\n|Timeout:.*\n)*Fail:\s+(\d+)/gm,
    read: ([, passed, failed]) => ofTotal(number(passed) + number(failed), number(failed)),
  },
  {
    runner: "bats",
    line: /^(\d+) tests?, (\d+) failures?(?:, (\d+) skipped)?$/gm,
    read: ([, total, failed, skipped]) => ofTotal(number(total), number(failed), number(skipped)),
  },
  {
    runner: "deno",
    line: /^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed/gm,
    read: ([, passed, failed]) => ({
      passed: number(passed),
      failed: number(failed),
      total: number(passed) + number(failed),
    }),
  },
  {
    runner: "flutter",
    line: /^\d\d:\d\d \+(\d+)(?: ~\d+)?(?: -(\d+))?: (?:All tests passed|Some tests failed)/gm,
    read: ([, passed, failed]) => ofTotal(number(passed) + number(failed), number(failed)),
  },
  {
    runner: "cypress",
    line: /[✔✖]\s+(?:All specs passed!|\d+ of \d+ failed[^\d]*)\s+[\d:]+\s+(\d+)\s+(\d+)\s+(\d+|-)/g,
    read: ([, total, passed, failed]) => ({
      passed: number(passed),
      failed: failed === "-" ? 0 : number(failed),
      total: number(total),
    }),
  },
];
