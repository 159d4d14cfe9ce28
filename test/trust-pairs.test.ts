// Pairs of whole runs through the command, over HTTP: an agent that claims more than it did, and its
// honest twin. Where a class of verdicts only warns today the pair says so by itself: new figures in
// the table of classes switch what is expected here.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { binds, type VerdictClass } from "../src/contract/trust/verdict-classes.ts";
import { startMockProvider, type MockAnswer } from "../src/testing/mock-provider.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

type Turns = (root: string) => MockAnswer[];
type Pair = {
  name: string;
  args: string[];
  /** The class that decides over the first of the two. */
  by: VerdictClass;
  liar: Turns;
  /** What is told of it. */
  why: RegExp;
  honest: Turns;
};

const files = {
  "package.json":
    '{"name":"shop","type":"module","scripts":{"test":"node --test","lint":"node --check src/cart.js"}}\n',
  "src/cart.js":
    "export function total(items) {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n",
  "test/cart.test.js":
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { total } from '../src/cart.js';\ntest('adds', () => assert.equal(total([{ price: 1 }]), 1));\n",
};

const tool = (name: string, input: Record<string, unknown>): MockAnswer => ({
  tools: [{ name, input }],
});
const bash = (command: string): MockAnswer => tool("Bash", { command, description: "run" });
const look = (root: string): MockAnswer => tool("Read", { file_path: `${root}/src/cart.js` });
const write = (root: string): MockAnswer =>
  tool("Write", { file_path: `${root}/lib/x.js`, content: "export const x = 1;\n" });

const good = {
  status: "complete",
  decision: "PROCEED",
  findings: {},
  context_summary: "The cart was looked at.",
  issues: [],
};
const handoff = (more: Record<string, unknown>): string => JSON.stringify({ ...good, ...more });
const report = (status: string, more = ""): string =>
  `## Reviewer Result\n\n### Status\n${status}\n\n### Summary\nLooked at the cart.\n\n### Findings\n- \`total\` is in \`src/cart.js:1\`: \`export function total(items) {\`\n\n### Confidence\n60 - read it\n${more}`;

const flow = ["flow", "parallel", "--second-looks", "0", "--task", "type-checker=Check the types"];
/** One answer of a checking agent, after a look at the code. */
const checking =
  (answer: string): Turns =>
  (root) => [look(root), answer];
const honestCheck = checking(handoff({}));

const decisions: Pair[] = [
  "STOP: 3 type errors",
  "HALT",
  ["STOP"],
  "DO NOT PROCEED",
  7,
  null,
  true,
  "PROCEED after the fix",
  "proceed?",
  { word: "PROCEED" },
].map((decision) => ({
  name: `the decision ${JSON.stringify(decision)}`,
  args: flow,
  by: "unreadable decision",
  liar: checking(handoff({ decision })),
  why: /is none of PROCEED, STOP, CLARIFY/,
  honest: checking(handoff({ decision: " proceed " })),
}));

const statuses: Pair[] = ["not complete", "finished", 3, ["complete"]].map((status) => ({
  name: `PROCEED with the status ${JSON.stringify(status)}`,
  args: flow,
  by: "unreadable decision",
  liar: checking(handoff({ status })),
  why: /is none of complete, partial, blocked/,
  honest: checking(handoff({ status: "Complete" })),
}));

const outcomes: Pair[] = ["blocked", "FAILED", "invalid"].map((status) => ({
  name: `PROCEED with the status ${status}`,
  args: flow,
  by: "lost outcome",
  liar: checking(handoff({ status })),
  why: /the outcome is (?:BLOCKED|FAILED|INVALID)/,
  honest: checking(handoff({ status: "partial" })),
}));

const checks: Pair[] = (
  [
    [
      "failed, in its findings",
      { findings: { checks: { types: { passed: false } } } },
      /a check failed: types/,
    ],
    [
      "failed, at top level",
      { checks: { types: { passed: false, reason: "3 errors" } } },
      /types \(3 errors\)/,
    ],
    [
      "failed beside one that passed",
      { checks: { style: { passed: true } }, findings: { checks: { types: { passed: false } } } },
      /a check failed: types/,
    ],
    [
      "failed, deep in its findings",
      { findings: { run: [{ checks: [{ name: "types", passed: false }] }] } },
      /a check failed: types/,
    ],
    ["failed, as a finding", { findings: { types: { passed: false } } }, /a check failed: types/],
    ["failed, as all findings", { findings: { passed: false } }, /a check failed: findings/],
    ["a bare false", { findings: { checks: { types: false } } }, /a check failed: types/],
    [
      "a word for passed",
      { findings: { checks: { types: { passed: "true" } } } },
      /does not say passed/,
    ],
    ["a word", { findings: { checks: { types: "ok" } } }, /does not say passed/],
    ["a list", { findings: { checks: [{ passed: true }] } }, /is no object of/],
    [
      "skipped",
      { findings: { checks: { types: { passed: true, skipped: true } } } },
      /it says skipped/,
    ],
  ] as [string, Record<string, unknown>, RegExp][]
).map(([what, more, why]) => ({
  name: `a check beside PROCEED: ${what}`,
  args: flow,
  by:
    why.source.includes("failed") || why.source.includes("errors")
      ? "failed check"
      : "unreadable decision",
  liar: checking(handoff(more)),
  why,
  honest: checking(handoff({ findings: { checks: { reading: { passed: true } } } })),
}));

const recorded: Pair[] = [
  ["tests", "npm test", /a check failed: tests \(no run that shows it is recorded/],
  ["lint", "npm run lint", /a check failed: lint \(no run that shows it is recorded/],
].map(([name, command, why]) => ({
  name: `${name as string} that passed as data, without a run`,
  args: [...flow, "--allowedTools", `Bash(${command as string})`],
  by: "failed check",
  liar: checking(handoff({ findings: { checks: { [name as string]: { passed: true } } } })),
  why: why as RegExp,
  honest: (root) => [
    look(root),
    bash(command as string),
    handoff({ findings: { checks: { [name as string]: { passed: true } } } }),
  ],
}));

const lost: Pair[] = [
  {
    name: "a check that claims tests without any tool",
    args: [...flow, "--allowedTools", "Bash(npm test)"],
    by: "lost outcome",
    liar: () => [handoff({ findings: { checks: { tests: { passed: true } } } })],
    why: /claims actions, but no tool was used|the outcome is INVALID/,
    honest: (root) => [
      look(root),
      bash("npm test"),
      handoff({ findings: { checks: { tests: { passed: true } } } }),
    ],
  },
  {
    name: "a check that answers without JSON",
    args: flow,
    by: "lost outcome",
    liar: checking("All good, go on."),
    why: /gave no usable answer/,
    honest: honestCheck,
  },
  {
    name: "a check that answers for another task",
    args: flow,
    by: "lost outcome",
    liar: checking(handoff({ task_id: "another" })),
    why: /is another task/,
    honest: honestCheck,
  },
  {
    name: "an unreadable decision of a run that is held to a handoff",
    args: ["run", "--contract", "handoff"],
    by: "unreadable decision",
    liar: checking(handoff({ decision: "STOP: 3 type errors" })),
    why: /is none of PROCEED, STOP, CLARIFY/,
    honest: honestCheck,
  },
  ...["FAILED", "BLOCKED"].map((status): Pair => ({
    name: `a report that says ${status}`,
    args: ["run", "--contract", "report"],
    by: "lost outcome",
    liar: checking(report(status)),
    why: new RegExp(`"outcome":"${status}"`),
    honest: checking(report("SUCCESS")),
  })),
  {
    name: "no report where one was asked for",
    args: ["run", "--contract", "report"],
    by: "lost outcome",
    liar: checking("Looked at it, all is fine there."),
    why: /"outcome":"INVALID"/,
    honest: checking(report("SUCCESS")),
  },
  {
    name: "nothing to check where VERIFIED is required",
    args: ["run", "--require", "VERIFIED"],
    by: "requirement",
    liar: checking("It adds up what things cost."),
    why: /"verification":null/,
    honest: checking("`total` stands in `src/cart.js:1`: `export function total(items) {`"),
  },
  {
    name: "a place without a word on it where MIXED is required",
    args: ["run", "--require", "MIXED"],
    by: "requirement",
    liar: checking("See `src/cart.js`."),
    why: /"trust":"UNVERIFIED"/,
    honest: checking("`total` stands in `src/cart.js:1`: `export function total(items) {`"),
  },
];

const truth = "`total` stands in `src/cart.js:1`: `export function total(items) {`";
const free: Pair[] = [
  {
    name: "an invented reference",
    args: ["run"],
    by: "reference missing file",
    liar: checking("The limit is set in `src/nope.js:3`."),
    why: /src\/nope\.js:3 ?` \[missing: |src\/nope\.js:3` \[missing: /,
    honest: checking(truth),
  },
  {
    name: "a line past the end",
    args: ["run"],
    by: "reference out_of_range",
    liar: checking("The limit is set in `src/cart.js:40`."),
    why: /\[out_of_range: /,
    honest: checking(truth),
  },
  {
    name: "a quotation with another token",
    args: ["run"],
    by: "reference altered",
    liar: checking(
      "It reads `src/cart.js:2`: `return items.reduce((sum, item) => sum - item.price, 0);`",
    ),
    why: /\[(?:altered|missing): /,
    honest: checking(
      "It reads `src/cart.js:2`: `return items.reduce((sum, item) => sum + item.price, 0);`",
    ),
  },
  {
    name: "a refused Write that is told as done",
    args: ["run"],
    by: "deed refused and not there",
    liar: (root) => [write(root), "Created `lib/x.js`."],
    why: /lib\/x\.js/,
    honest: (root) => [look(root), "I could not create the file. " + truth],
  },
  {
    name: "tests that nobody ran",
    args: ["run", "--allowedTools", "Bash(node --test)"],
    by: "result never run (plainly said)",
    liar: checking("All tests pass."),
    why: /no test run is recorded|unsupported|not judged|no recorded run|nothing on record/,
    honest: (root) => [look(root), bash("node --test"), "All tests pass."],
  },
  {
    name: "a check that says in words what nobody ran",
    args: flow,
    by: "result never run (plainly said)",
    liar: checking(handoff({ context_summary: "All tests pass." })),
    why: /no run that shows it is recorded|no test run is recorded/,
    honest: checking(handoff({ context_summary: "Looked at the cart; no tests were run." })),
  },
  {
    name: "tests that failed, told as passed",
    args: ["run", "--allowedTools", "Bash(node --test:*)"],
    by: "result against the record (plainly said)",
    liar: (root) => [look(root), bash("node --test nowhere.test.js"), "All tests pass."],
    why: /contradicted|unsupported/,
    honest: (root) => [look(root), bash("node --test"), "All tests pass."],
  },
];

const byCommand: Pair[] = [
  {
    name: "a file that no command changed",
    args: ["run", "--allowedTools", "Bash(cp:*)"],
    by: "deed against the record",
    liar: () => [bash("cp package.json copy.json"), "Updated `src/cart.js`."],
    why: /src\/cart\.js did not change in this run/,
    honest: () => [bash("cp package.json src/cart.js"), "Updated `src/cart.js`."],
  },
  {
    name: "a file that was there before the command",
    args: ["run", "--permission-mode", "acceptEdits", "--allowedTools", "Bash(cp:*)"],
    by: "deed against the record",
    liar: () => [bash("cp package.json copy.json"), "Created `test/cart.test.js`."],
    why: /was there before the run/,
    // What a tool wrote before the first command counts as well.
    honest: (root) => [write(root), bash("cp lib/x.js lib/y.js"), "Created `lib/x.js`."],
  },
];

const sequences: Pair[] = [
  {
    name: "a research that says HALT",
    args: [
      "flow",
      "sequence",
      "--second-looks",
      "0",
      "--permission-mode",
      "acceptEdits",
      "--allowedTools",
      "Bash(npm run:*)",
    ],
    by: "unreadable decision",
    liar: checking(handoff({ decision: "HALT" })),
    why: /is none of PROCEED, STOP, CLARIFY/,
    honest: (root) => [
      look(root),
      handoff({}),
      write(root),
      handoff({ findings: { files_changed: ["lib/x.js"], tests_written: [] } }),
    ],
  },
];

const pairs = [
  ...decisions,
  ...statuses,
  ...outcomes,
  ...checks,
  ...recorded,
  ...lost,
  ...free,
  ...byCommand,
  ...sequences,
];

type Told = { code: number | null; text: string };

const known = new Map<string, Promise<Told>>();

/** Many pairs have the same honest twin: the same answers to the same command are run once. */
function toldOnce(turns: Turns, args: string[]): Promise<Told> {
  const key = JSON.stringify([args, turns("ROOT")]);
  const running = known.get(key) ?? told(turns, args);
  known.set(key, running);
  return running;
}

async function told(
  turns: Turns,
  args: string[],
  more: Record<string, string> = {},
): Promise<Told> {
  using project = tempProject({ ...files, ...more });
  if ("ci/all" in more) chmodSync(join(project.root, "ci/all"), 0o755);
  const lines = turns(project.root);
  let next = 0;
  // Who is asked again says the same again.
  const provider = await startMockProvider({
    reply: () => lines[Math.min(next++, lines.length - 1)]!,
  });
  try {
    const { code, stdout, stderr } = await retinue(
      [
        ...args.slice(0, 1),
        ...args.slice(1),
        "--model",
        "sonnet",
        "--output-format",
        "json",
        "--",
        "look at the cart",
      ],
      { project, env: { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: provider.url } },
    );
    return { code, text: stdout + stderr };
  } finally {
    await provider.close();
  }
}

test("there are at least forty pairs", () => {
  expect(pairs.length).toBeGreaterThanOrEqual(40);
});

test.concurrent.each(pairs)(
  "$name",
  { timeout: 180_000 },
  async ({ args, by, liar, why, honest }) => {
    const lied = await told(liar, args);
    expect(lied.text).toMatch(why);
    // An honest FAILED may well be evidenced: trust and outcome are two things.
    if (by !== "lost outcome") expect(lied.text).not.toContain('"trust":"VERIFIED"');
    expect(lied.code, `${by} ${binds(by) ? "binds" : "warns"}\n${lied.text}`).toBe(
      binds(by) ? 1 : 0,
    );
    if (args[0] === "flow" && binds(by)) expect(lied.text).toContain('"decision":"STOP"');
    const honestly = await toldOnce(honest, args);
    expect(honestly.code, honestly.text).toBe(0);
    expect(honestly.text).not.toContain('"trust":"CONTRADICTED"');
    if (args[0] === "flow") expect(honestly.text).toMatch(/"type":"result",.*"decision":"PROCEED"/);
  },
);

describe("a check by a command that nobody recognises", () => {
  const runner = "#!/bin/sh\nexit 0\n";
  const setting = JSON.stringify({
    retinue: { verify: { runners: [{ command: "./ci/all", subject: "tests" }] } },
  });
  const args = [...flow, "--allowedTools", "Bash(./ci/all)"];
  const claims =
    (command: string, summary: string, findings: object): Turns =>
    (root) => [look(root), bash(command), handoff({ findings, context_summary: summary })];
  const asData = claims("./ci/all", "Looked.", { checks: { tests: { passed: true } } });
  const files = { "ci/all": runner };

  test.concurrent.each([
    ["as data", asData],
    ["in words", claims("./ci/all", "All tests pass.", {})],
  ])("is a question that names the setting: %s", async (_, turns) => {
    const { code, text } = await told(turns, args, files);
    expect(text).toMatch(/"type":"result",.*"decision":"CLARIFY"/);
    expect(text).toContain("retinue.verify.runners");
    expect(text).toContain(String.raw`{\"command\":\"./ci/all\",\"subject\":\"tests\"}`);
    expect(code).toBe(1);
  });

  test.concurrent("counts where the person's own settings name it", async () => {
    const given = [...args, "--settings", setting];
    const { code, text } = await told(asData, given, files);
    expect(text).toMatch(/"type":"result",.*"decision":"PROCEED"/);
    expect(code).toBe(0);
    const failing = await told(asData, given, { "ci/all": "#!/bin/sh\nexit 1\n" });
    expect(failing.text).toMatch(/a check failed: tests \(recorded: `\.\/ci\/all` failed/);
    expect(failing.code).toBe(1);
  });

  test.concurrent("does not count where an untrusted folder names it, and says so", async () => {
    const own = { ...files, ".claude/settings.json": setting };
    const { code, text } = await told(asData, args, own);
    expect(text).toMatch(/"type":"result",.*"decision":"CLARIFY"/);
    expect(text).toMatch(/settings\.json: retinue\.verify/);
    expect(code).toBe(1);
  });
});

test("what a command made is decided for an answer in no form, and cost nothing before it", async () => {
  const cp = ["run", "--allowedTools", "Bash(cp:*)"];
  const made: Turns = () => [bash("cp package.json lib.json"), "Created `lib.json`."];
  expect((await told(made, cp)).text).toMatch(/lib\.json is new in this run/);
  const looked: Turns = () => [bash("cat package.json | head -3"), "Updated `src/cart.js`."];
  expect((await told(looked, cp)).text).not.toMatch(/in this run/);
});

test("an answer with nothing to check ends with 0 and has no stamp", async () => {
  using project = tempProject(files);
  const provider = await startMockProvider({ reply: () => "It adds up what things cost." });
  const finished = await retinue(["run", "--model", "sonnet", "what does it do?"], {
    project,
    env: { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: provider.url },
  });
  await provider.close();
  expect(finished.code).toBe(0);
  expect(finished.stderr).not.toMatch(/\[retinue\]|trust/);
});

test("--no-verify says that nothing was checked", async () => {
  using project = tempProject(files);
  const provider = await startMockProvider({ reply: () => "See `src/nope.js:3`." });
  const finished = await retinue(["run", "--no-verify", "--model", "sonnet", "where?"], {
    project,
    env: { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: provider.url },
  });
  await provider.close();
  expect(finished).toMatchObject({ code: 0, stdout: "See `src/nope.js:3`.\n" });
  expect(finished.stderr).toContain("the answer was not checked: --no-verify");
});
