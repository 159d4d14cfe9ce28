// The numbers that a test runner printed, whichever runner it was; null where there are none.
import {
  number,
  ofTotal,
  summaryLines,
  type Counts,
  type TestCounts,
} from "./tables/summary-lines.ts";

const longestRead = 200_000;

/** Runners whose summary takes more than one line. */
const blocks: readonly { runner: string; read: (text: string) => Counts | null }[] = [
  { runner: "node:test", read: nodeTest },
  { runner: "bun", read: bun },
  { runner: "go test", read: goTest },
  { runner: "playwright", read: lines("passed", "failed", "skipped") },
  { runner: "mocha", read: lines("passing", "failing", "pending") },
  { runner: "TAP", read: tap },
];

/** The runner's own summary, or null. Of a long output the end is read: summaries stand there. */
export function readTestOutput(output: string): TestCounts | null {
  const plain = output.slice(-longestRead).replace(/\u001b\[[0-9;]*m/g, "");
  const text = plain.replace(taskPrefix, "");
  const isOfMany = text !== plain;
  for (const { runner, line, all, read } of summaryLines) {
    const each = [...text.matchAll(line)].flatMap((match) => read(match) ?? []);
    const found = all || isOfMany ? each : each.slice(-1);
    if (found.length > 0)
      return { runner, ...summed(found), ...together(each, others(text, runner)) };
  }
  for (const { runner, read } of blocks) {
    const counts = read(text);
    if (counts)
      return {
        runner,
        ...counts,
        ...(runner === "node:test" ? together(nodeTests(text), []) : {}),
      };
  }
  return null;
}

/** What other runners summed up in the same output: `make test-all` calls several. */
const others = (text: string, own: string): Counts[] =>
  summaryLines
    .filter(({ runner }) => runner !== own)
    .flatMap(({ line, read }) => [...text.matchAll(line)].flatMap((match) => read(match) ?? []));

/** Where there are several: each of them, and all together. */
function together(own: readonly Counts[], more: readonly Counts[]): Pick<TestCounts, "each"> {
  if (own.length + more.length < 2) return {};
  const sum = own.length > 1 ? [summed(own)] : [];
  return {
    each: [...own, ...more, ...sum, ...(more.length > 0 ? [summed([...own, ...more])] : [])],
  };
}

/** `packages/core test:`, `@a/b:test:`: a runner of many packages says whose line it is. */
const taskPrefix = new RegExp(
  "^(?:\\[?@?[\\w.-]+(?:/[\\w.-]+)*\\]?[: ](?:test|build|lint|check|typecheck|type-check)[\\w:-]*:|" +
    "\\[[\\w./@-]+\\]|[\\w-]+ +\\|) ?",
  "gm",
);

const summed = (list: readonly Counts[]): Counts =>
  list.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      total: sum.total + one.total,
    }),
    { passed: 0, failed: 0, total: 0 },
  );

/** A line for each way to end. */
function lines(passed: string, failed: string, left: string): (text: string) => Counts | null {
  const of = (text: string, word: string): number | null => {
    const line = new RegExp(`^\\s{0,6}(\\d{1,9}) ${word}\\b(?: \\(.*\\))?\\s*$`, "gm");
    const match = [...text.matchAll(line)].at(-1);
    return match ? Number(match[1]) : null;
  };
  return (text) => {
    const [good, bad, rest] = [of(text, passed), of(text, failed) ?? 0, of(text, left) ?? 0];
    if (good === null && bad === 0) return null;
    return { passed: good ?? 0, failed: bad, total: (good ?? 0) + bad + rest };
  };
}

/** A summary for every package. */
const nodeTests = (text: string): Counts[] =>
  text.split(/(?=^(?:#|ℹ) tests \d)/m).flatMap((part) => nodeTest(part) ?? []);

function nodeTest(text: string): Counts | null {
  const of = (name: string): number | null => {
    const match = [...text.matchAll(new RegExp(`^(?:#|ℹ) ${name} (\\d{1,9})$`, "gm"))].at(-1);
    return match ? Number(match[1]) : null;
  };
  const [passed, failed] = [of("pass"), of("fail")];
  if (passed === null || failed === null) return null;
  const [cancelled, skipped, todo] = ["cancelled", "skipped", "todo"].map((one) => of(one) ?? 0);
  // A filter may have left the line with the total out.
  const total = of("tests") ?? passed + failed + cancelled! + skipped! + todo!;
  return { passed, failed: failed + cancelled!, total };
}

function bun(text: string): Counts | null {
  const ran = [...text.matchAll(/^Ran (\d+) tests? across \d+ files?/gm)].at(-1);
  if (!ran) return null;
  const fail = [...text.matchAll(/^\s*(\d+) fail$/gm)].at(-1);
  const pass = [...text.matchAll(/^\s*(\d+) pass$/gm)].at(-1);
  return { passed: number(pass?.[1]), failed: number(fail?.[1]), total: number(ran[1]) };
}

/** With -v or -json the tests, otherwise the packages. */
function goTest(text: string): Counts | null {
  const events = [...text.matchAll(/^\{.*"Action":"(pass|fail)".*"Test":"[^"]+"/gm)];
  const verbose = [...text.matchAll(/^\s*--- (PASS|FAIL|SKIP): /gm)];
  const packages = [
    ...text.matchAll(
      /^(ok|FAIL)\s+[\w./-]+\s+(?:[\d.]+s|\(cached\)|\[(?:build|setup) failed\])(?!.*\[no tests to run\])/gm,
    ),
  ];
  const none = /^ok\s.*\[no tests to run\]/m.test(text);
  if (none && packages.length + events.length + verbose.length === 0)
    return { passed: 0, failed: 0, total: 0, packages: true };
  const bare = /^(?:PASS|FAIL)$/m.exec(text);
  if (packages.length + events.length === 0 && !(bare && verbose.length > 0)) return null;
  const words = (matches: RegExpMatchArray[]): string[] => matches.map((match) => match[1]!);
  const isComplete = words(verbose).includes("PASS");
  const list = words(events.length > 0 ? events : isComplete ? verbose : packages);
  const count = (pattern: RegExp): number => list.filter((word) => pattern.test(word)).length;
  const isPackages = events.length === 0 && !isComplete;
  const broken = words(packages).includes("FAIL") || /^FAIL\b/m.test(text);
  return {
    passed: count(/^(?:pass|ok)$/i),
    failed: Math.max(count(/^fail$/i), broken ? 1 : 0),
    total: list.length,
    ...(isPackages ? { packages: true } : {}),
  };
}

function tap(text: string): Counts | null {
  const plan = /^1\.\.(\d+)/m.exec(text);
  const results = [...text.matchAll(/^(ok|not ok) \d+\b(.*)$/gm)];
  if (!plan || results.length === 0) return null;
  const failed = results.filter(([, word, rest]) => word === "not ok" && !/# TODO/i.test(rest!));
  return ofTotal(results.length, failed.length);
}
