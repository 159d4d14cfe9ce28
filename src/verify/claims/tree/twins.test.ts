import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assessReport } from "../../assess-report.ts";
import { treeReader } from "../../../source/tree-reader.ts";

const first: Record<string, string> = {
  "compose.yaml": "services:\n  web:\n    image: shop\n  db:\n    image: postgres:16.3\n",
  "scripts/a.sh": "set -o pipefail\n",
  "scripts/b.sh": "echo b\n",
  ".cargo/config.toml": '[alias]\nlint = "clippy -- -D warnings"\n',
  "package.json": JSON.stringify({
    engines: { node: ">=20" },
    scripts: { build: "tsc -p . && node copy.mjs", lint: "eslint src" },
    dependencies: { dayjs: "^1.11.10", zod: "^3.23.8" },
  }),
  "README.md": "# shop\n\nExpired holds are removed lazily. Refunds are out of scope.\n",
  "CHANGELOG.md": "## 0.2.0\n\n- fix a panic on empty pages\n\n## 0.1.0\n\n- sell seats by row\n",
  "Taskfile.yml":
    "tasks:\n  test:\n    cmds: [go test]\n  build:\n    deps: [test]\n    cmds: [go build]\n",
  ".github/workflows/ci.yml": "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n",
  "src/seats.ts":
    'import { z } from "zod";\n// TODO: read the plan of the house from a file\nexport function find(id: string) {\n  if (!id) throw new Error("id is required");\n  return z.parse(id);\n}\n\nexport function lookup(id: string) {\n  return find(id);\n}\n',
  "test/seats.test.ts": 'it("finds", () => {});\nit("refuses", () => {});\n',
  "test/price.test.ts": 'it("adds", () => {});\n',
  "test/store.test.ts": "export function check() {\n  assert(one);\n  expect(two).toBe(2);\n}\n",
  "src/store.ts":
    "export class Store {\n  prune(days: number) {\n    return days;\n  }\n  clear() {\n    this.items.clear();\n  }\n}\n" +
    "export const thin = (store: Store) => store.prune(3);\n",
  Makefile: "check: lint test\nlint:\n\teslint src\ntest:\n\tvitest\n",
};
const second = {
  "src/price.ts": "export const price = 4;\nexport const rows = ['A', 'B', 'C'];\n",
};

let root = "";
const git = (...args: string[]): string => {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@localhost"];
  return spawnSync("git", ["-C", root, ...identity, ...args], { encoding: "utf8" }).stdout.trim();
};
const commit = (files: Record<string, string>, message: string): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  git("add", "-A");
  git("commit", "-q", "-m", message);
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "retinue-twins-"));
  git("init", "-q", "-b", "main");
  commit(first, "shop: first version");
  commit(second, "price: one for all");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const pairs: [about: string, right: string, wrong: string][] = [
  [
    "a quotation of the README",
    'The README is explicit: "Expired holds are removed lazily."',
    'The README is explicit: "Expired holds are removed by a timer."',
  ],
  [
    "a comment at the head of a file",
    '`src/seats.ts` has a note: "TODO: read the plan of the house from a file".',
    '`src/seats.ts` has a note: "TODO: read the prices of the house from a file".',
  ],
  [
    "a message of the program",
    "An empty id is refused with the message `id is required`.",
    "An empty id is refused with the message `name is required`.",
  ],
  ["a number of tests", "There are 3 test cases.", "There are 4 test cases."],
  [
    "the parts of a number",
    "3 tests: 2 tests in `test/seats.test.ts` and one more.",
    "4 tests: 3 tests in `test/seats.test.ts` and one more.",
  ],
  [
    "a package that nothing imports",
    "`dayjs` is declared in `package.json`, yet no file under `src/` imports it.",
    "`zod` is declared in `package.json`, yet no file under `src/` imports it.",
  ],
  [
    "a function that is called nowhere",
    "`lookup` is defined there and called nowhere.",
    "`find` is defined there and called nowhere.",
  ],
  [
    "a word in a folder",
    "There is no `console.log` call under `src/`.",
    "There is no `throw` statement under `src/`.",
  ],
  [
    "the version of a platform",
    "The engine field asks for Node 20 or newer.",
    "The engine field asks for Node 18 or newer.",
  ],
  [
    "what every file has",
    "Each of the tests in `test/seats.test.ts` is called with `it`.",
    "Every file in `src` imports `zod`.",
  ],
  [
    "what every function has",
    "No function in `src/price.ts` lacks a comment.",
    "All functions in `src/seats.ts` carry a doc comment.",
  ],
  [
    "the only place of a call",
    "`find` is called nowhere but in `src/seats.ts`.",
    "`find` is only called in `src/price.ts`.",
  ],
  ["an import", "`src/price.ts` never imports `zod`.", "`src/seats.ts` never imports `zod`."],
  ["tests of a file", "There is no test for `copy.mjs`.", "There is no test for `src/seats.ts`."],
  ["marks", "There are no FIXME comments.", "There are no TODO comments."],
  ["a number of functions", "`src/seats.ts` has 2 functions.", "`src/seats.ts` has 5 functions."],
  [
    "a package that is declared",
    "`moment` is not declared in `package.json`.",
    "`dayjs` is not declared in `package.json`.",
  ],
  ["the kind of a dependency", "`dayjs` is a runtime dependency.", "`dayjs` is a dev dependency."],
  [
    "the order of commits",
    '"shop: first version" came before "price: one for all".',
    '"price: one for all" came before "shop: first version".',
  ],
  [
    "the files of a commit",
    'The commit "price: one for all" changed only `src/price.ts`.',
    'The commit "price: one for all" changed `src/seats.ts`.',
  ],
  ["a task", "Tests are `task test`.", "Tests are `task tests`."],
  ["what runs before a task", "`task build` first runs `test`.", "`task test` first runs `build`."],
  [
    "the latest commit",
    'There are two commits, the latest being "price: one for all".',
    'There are two commits, the latest being "shop: first version".',
  ],
  [
    "the commits of a file",
    '`src/seats.ts` has been touched by one commit: "shop: first version".',
    '`src/seats.ts` has been touched by two commits: "shop: first version" and "price: one for all".',
  ],
  [
    "what a commit brought",
    '`rows` arrived in "price: one for all".',
    '`rows` arrived in "shop: first version".',
  ],
  [
    "the commit before another",
    'The commit before "price: one for all" is "shop: first version".',
    'The commit before "price: one for all" is "price: two for one".',
  ],
  [
    "commits by what they are about",
    "In the history the price was added after the shop.",
    "In the history the price was added before the shop.",
  ],
  ["the version of an image", "It runs `postgres:16.3`.", "The lock pins postgres:15.7."],
  [
    "a part of all",
    "One script is safe: 1 of the 2 scripts in `scripts/` sets `pipefail`.",
    "Both scripts in `scripts/` set `pipefail`.",
  ],
  [
    "an alias of cargo",
    "`cargo lint` expands to clippy with `-D warnings`.",
    "`cargo check-all` expands to clippy with `-D warnings`.",
  ],
  [
    "the steps of a script",
    "`npm run build` runs `node copy.mjs` in the end.",
    "`npm run build` runs `node paste.mjs` in the end.",
  ],
  [
    "a text that stands nowhere",
    'Without an id the caller sees "id is required".',
    'Without an id the caller sees "id is missing here".',
  ],
];

pairs.push(
  [
    "a line of code without a place",
    'The check is this line: `if (!id) throw new Error("id is required");`',
    'The check is this line: `if (!id) return new Error("id is required");`',
  ],
  [
    "a sentence with one other word",
    'Near the top stands "Refunds are out of scope" as a remark.',
    'Near the top stands "Returns are out of scope" as a remark.',
  ],
  [
    "assertions",
    "`test/store.test.ts` has 2 assertions.",
    "`test/store.test.ts` has 3 assertions.",
  ],
  [
    "lines of a folder",
    "The files under `scripts` come to 2 lines together.",
    "The files under `scripts` come to 12 lines together.",
  ],
  [
    "a method of one type",
    "Nothing in this repository calls `Store#clear`.",
    "Nothing in this repository calls `Store#prune`.",
  ],
  [
    "a range behind a version",
    "dayjs ^1.11.10, declared as `^1.11.10`",
    "dayjs ^1.11.10, declared as `~1.12.0`",
  ],
  [
    "what a commit left alone",
    'The last commit ("price: one for all") changed `src/price.ts` but did not touch `src/seats.ts`.',
    'The last commit ("price: one for all") changed `src/price.ts` but did not touch the tests, and the first commit did not touch `src/seats.ts`.',
  ],
  [
    "what alone a commit changed, by its noun",
    'The last commit is "price: one for all". That commit touches the price, nothing else.',
    'The last commit is "price: one for all". That commit touches the price and the store.',
  ],
);

describe("statements that tree and history decide", () => {
  const countered = async (text: string, document?: string): Promise<string[]> =>
    (
      await assessReport(text, {
        reader: treeReader(root),
        contract: "auto",
        ...(document === undefined ? {} : { document }),
      })
    ).checks
      .filter(({ verdict }) => /^(?:countered|unsupported|altered)$/.test(verdict))
      .map(({ reason }) => reason);

  test.each(pairs)("%s", async (_about, right, wrong) => {
    expect(await countered(right)).toEqual([]);
    expect(await countered(wrong)).not.toEqual([]);
  });

  test("are not held against a document that git keeps, but against one that was just written", async () => {
    const text = 'There are two commits, the latest being "shop: first version".';
    expect(await countered(text, "README.md")).toEqual([]);
    writeFileSync(join(root, "NOTES.md"), text);
    try {
      expect(await countered(text, "NOTES.md")).not.toEqual([]);
    } finally {
      rmSync(join(root, "NOTES.md"));
    }
  });

  test("know a commit that is on no branch", async () => {
    const id = git("commit-tree", "HEAD^{tree}", "-m", "squashed since").slice(0, 10);
    expect(await countered(`The fix was committed in 0a1b2c3d4e.`)).not.toEqual([]);
    expect(await countered(`The fix was committed in ${id}.`)).toEqual([]);
  });

  test.each([
    "It compiles with `tsc` and then runs `copy.mjs`.",
    "For type checks use `npm run build`.",
    "`task build` depends on `test`.",
    'The README should say "Expired holds are removed by a timer."',
    'I replaced the sentence of the README that said "Holds never expire at all."',
    "We could upgrade to `actions/checkout@v5`.",
    "dayjs 1.11.11 would be installed.",
    "Two files, three lines in all.",
    "Both examples pass `nil` to make that visible.",
    "I turned `get_db` into a generator dependency.",
    "The last commit message claims “all tests pass” for 0.2.0.",
    'The ticket says "id is missing here".',
    "It accepts about four letters.",
    "The limit of 200 rows is fixed.",
    "Coverage of lines is 82.94 %.",
    "| package | current | latest |\n|---|---|---|\n| zod | ^3.23.8 | 4.0.1 |",
  ])("says nothing against: %s", async (text) => expect(await countered(text)).toEqual([]));
});
