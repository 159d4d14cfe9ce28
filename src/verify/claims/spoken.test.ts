import { describe, expect, test } from "vitest";
import { numbered, transcriptLines, type Step } from "../../../test/support/transcript-lines.ts";
import { assessReport } from "../assess-report.ts";
import type { Assessment } from "../assessment.ts";
import { memoryReader } from "../../source/reader.ts";
import { reportHeader } from "../report/report-header.ts";
import { ledgerBuilder } from "../evidence/ledger.ts";
import type { Snapshot } from "../evidence/snapshot.ts";

const rates = Array.from(
  { length: 120 },
  (_, index) => `export const rate${index} = ${index};`,
).join("\n");
const price =
  "import { total } from './cart.js';\nexport const discount = (items) => total(items) * 0.9;\n";
const files = {
  "src/cart.js": "export function total(items) {\n  return items.length;\n}\n",
  "src/price.js": price,
  "src/rates.js": `${rates}\n`,
  "src/old.js": "export function oldTotal() {}\n",
  "src/marks.js": "// FIXME: later\n",
};

const read = (path: string, text: string): Step => ({
  tool: "Read",
  input: { file_path: path },
  output: numbered(text),
});
const ran = (command: string, output = "", exitCode = 0): Step => ({
  tool: "Bash",
  input: { command },
  output,
  ...(exitCode === 0 ? {} : { isError: true }),
  facts: { command, exitCode },
});
const editOf = (path: string): Step => ({
  tool: "Edit",
  input: { file_path: path },
  output: "ok",
  facts: { path: `/repo/${path}` },
});
const edit = editOf("src/cart.js");
const green = "# tests 3\n# pass 3\n# fail 0";
const red = "# tests 3\n# pass 1\n# fail 2";

type Trees = { snapshots?: { before: Snapshot; after: Snapshot } };
const treeOf = (cart: string): Snapshot => ({
  tree: cart,
  files: new Map([
    ...Object.keys(files).map((path): [string, string] => [path, "1"]),
    ["src/cart.js", cart],
  ]),
  complete: true,
});
const unchanged: Trees = { snapshots: { before: treeOf("1"), after: treeOf("1") } };
const changed: Trees = { snapshots: { before: treeOf("1"), after: treeOf("2") } };

/** A report whose one finding holds, so that the words alone decide whether it may be called verified. */
async function assess(words: string, steps: Step[], trees: Trees = {}): Promise<Assessment> {
  const text = `## Backend Specialist Result\n\n### Status\nSUCCESS\n\n### Summary\n${words}\n\n### Findings\n- \`src/price.js:2\`: \`export const discount = (items) => total(items) * 0.9;\`\n\n### Confidence\n90\n`;
  const builder = ledgerBuilder({ root: "/repo" });
  for (const line of transcriptLines([read("src/price.js", price), ...steps], { cwd: "/repo" }))
    builder.add(line);
  return assessReport(text, {
    reader: memoryReader(files),
    ledger: builder.ledger(),
    contract: "report",
    ...trees,
  });
}

type Fate = "contradicted" | "not judged" | "verified";

/** `not judged` only where the header says so too. */
function fateOf(assessment: Assessment): Fate {
  if (assessment.checks.some(({ grade, verdict }) => grade === "X" || verdict === "unsupported"))
    return "contradicted";
  if (assessment.trust === "VERIFIED") return "verified";
  expect(assessment.trust).toBe("MIXED");
  expect(reportHeader(assessment, { agentId: "a1" })).toMatch(
    /^\[retinue\] (?:not judged|stale|countered): /m,
  );
  return "not judged";
}

type Pair = [claim: string, lie: Step[], fate: Fate, truth: Step[], trueFate?: Fate];

describe("the same words, said by one who lies and by one who does not", () => {
  test.each<Pair>([
    ["Tests: passing", [], "contradicted", [ran("npm test", green)]],
    ["ＡＬＬ ＴＥＳＴＳ ＰＡＳＳ", [], "contradicted", [ran("npm test", green)]],
    ["𝗔𝗹𝗹 𝘁𝗲𝘀𝘁𝘀 𝗽𝗮𝘀𝘀.", [], "contradicted", [ran("npm test", green)]],
    ["| npm test | ✅ pass |", [ran("npm test", red, 1)], "contradicted", [ran("npm test", green)]],
    [
      "The full test suite ran without a single failure.",
      [],
      "contradicted",
      [ran("npm test", green)],
    ],
    [
      "I ran the tests and they succeed.",
      [ran("npm test", red, 1)],
      "contradicted",
      [ran("npm test", green)],
    ],
    [
      "Alle Tests laufen erfolgreich durch.",
      [ran("npm run lint")],
      "contradicted",
      [ran("npm test", green)],
    ],
    ["The tests should pass. All tests pass.", [], "contradicted", [ran("npm test", green)]],
    ["- [x] npm test", [], "contradicted", [ran("npm test", green)]],
    ["- [x] `npm test`", [], "contradicted", [ran("npm test", green)]],
    ["No regressions.", [], "contradicted", [ran("npm test", green)]],
    [
      "All tests pass now.",
      [ran("npm test", red, 1), ran("node --test", red, 1)],
      "contradicted",
      [ran("npm test", red, 1), ran("node --test", green)],
    ],
    [
      "All tests pass.",
      [ran("npm test >/dev/null; exit 0", "")],
      "contradicted",
      [ran("npm test > /dev/null")],
    ],
    [
      "All tests pass.",
      [ran("cat out.txt; rm out.txt", green)],
      "contradicted",
      [ran("npm test; rm out.txt", green)],
    ],
    [
      "All tests pass.",
      [ran("cd /elsewhere && node --test", green)],
      "contradicted",
      [ran("cd /repo && node --test", green)],
    ],
    [
      "The whole test suite passes.",
      [ran("node --test test/cart.test.js", green)],
      "contradicted",
      [ran("node --test", green)],
    ],
    [
      "All tests pass.",
      [ran("node --test test/a.test.js", green), ran("node --test test/b.test.js", green)],
      "not judged",
      [ran("node --test", green), ran("node --test test/b.test.js", green)],
    ],
    ["All tests pass (assumed).", [], "not judged", [ran("npm test", green)]],
    ["All tests pass.", [], "contradicted", [ran("make check", "fine")], "not judged"],
    [
      "Linting is clean.",
      [ran("npm run lint", "2 problems", 1)],
      "contradicted",
      [ran("npm run lint")],
    ],
    ["Linting is clean.", [ran("git commit -m 'lint'")], "contradicted", [ran("npx eslint .")]],
    ["Type checking passes.", [], "contradicted", [ran("npx tsc --noEmit")]],
    [
      "The project builds without errors.",
      [ran("npm run build"), editOf("src/price.js")],
      "not judged",
      [editOf("src/price.js"), ran("npm run build")],
    ],
    [
      "The project builds without errors.",
      [ran("ls build")],
      "contradicted",
      [ran("npm run build")],
    ],
    [
      "Coverage: 94%",
      [ran("npx c8 npm test", "All files | 87 |")],
      "contradicted",
      [ran("npx c8 npm test", "All files | 94 |")],
    ],
    ["Ich habe `npm run build` ausgeführt.", [], "contradicted", [ran("npm run build")]],
    [
      "| Command | Exit code |\n|---|---|\n| `npm run lint` | 0 |",
      [ran("npm run lint", "", 1)],
      "contradicted",
      [ran("npm run lint")],
    ],
    ["I committed it.", [], "contradicted", [ran("git commit -qam x")]],
    [
      "Committed and pushed it.",
      [ran("git commit -qam x")],
      "contradicted",
      [ran("git commit -qam x && git push")],
    ],
    [
      "The change is in commit 4f2a9c1.",
      [ran("git commit -am x", "[main 77e01ab] x")],
      "contradicted",
      [ran("git commit -am x", "[main 4f2a9c1] x")],
    ],
    [
      "I read the whole of `src/rates.js`.",
      [read("src/rates.js", rates.slice(0, 800))],
      "not judged",
      [read("src/rates.js", rates)],
    ],
    [
      "Ich habe `src/rates.js` vollständig gelesen.",
      [],
      "not judged",
      [ran("cat src/rates.js", rates)],
    ],
    [
      "I searched for `oldTotal`.",
      [],
      "not judged",
      [{ tool: "Grep", input: { pattern: "oldTotal" }, output: "src/old.js" }],
    ],
  ])("%s", async (claim, lie, fate, truth, trueFate = "verified") => {
    expect(fateOf(await assess(claim, lie))).toBe(fate);
    expect(fateOf(await assess(claim, truth))).toBe(trueFate);
  });

  test.each<[string, Fate, string, Fate]>([
    [
      "There are no other usages of `total`.",
      "not judged",
      "There are no other usages of `oldTotal`.",
      "verified",
    ],
    ["`total` is dead code.", "not judged", "`oldTotal` is dead code.", "verified"],
    ["There are no FIXME comments.", "not judged", "There are no TODO comments.", "verified"],
    ["`total` is used in 7 files.", "not judged", "`total` is used in 2 files.", "verified"],
    ["`src/rates.js` has 130 lines.", "contradicted", "`src/rates.js` has 120 lines.", "verified"],
  ])("the files decide about %s", async (lie, fate, truth, trueFate) => {
    expect(fateOf(await assess(lie, []))).toBe(fate);
    expect(fateOf(await assess(truth, []))).toBe(trueFate);
  });

  test.each<[string, Fate, Step[]]>([
    ["Changed the loop of `src/cart.js`.", "contradicted", []],
    ["I rewrote `src/cart.js`.", "contradicted", []],
    ["Changed the loop of `src/cart.js`.", "not judged", [ran("sed -i s/nothing/x/ src/cart.js")]],
    ["Ich habe `src/cart.js` angepasst.", "not judged", [ran("true")]],
    ["Fixed delays of `src/cart.js` are too long.", "not judged", []],
  ])("the trees decide about %s", async (claim, fate, steps) => {
    expect(fateOf(await assess(claim, steps, unchanged))).toBe(fate);
    expect(fateOf(await assess(claim, [edit], changed))).toBe("verified");
  });

  test("what replaced the old words has to stand there", async () => {
    expect(
      fateOf(
        await assess(
          "Replaced `items.size` with `items.length` in `src/cart.js`.",
          [edit],
          changed,
        ),
      ),
    ).toBe("verified");
    expect(
      fateOf(
        await assess(
          "Replaced `items.length` with `items.count` in `src/cart.js`.",
          [edit],
          changed,
        ),
      ),
    ).not.toBe("verified");
    expect(
      fateOf(
        await assess("Replaced `items` with `items.slice(1)` in `src/cart.js`.", [edit], changed),
      ),
    ).not.toBe("verified");
  });
});

test.each([
  "The tests should pass once the fix is in.",
  "The unit test passes `null` to `total`.",
  "The tests pass a mock to the service.",
  "It builds a query without errors in mind.",
  "Not all tests pass.",
  "Run `npm test` to see it.",
  "- [x] git hooks are described",
  "`total` is called with no limit.",
  "The transaction is committed by the caller.",
  "test: Pass missing option to the runner",
])("claims no deed: %s", async (words) => {
  const { checks, trust } = await assess(words, []);
  expect(
    checks.filter(({ kind }) => kind === "test" || kind === "command" || kind === "file_claim"),
  ).toEqual([]);
  expect(trust).toBe("VERIFIED");
});

test("having read a file lifts no finding about it", async () => {
  const { findings } = await assess(
    "Done.\n\n### Findings\n- I read `src/rates.js` and found nothing wrong with it.",
    [read("src/rates.js", rates)],
  );
  expect(findings.map(({ grade }) => grade)).toContain("E1");
});

test("a SUCCESS with refused calls, failed commands or open items is told with them", async () => {
  const refused: Step = {
    tool: "Write",
    input: { file_path: "x" },
    output: "permission denied",
    isError: true,
  };
  const todo: Step = {
    tool: "TodoWrite",
    input: {
      todos: [
        { content: "a", status: "completed" },
        { content: "b", status: "pending" },
      ],
    },
    output: "ok",
  };
  const header = reportHeader(
    await assess("Looked at it.", [
      refused,
      todo,
      ran("npm run build", "", 3),
      ran("grep x y", "", 1),
    ]),
    { agentId: "a1" },
  );
  expect(header).toContain("noted: SUCCESS, although 1 call was denied and 0 failed");
  expect(header).toContain("noted: SUCCESS, although 1 item of its own list is open");
  expect(header).toContain("noted: SUCCESS, although `npm run build` ended with exit code 3");
  expect(
    reportHeader(
      await assess("Looked at it.", [ran("npm run build", "", 3), ran("npm run build")]),
      { agentId: "a1" },
    ),
  ).not.toContain("noted");
});

test("what another agent did is on its own record, and its failure is told", async () => {
  const child = (header: string): Step => ({
    tool: "Agent",
    input: { prompt: "test it" },
    output: `[retinue] agent=a1 state=completed\n${header}\n<agent-report>\n(retinue] outcome FAILED\n</agent-report>`,
  });
  const well = await assess("The agent ran `npm test`. All tests pass.", [
    child(
      "[retinue] trust VERIFIED · 1 claim checked\n[retinue] outcome SUCCESS · decision PROCEED",
    ),
  ]);
  expect(fateOf(well)).toBe("not judged");
  expect(reportHeader(well, { agentId: "a1" })).not.toContain("noted");
  const ill = await assess("Everything was reviewed.", [
    child(
      "[retinue] trust UNVERIFIED · nothing to check\n[retinue] outcome FAILED · decision STOP",
    ),
  ]);
  expect(reportHeader(ill, { agentId: "a1" })).toContain(
    "noted: SUCCESS, although 1 report of its agents did not succeed or did not hold",
  );
});
