import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commitReader } from "../../source/commit-reader.ts";
import { permittedReader } from "../../source/reader.ts";
import { treeReader } from "../../source/tree-reader.ts";
import type { Check } from "../verdict.ts";
import { verifyReport } from "../verify-report.ts";

let root = "";
const commits: string[] = [];
const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
    encoding: "utf8",
  }).trim();
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const commit = (message: string): void => {
  git("add", "-A");
  git("commit", "-qm", message);
  commits.push(git("rev-parse", "HEAD"));
};
const body =
  "export function sumOfCart(items) {\n  return items.length;\n}\n" +
  "export function emptyCart(items) {\n  items.length = 0;\n}\n";
const two =
  "- `sumOfCart` counts wrongly (`src/cart.js:7-9`).\n- `emptyCart` is unused (`src/cart.js:10`).";
const lines = (count: number, text: string): string => `${text}\n`.repeat(count);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "retinue-past-"));
  git("init", "-q");
  write("src/cart.js", lines(6, "// the cart") + body);
  write("src/old/tax-rate.js", "export const standardTaxRate = 19;\n");
  commit("first");
  write("src/cart.js", lines(40, "// the cart and more") + body);
  git("rm", "-q", "src/old/tax-rate.js");
  write("docs/REVIEW.md", "# Review\n");
  commit("second");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const checksOf = (text: string, reader = treeReader(root)): Check[] =>
  verifyReport(`# Review\n\n${text}\n`, { reader, document: "docs/REVIEW.md" }).checks;

const verdictsOf = (text: string): string[] => checksOf(text).map(({ verdict }) => verdict);

test("a kept document is told that a place was right, until when, and where it went", () => {
  const [check] = checksOf(two);
  expect(check).toMatchObject({
    verdict: "stale",
    grade: "E1",
    suggestion: { path: "src/cart.js", line: 41 },
  });
  expect(check?.reason).toMatch(
    new RegExp(`^it stood there until commit ${commits[1]!.slice(0, 10)} of \\d{4}-\\d\\d-\\d\\d `),
  );
  expect(check?.reason).toContain("now line 7 is `// the cart and more`");
});

test("a plan's place is told so too; what was never there is not", () => {
  const plan = `## Plan\n\n${two.replace("counts wrongly", "shall be renamed")}`;
  expect(verdictsOf(plan)).toEqual(["stale", "stale"]);
  expect(verdictsOf(two.replace(":10", ":21"))).not.toContain("stale");
});

test("a name that the file still has may have stood there by chance, a quotation hardly", () => {
  expect(verdictsOf("`sumOfCart` counts wrongly (`src/cart.js:7`).")).not.toContain("stale");
  const quoted = "At `src/cart.js:8`:\n\n```js\n  return items.length;\n```\n";
  expect(verdictsOf(quoted)).toContain("stale");
});

test("a file that was removed is outdated where lines of it are given", () => {
  const [check] = checksOf("- `standardTaxRate` is fixed (`old/tax-rate.js:1`).");
  expect(check?.verdict).toBe("stale");
  expect(check?.reason).toContain("removed the file; now there is no old/tax-rate.js");
});

test("an older state of the tree knows its own past only", () => {
  expect(checksOf(two, commitReader(root, commits[1]!))[0]?.verdict).toBe("stale");
  expect(checksOf(two, commitReader(root, commits[0]!))[0]?.verdict).toBe("verified");
});

test("what was committed last is the past of a file that is being changed", () => {
  const text = "- `sumOfCart` (`src/cart.js:41`)\n- `emptyCart` (`src/cart.js:44`)";
  expect(verdictsOf(text)).toEqual(["verified", "verified"]);
  write("src/cart.js", lines(60, "export {};") + body);
  const [check] = checksOf(text);
  git("checkout", "-q", "--", "src/cart.js");
  expect(check?.reason).toBe(
    "it stood there until it was changed; now line 41 is `export {};`; it stands at src/cart.js:61",
  );
});

test("where a document shows code before and after a change, it speaks of the change", () => {
  const change = two.replace("\n", "\n\nBefore:\n\n").concat("\n\nAfter:\n\nnothing\n");
  expect(verdictsOf(change)).not.toContain("stale");
  expect(verdictsOf(two.replace("\n", "\n\nBefore that:\n\n"))).toContain("stale");
});

test("what a document calls over, and an answer that no repository keeps, is not held against the past", () => {
  expect(verdictsOf(two.replaceAll("- `", "- [x] `"))).toEqual(["exists_only", "exists_only"]);
  const { checks } = verifyReport(two, { reader: treeReader(root) });
  expect(checks.map(({ verdict }) => verdict)).toEqual(["wrong_symbol", "wrong_symbol"]);
});

test("an agent that may not read a file is told nothing of its past", () => {
  const reader = permittedReader(treeReader(root), (path) => !path.startsWith("src/"));
  expect(reader.past?.({ paths: ["src/cart.js"], deleted: ["tax-rate.js"] })).toEqual(new Map());
});

test("looking at the past runs nothing that the repository names, and reads names as they are", () => {
  const mark = join(root, "ran");
  const program = join(root, "program.sh");
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`);
  chmodSync(program, 0o755);
  for (const key of ["gpg.program", "diff.external", "core.pager", "diff.x.textconv"])
    git("config", key, program);
  git("config", "log.showSignature", "true");
  write(".git/info/attributes", "*.js diff=x\n");
  const past = treeReader(root).past!({ paths: ["src/cart.js"], deleted: ["tax-rate.js", "*"] });
  expect([...past.keys()].toSorted()).toEqual(["src/cart.js", "src/old/tax-rate.js"]);
  expect(existsSync(mark)).toBe(false);
  expect(treeReader(root).past!({ paths: ["--output=x", ":(top)src"], deleted: [] }).size).toBe(0);
});

test("a file that is called like a record of the log is no record", () => {
  const blob = git("rev-parse", `${commits[0]!}:src/cart.js`);
  const named = `:100644 100644 ${blob} ${blob} M`;
  write(`odd/${named}`, "a\n");
  write(named, "a\n");
  write("odd/\u0001deadbeef 1999-01-01", "a\n");
  commit("odd names");
  for (const path of [named, "odd/\u0001deadbeef 1999-01-01"]) write(path, "b\n");
  commit("changed");
  const past = treeReader(root).past!({
    paths: [named, "odd/\u0001deadbeef 1999-01-01", "src/cart.js"],
    deleted: [],
  });
  const dates = [...past.values()].flat().map(({ date }) => date);
  expect(past.size).toBe(3);
  expect(dates).not.toContain("1999-01-01");
  expect(past.get(named)?.map(({ text }) => text)).toEqual(["b\n", "a\n"]);
});
