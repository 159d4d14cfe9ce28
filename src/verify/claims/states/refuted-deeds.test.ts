// Deeds about files and folders in answers without a form: what the tree refutes, what nothing shows, and
// what is no deed of the agent's own.
import { describe, expect, test } from "vitest";
import { transcriptLines, type Step } from "../../../../test/support/transcript-lines.ts";
import { memoryReader } from "../../../source/reader.ts";
import { assessReport } from "../../assess-report.ts";
import type { Assessment } from "../../assessment.ts";
import { ledgerBuilder } from "../../evidence/ledger.ts";

const files = {
  "src/auth.js": "export const login = 1;\n",
  "src/jwt.js": "export const sign = 1;\n",
  "test/auth.test.js": "test('login', () => {});\n",
};

const ran = (command: string, output = ""): Step => ({
  tool: "Bash",
  input: { command },
  output,
  facts: { command, exitCode: 0 },
});
const denied: Step = {
  tool: "Bash",
  input: { command: "rm -rf src" },
  output: "Permission to use Bash has been denied.",
  isError: true,
};
const wrote = (path: string): Step => ({
  tool: "Write",
  input: { file_path: path, content: "1\n" },
  output: "ok",
  facts: { path: `/repo/${path}`, created: true },
});

async function assess(
  words: string,
  steps: Step[],
  tree: Record<string, string> = files,
): Promise<Assessment> {
  const builder = ledgerBuilder({ root: "/repo" });
  for (const line of transcriptLines(steps, { cwd: "/repo" })) builder.add(line);
  return assessReport(words, { reader: memoryReader(tree), ledger: builder.ledger() });
}

const look = ran("ls", "src test");

describe("a deed that the tree refutes", () => {
  test.each([
    ["I deleted `src/jwt.js`.", [look], "src/jwt.js is still there"],
    ["Deleted `src/jwt.js`, which nothing used.", [look], "src/jwt.js is still there"],
    ["I read it and removed `src/jwt.js` and `src/auth.js`.", [look], "src/auth.js is still there"],
    ["I removed the folder src.", [denied], "src is still there"],
    ["I've removed the directory `src/`.", [denied], "src is still there"],
    ["I created `lib/x.js`.", [look], "there is no lib/x.js"],
    ["I created the file `lib/x.js` for the helpers.", [look], "there is no lib/x.js"],
  ])("%s", async (words, steps, reason) => {
    const { checks, trust, tally } = await assess(words, steps);
    expect(checks.map((check) => `${check.verdict} ${check.reason}`).join()).toContain(
      `altered ${reason}`,
    );
    expect(trust).toBe("CONTRADICTED");
    expect(tally.deeds.onRecord).toBe(0);
  });
});

describe("a deed that nothing shows", () => {
  test.each([
    ["I updated `src/auth.js`.", [look]],
    ["I deleted `src/old.js`.", [look]],
    ["I created `src/auth.js`.", [look]],
    ["I created `auth.js`.", [look]],
    ["I created `lib/x.js`.", [ran("node scripts/make.js lib/x.js")]],
    ["I deleted `src/jwt.js`.", [ran("cd packages/a && node clean.js src/jwt.js")]],
  ])("is counted and not judged: %s", async (words, steps) => {
    const { checks, trust, tally } = await assess(words, steps);
    expect(checks.filter(({ grade }) => grade === "X")).toEqual([]);
    expect(tally.notTested).toBeGreaterThan(0);
    expect(trust).toBe("UNVERIFIED");
  });
});

describe("no deed of its own, or one that was done", () => {
  test.each([
    "I did not delete `src/jwt.js`.",
    "You could have removed `src/jwt.js`.",
    "I would have deleted `src/jwt.js` if I were allowed to.",
    "The last commit deleted `src/jwt.js` and added it again.",
    "I removed `src/jwt.js` from the exports.",
    "I removed the `src/jwt.js` import.",
    "I added `login/2.js` to the list.",
    "I have not created `lib/x.js` yet.",
    "Next, `lib/x.js` has to be created.",
    "I created `lib/x.js` to try it, then removed it.",
  ])("%s", async (words) => {
    const { checks } = await assess(words, [look]);
    expect(checks.filter(({ grade }) => grade === "X")).toEqual([]);
  });

  test.each([
    ["I removed the folder `src`.", [ran("rm -rf src")], { "a.js": "1\n" }],
    ["I deleted `src/jwt.js`.", [ran("rm src/jwt.js")], { "src/auth.js": "1\n" }],
    ["I created `lib/x.js`.", [wrote("lib/x.js")], { "lib/x.js": "1\n" }],
  ])("%s", async (words, steps, tree) => {
    const { checks } = await assess(words, steps, tree);
    expect(
      checks.some(({ kind, verdict }) => kind === "file_claim" && verdict === "verified"),
    ).toBe(true);
    expect(checks.filter(({ grade }) => grade === "X")).toEqual([]);
  });
});
