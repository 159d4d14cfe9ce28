import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

const open: TempProject[] = [];
afterEach(() => open.splice(0).forEach((project) => project.remove()));

function shop(): TempProject {
  const project = tempProject();
  open.push(project);
  cpSync("assets/demo-project", project.root, { recursive: true });
  return project;
}

const ask = async (project: TempProject, prompt: string, flags: string[] = []): Promise<string> =>
  (await retinue(["run", "--model", "offline", ...flags, "--", prompt], { project })).stdout;

test.each([
  ["where is volumeDiscount defined?", "`src/discounts.js:11`, a definition: `"],
  ["Where does `percentOf` come from?", "`src/money.js:18`, a definition: `"],
  ["show me the class `Cart`", "`src/cart.js:7`, a definition: `"],
  ["what is in discounts.js", "- `src/discounts.js`"],
  ["how is the best discount chosen", "- `src/discounts.js:"],
])("%s", async (question, expected) => {
  const answer = await ask(shop(), question);
  expect(answer).toMatch(/^\d+ places? match/);
  const first = answer.split("\n").find((line) => line.startsWith("- "));
  expect(first, "definitions come before uses").toContain(expected);
});

test("a quoted text may be long", async () => {
  const project = shop();
  const text = `The reason is told ${"again and ".repeat(30)}again.`;
  writeFileSync(join(project.root, "src", "reason.js"), `// ${text}\n`);
  expect(await ask(project, `where is "${text}" written?`)).toContain("`src/reason.js:1`");
});

test("its places hold, and nothing more is said of it", async () => {
  const project = shop();
  const finished = await retinue(
    ["run", "--model", "offline", "--agent", "Explore", "where is bestDiscount defined and used?"],
    { project },
  );
  const [, hold, of] = /\[retinue\] search result: (\d+) of (\d+) places hold/.exec(
    finished.stderr,
  )!;
  expect(hold).toBe(of);
  expect(Number(of)).toBeGreaterThan(1);
  expect(finished.stdout + finished.stderr).not.toMatch(/VERIFIED|SUCCESS|confidence|Confidence/);
  const verified = await retinue(["verify", "-", "--format", "json"], {
    project,
    stdin: finished.stdout,
  });
  expect(JSON.parse(verified.stdout)).toMatchObject({ counts: { flagged: 0 } });
  expect(verified.code).toBe(0);
});

test.each([
  "Where is the blockchain consensus implemented?",
  "where is `frobnicate` defined?",
  "How are websocket connections retried?",
  "Which database migrations run at start?",
  "where is the OAuth token refreshed",
  "what does the kubernetes operator do",
  "Where are emails sent to customers?",
  "how is the neural network trained",
  "find the payment gateway's webhook signature check",
  "where does GraphQLSchema come from?",
])("%s: nothing matches, and there is no stamp", async (question) => {
  const finished = await retinue(["run", "--model", "offline", question], { project: shop() });
  expect(finished).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing matches\. Searched for: \S[\s\S]*no language model/),
  });
  expect(finished.stderr).not.toMatch(/\[retinue\]|VERIFIED|search result/);
});

const retry = {
  "src/retry.ts":
    "/** Only calls that are safe are retried. */\nexport async function withRetry(call) {\n  return call();\n}\n",
  "docs/team.md": "Decisions need a consensus. Customers are asked first.\n",
};

test.each([
  ["how does retry work and why does it fail?", "2 places match retry", "withRetry"],
  ["where are retries decided, and what is not retried?", "2 places match retries", "withRetry"],
  ["where is the retry policy?", "places match retry (no line has policy)", "withRetry"],
  ["how do retries of the websocket work?", "match retries (no line has websocket)", "withRetry"],
])(
  "%s: a word that matches is told, and one that does not is named",
  async (question, told, name) => {
    const project = tempProject(retry);
    open.push(project);
    const { stdout, stderr } = await retinue(
      ["run", "--agent", "Explore", "--model", "offline", question],
      { project },
    );
    expect(stdout).toContain(told);
    expect(stdout.split("\n").find((line) => line.startsWith("- "))).toContain(name);
    expect(stderr).toMatch(/search result: (\d+) of \1 places hold/);
  },
);

test.each([
  [
    "Where is the blockchain consensus implemented?",
    "No line has blockchain; lines that only have consensus",
  ],
  ["Where are emails sent to customers?", "No line has emails; lines that only have customers"],
])("%s: the nearest word is no answer, and it says so", async (question, why) => {
  const project = tempProject(retry);
  open.push(project);
  const { stdout } = await retinue(["run", "--model", "offline", question], { project });
  expect(stdout).toMatch(/^Nothing matches\./);
  expect(stdout).toContain(why);
});

test("its list of words is no claim of an agent", async () => {
  const project = tempProject({ "src/a.js": "export const a = 1;\n" });
  open.push(project);
  const question = "make the failing test pass, all tests pass and lint is clean";
  const finished = await retinue(["run", "--model", "offline", question], { project });
  expect(finished.code).toBe(0);
  expect(finished.stdout).toMatch(/^Nothing matches\. Searched for: test, lint, clean\.$/m);
  expect(finished.stdout + finished.stderr).not.toMatch(/unsupported|contradicted/);
  const audit = await retinue(["audit", "--json"], { project });
  expect(JSON.parse(audit.stdout)).toMatchObject({
    reports: [{ model: "offline", flags: [] }],
    unjudged: [],
  });
});

test("is refused with a sentence where more than a search is asked for", async () => {
  const project = shop();
  const flow = await retinue(["flow", "sequence", "--model", "offline", "add a coupon"], {
    project,
  });
  expect(flow).toMatchObject({ code: 2, stderr: expect.stringContaining("only searches") });
  const writer = await retinue(["run", "--model", "offline", "--agent", "writer", "add it"], {
    project,
  });
  expect(writer).toMatchObject({ code: 2, stderr: expect.stringContaining("only searches") });
});

test("needs no key and no network, and changes nothing", async () => {
  const project = shop();
  const finished = await retinue(
    ["run", "--model", "offline", "--output-format", "json", "where is toCents?"],
    { project },
  );
  expect(JSON.parse(finished.stdout)).toMatchObject({
    subtype: "success",
    total_cost_usd: 0,
    permission_denials: [],
  });
});
