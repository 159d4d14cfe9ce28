import { expect, test } from "vitest";
import { assessReport } from "./assess-report.ts";
import { reportHeader } from "./report/report-header.ts";
import { memoryReader } from "../source/reader.ts";
import { Repository } from "../source/repository.ts";
import { verifyReport } from "./verify-report.ts";

const repo = new Repository(
  memoryReader({ "src/a.ts": "export function alpha() {\n  return 1;\n}\n".repeat(50) }),
);

const shapes: [string, string][] = [
  ["words", "lorem ipsum dolor src/a.ts:1 amet. "],
  ["one endless token", "a/"],
  ["dots", "."],
  ["backticks", "` a ``b ``` c "],
  ["brackets", "[]("],
  ["bars", "|||||||||||||||||||||||||||||||||||||||\n"],
  ["fences", "```ts x\n"],
  ["headings", "# a\n"],
  ["colons", "a:1:"],
  ["lines", "line 3 of "],
  ["names", "`foo` "],
];

// Eight times the text may take about eight times as long; a quadratic step anywhere would take sixty-four.
test.each(shapes)(
  "a report of nothing but %s takes time in proportion to its length",
  (_name, part) => {
    const time = (length: number) => {
      const report = part.repeat(Math.ceil(length / part.length));
      const started = process.cpuUsage();
      verifyReport(report, { reader: repo });
      return process.cpuUsage(started).user / 1000;
    };
    time(40_000);
    const small = time(50_000);
    expect(time(400_000)).toBeLessThan(Math.max(400, small * 32));
  },
);

test("a whole assessment of one line with nothing but references takes time in proportion to its length", async () => {
  const time = async (count: number): Promise<number> => {
    const started = process.cpuUsage();
    await assessReport("`src/a.ts:1` ".repeat(count), { reader: repo });
    return process.cpuUsage(started).user / 1000;
  };
  await time(2_000);
  const small = await time(2_500);
  expect(await time(20_000)).toBeLessThan(Math.max(1_500, small * 20));
}, 120_000);

test("a report of 20 MB is assessed whole", async () => {
  const line = `- It is here: \`src/a.ts:1\` (\`alpha\`), ${"as was said before, ".repeat(100)}and so on.\n`;
  const report = `## X Result\n\n### Status\nSUCCESS\n\n### Findings\n${line.repeat(10_000)}`;
  expect(report.length).toBeGreaterThan(20_000_000);
  const { findings, counts, truncated } = await assessReport(report, { reader: repo });
  expect({
    findings: findings.length,
    verified: counts.verified,
    total: counts.total,
    truncated,
  }).toEqual({ findings: 10_000, verified: 10_000, total: 10_000, truncated: false });
}, 120_000);

test("a report with too many references says that it was cut", () => {
  const { checks, truncated } = verifyReport("src/a.ts:1\n\n".repeat(200_500), { reader: repo });
  expect(truncated).toBe(true);
  expect(checks).toHaveLength(200_000);
}, 120_000);

// What an engine keeps for each round of a loop, or puts on its stack for each item, has an end.
test.each([
  ["a word of ten million letters", "a/b/c/".repeat(1_700_000), 0],
  ["a link of five million brackets", `[a](x${"()".repeat(5_000_000)}`, 0],
  ["one paragraph with 130,000 references", "| a | src/a.ts\n".repeat(130_000), 130_000],
])(
  "%s is read to its end",
  (_name, report, count) => {
    expect(verifyReport(report, { reader: repo }).checks).toHaveLength(count);
  },
  60_000,
);

test("what stands behind a word that is too long for a path is still read", () => {
  const { checks } = verifyReport(`${"a/b/".repeat(200)}c.ts and \`src/a.ts:1\` (\`alpha\`)`, {
    reader: repo,
  });
  expect(checks.map(({ text, verdict }) => [text, verdict])).toEqual([
    ["`src/a.ts:1`", "verified"],
  ]);
});

test("a report of which a part was left out is not VERIFIED, and its header says why", async () => {
  const right = "- `alpha` is defined at `src/a.ts:1`.\n";
  const padding = "x".repeat(32 * 1024 * 1024);
  const whole = await assessReport(right, { reader: repo });
  const cut = await assessReport(`${right}\n\`\`\`\n${padding}`, { reader: repo });
  expect([whole.trust, whole.truncated]).toEqual(["VERIFIED", false]);
  expect([cut.trust, cut.truncated]).toEqual(["MIXED", true]);
  expect(reportHeader(whole, { agentId: "a1" })).not.toContain("only a part was checked");
  expect(reportHeader(cut, { agentId: "a1" })).toContain("only a part was checked (1 claim)");
}, 120_000);

// On a real disk: `npm run bench -- many-files`.
test("a repository of 200,000 files is indexed and answers, also where a name really stands", () => {
  const files = new Map(
    Array.from(
      { length: 200_000 },
      (_, index) =>
        [
          `pkg${index % 500}/mod${index}/index.js`,
          `function makesThing${index}() {}\nmodule.exports = 1;\n`,
        ] as [string, string],
    ),
  );
  const many = new Repository(memoryReader(files));
  const { checks } = verifyReport(
    "`pkg1/mod1/index.js:1`, `pkg1/mod1/index.js:9`, `pkg1/modx/index.js:1`, `mod1/index.js`, `index.js:1`.\n\n- `makesThing199777` is in `pkg1/mod1/index.js:1`.\n",
    { reader: many },
  );
  expect(checks.map((check) => check.verdict)).toEqual([
    "exists_only",
    "out_of_range",
    "missing",
    "exists_only",
    // The short name means the file that is spelled out before.
    "exists_only",
    "wrong_symbol",
  ]);
  expect(checks.at(-1)!.suggestion).toEqual({ path: "pkg277/mod199777/index.js", line: 1 });
});
