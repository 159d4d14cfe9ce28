// Whose failure it is: the environment's, that of the state before, or the change's.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempProject, type TempProject } from "../testing/temp-project.ts";
import { openBeforeState } from "./before-state.ts";
import type { History } from "./judge-failure.ts";
import { validateProject } from "./validate-project.ts";

const scripts = (all: Record<string, string>): string => JSON.stringify({ scripts: all });
/** Names every bad line of the source; a check that reads its dependency first. */
const lint =
  "node -e \"require('helper'); const t = require('fs').readFileSync('a.txt', 'utf8').split('\\n'); const bad = t.flatMap((l, i) => l.includes('bad') ? ['a.txt:' + (i + 1) + ': error: ' + l] : []); console.log(bad.join('\\n')); process.exit(bad.length ? 1 : 0)\"";

function committed(files: Record<string, string>): TempProject {
  const project = tempProject({ ".gitignore": "node_modules\ndist\n", ...files });
  execFileSync("git", ["init", "-q"], { cwd: project.root });
  return project;
}

const helper = { "node_modules/helper/index.js": "module.exports = 1;\n" };

function historyOf(project: TempProject): History {
  const before = openBeforeState(project.root, `${project.home}/before`)!;
  return { before, checks: new Map() };
}

test("a failure of before is told and speaks against nobody; what the change adds does", async () => {
  using project = committed({
    ...helper,
    "package.json": scripts({ lint, test: "true" }),
    "a.txt": "fine\nbad one\n",
  });
  const history = historyOf(project);
  writeFileSync(project.path("a.txt"), "new line\nfine\nbad one\n");
  const same = await validateProject({ root: project.root, history });
  expect(same).toMatchObject({
    decision: "PROCEED",
    checks: { lint: { passed: true, skipped: true, cause: "broken before" } },
    issues: ["lint: broken before this run, in the same way: a.txt:3: error: bad one"],
  });
  writeFileSync(project.path("a.txt"), "fine\nbad one\nbad two\n");
  const more = await validateProject({ root: project.root, history });
  expect(more).toMatchObject({
    decision: "STOP",
    checks: { lint: { passed: false, errors: ["a.txt:3: error: bad two"] } },
  });
  expect(history.checks.size, "the check of before ran once").toBe(1);
  writeFileSync(project.path("a.txt"), "fine\nbad one\nbad one\n");
  expect(
    (await validateProject({ root: project.root, history })).decision,
    "the same line once more is one more",
  ).toBe("STOP");
  history.before.close();
});

test("a check that passed before is broken by this; so is one that cannot be run at the state before", async () => {
  using project = committed({
    ...helper,
    "package.json": scripts({
      lint,
      test: "test -f dist/out || { echo '1 failed: no build'; exit 1; }",
    }),
    "a.txt": "fine\n",
  });
  const history = historyOf(project);
  writeFileSync(project.path("a.txt"), "bad\n");
  expect(await validateProject({ root: project.root, history })).toMatchObject({
    decision: "STOP",
    checks: { lint: { passed: false }, tests: { cause: "broken before" } },
  });
  history.before.close();
  const unknown = await validateProject({ root: project.root });
  expect(unknown.checks.tests).toMatchObject({ passed: false });
});

test("a failure of another kind than before is the change's", async () => {
  using project = committed({
    "package.json": scripts({ test: "node run.js", lint: "true" }),
    "run.js": "console.log('1 failed: adds'); process.exit(1);\n",
  });
  const history = historyOf(project);
  writeFileSync(project.path("run.js"), "console.log('1 failed: adds'); process.exit(2);\n");
  expect((await validateProject({ root: project.root, history })).checks.tests.passed).toBe(false);
  writeFileSync(project.path("run.js"), "throw new Error('cannot start');\n");
  expect((await validateProject({ root: project.root, history })).checks.tests.passed).toBe(false);
  history.before.close();
});

test("a tool that is not installed is skipped, and CLARIFY where all are", async () => {
  using project = committed({
    "package.json": scripts({ lint: "no-such-linter .", test: "true" }),
  });
  const history = historyOf(project);
  expect(await validateProject({ root: project.root, history })).toMatchObject({
    decision: "PROCEED",
    checks: {
      lint: { skipped: true, cause: "not installed", reason: "not installed: no-such-linter" },
    },
    issues: ["lint: not installed: no-such-linter"],
  });
  history.before.close();
  using none = committed({
    "package.json": scripts({ lint: "no-such-linter .", test: "no-such-runner" }),
  });
  expect(await validateProject({ root: none.root })).toMatchObject({
    decision: "CLARIFY",
    questions: [
      expect.stringMatching(/not installed: no-such-linter.*not installed: no-such-runner/),
    ],
  });
});

test("a change that takes the tool away has broken the check", async () => {
  using project = committed({ "package.json": scripts({ test: "true", lint: "true" }) });
  const history = historyOf(project);
  writeFileSync(project.path("package.json"), scripts({ test: "no-such-runner", lint: "true" }));
  expect((await validateProject({ root: project.root, history })).checks.tests).toMatchObject({
    passed: false,
  });
  history.before.close();
});

test("the search for secrets looks at what the run changed", async () => {
  const token = (end: string): string =>
    `export const t = "ghp_${"a1B2c3D4e5".repeat(3)}f6G7h${end}";\n`;
  using project = committed({
    "package.json": scripts({ test: "true" }),
    "old.js": token("1"),
    "both.js": token("2"),
  });
  const history = historyOf(project);
  writeFileSync(project.path("both.js"), `// changed\n${token("2")}`);
  const clean = await validateProject({ root: project.root, history });
  expect(clean).toMatchObject({
    decision: "PROCEED",
    checks: {
      security: { reason: expect.stringContaining("1 changed file was searched") as string },
    },
  });
  mkdirSync(project.path("lib"));
  writeFileSync(project.path("lib/new.js"), token("3"));
  expect((await validateProject({ root: project.root, history })).checks.security).toMatchObject({
    passed: false,
    errors: ["lib/new.js:1: github-token"],
  });
  history.before.close();
});

test("nothing of it is left behind, and the repository is not written to", async () => {
  using project = committed({ "package.json": scripts({ test: "exit 1" }), "a.txt": "x\n" });
  const objects = (): string[] =>
    readdirSync(project.path(".git/objects"), { recursive: true }) as string[];
  const had = objects();
  const history = historyOf(project);
  await validateProject({ root: project.root, history });
  const folder = (await history.before.folder())!;
  expect(existsSync(folder)).toBe(true);
  history.before.close();
  expect(existsSync(folder)).toBe(false);
  expect(objects()).toEqual(had);
});
