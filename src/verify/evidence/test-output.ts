// Reads the numbers out of what a test runner printed: vitest, jest, node:test, pytest, go test, cargo test, mocha. Null where it is none of them.

export type TestCounts = { runner: string; passed: number; failed: number; total: number };

type Reader = { runner: string; read: (text: string) => Omit<TestCounts, "runner"> | null };

const longestRead = 200_000;

/** The runner's own summary, or null. Skipped tests count in `total` only. Of a long output the end is read: summaries stand there. */
export function readTestOutput(output: string): TestCounts | null {
  const text = output.slice(-longestRead).replace(/\u001b\[[0-9;]*m/g, "");
  for (const { runner, read } of readers) {
    const counts = read(text);
    if (counts) return { runner, ...counts };
  }
  return null;
}

const readers: Reader[] = [
  {
    runner: "vitest",
    read: (text) =>
      lastLine(text, /^\s*Tests\s{1,6}((?:\d+ \w+(?: \| )?)+)\s*\((\d+)\)/gm, ([, words, total]) =>
        named(words!, Number(total)),
      ),
  },
  {
    runner: "jest",
    read: (text) =>
      lastLine(text, /^\s*Tests:\s+((?:\d+ \w+, )*)(\d+) total/gm, ([, words, total]) =>
        named(words!, Number(total)),
      ),
  },
  { runner: "node:test", read: nodeTest },
  { runner: "cargo test", read: cargo },
  { runner: "go test", read: go },
  { runner: "mocha", read: mocha },
  {
    runner: "pytest",
    read: (text) =>
      lastLine(
        text,
        /^[= ]*((?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun)(?:, )?)+) in [\d.:]+ ?s?.*$/gm,
        ([, words]) => named(words!, null),
      ),
  },
];

function lastLine(
  text: string,
  pattern: RegExp,
  read: (match: RegExpMatchArray) => Omit<TestCounts, "runner"> | null,
): Omit<TestCounts, "runner"> | null {
  const match = [...text.matchAll(pattern)].at(-1);
  return match ? read(match) : null;
}

/** "1 failed | 5 passed", "5 passed, 1 error". */
function named(words: string, given: number | null): Omit<TestCounts, "runner"> | null {
  const count = (pattern: RegExp): number =>
    [...words.matchAll(/(\d{1,9}) (\w+)/g)].reduce(
      (sum, [, number, word]) => (pattern.test(word!) ? sum + Number(number) : sum),
      0,
    );
  const [passed, failed] = [count(/^(?:passed|xpassed)$/), count(/^(?:failed|errors?)$/)];
  const total = given ?? passed + failed + count(/^(?:skipped|xfailed)$/);
  return total > 0 || given !== null ? { passed, failed, total } : null;
}

function nodeTest(text: string): Omit<TestCounts, "runner"> | null {
  const number = (name: string): number | null => {
    const match = [...text.matchAll(new RegExp(`^(?:#|ℹ) ${name} (\\d{1,9})$`, "gm"))].at(-1);
    return match ? Number(match[1]) : null;
  };
  const [total, passed, failed] = [number("tests"), number("pass"), number("fail")];
  return total === null || passed === null || failed === null
    ? null
    : { passed, failed: failed + (number("cancelled") ?? 0), total };
}

/** One summary for each binary; together they are the run. */
function cargo(text: string): Omit<TestCounts, "runner"> | null {
  const found = [
    ...text.matchAll(
      /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored/gm,
    ),
  ];
  if (found.length === 0) return null;
  const sum = (at: number): number => found.reduce((total, match) => total + Number(match[at]), 0);
  return { passed: sum(1), failed: sum(2), total: sum(1) + sum(2) + sum(3) };
}

/** With -v or -json the tests, otherwise the packages. */
function go(text: string): Omit<TestCounts, "runner"> | null {
  const events = [...text.matchAll(/^\{.*"Action":"(pass|fail)".*"Test":"[^"]+"/gm)].map(
    ([, action]) => action!,
  );
  const verbose = [...text.matchAll(/^--- (PASS|FAIL|SKIP): /gm)].map(([, word]) =>
    word!.toLowerCase(),
  );
  const packages = [
    ...text.matchAll(
      /^(ok|FAIL)\s+[\w./-]+\s+(?:[\d.]+s|\(cached\)|\[build failed\]|\[setup failed\])/gm,
    ),
  ].map(([, word]) => (word === "ok" ? "pass" : "fail"));
  if (packages.length === 0 && events.length === 0) return null;
  const isComplete = verbose.some((word) => word === "pass");
  const list = events.length > 0 ? events : isComplete ? verbose : packages;
  const count = (word: string): number => list.filter((one) => one === word).length;
  return {
    passed: count("pass"),
    failed: Math.max(count("fail"), packages.includes("fail") ? 1 : 0),
    total: list.length,
  };
}

function mocha(text: string): Omit<TestCounts, "runner"> | null {
  const number = (word: string): number | null => {
    const match = [
      ...text.matchAll(new RegExp(`^\\s{0,6}(\\d{1,9}) ${word}\\b(?: \\(.*\\))?\\s*$`, "gm")),
    ].at(-1);
    return match ? Number(match[1]) : null;
  };
  const [passed, failed] = [number("passing"), number("failing") ?? 0];
  return passed === null
    ? null
    : { passed, failed, total: passed + failed + (number("pending") ?? 0) };
}

/** Whether a command's words say that it runs tests. */
export const isTestCommand = (command: string): boolean =>
  /(?:^|[\s;&|/])(?:vitest|jest|mocha|pytest|py\.test|ava|tap|rspec|phpunit|tox|nox|ctest)(?![\w.-])|\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test\b|t\b)|\bnode\s+(?:\S+\s+)*--test\b|\b(?:go|cargo|deno|swift|dotnet|mix|make|gradle|gradlew|mvn|rake)\s+(?:\S+\s+)*\w*test/.test(
    command,
  );
