import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { permittedReader } from "../../source/reader.ts";
import { treeReader } from "../../source/tree-reader.ts";
import { verifyReport } from "../verify-report.ts";
import { statedCommit } from "./stated-commit.ts";

let root = "";
let reviewed = "";
const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
    encoding: "utf8",
  }).trim();
const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
const body = "export function sumOfCart(items) {\n  return items.length;\n}\n";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "retinue-stated-"));
  git("init", "-q");
  write("cart.js", body);
  git("add", "-A");
  git("commit", "-qm", "first");
  reviewed = git("rev-parse", "HEAD");
  write("cart.js", `${"// one more line\n".repeat(40)}${body}`);
  write("REVIEW.md", "# Review\n");
  git("add", "-A");
  git("commit", "-qm", "second");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const review = (head: string, line: number): string =>
  `# Review\n\n${head}\n\n## Findings\n\n- \`sumOfCart\` is defined at \`cart.js:${line}\`.\n`;
const checksOf = (text: string, reader = treeReader(root)): { verdict: string; reason: string }[] =>
  verifyReport(text, { reader, document: "REVIEW.md" }).checks;

test("a place that held at the commit which the document names is not held against it", () => {
  const told = `Reviewed on branch main, commit \`${reviewed.slice(0, 9)}\`.`;
  expect(checksOf(review("Reviewed today.", 1))[0]?.verdict).toBe("wrong_symbol");
  const [check] = checksOf(review(told, 1));
  expect(check?.verdict).toBe("unverifiable");
  expect(check?.reason).toContain(`it stood there at ${reviewed.slice(0, 9)}`);
  expect(checksOf(review(told, 3))[0]?.verdict).toBe("wrong_symbol");
});

test("of a commit that is not in the repository nothing can be told", () => {
  const [check] = checksOf(review("Commit: `0123456789ab`", 1));
  expect(check?.verdict).toBe("unverifiable");
  expect(check?.reason).toContain("0123456789ab, the commit that the document names, is not here");
  expect(checksOf(review("Commit: `0123456789ab`", 41))[0]?.verdict).toBe("verified");
});

test("an agent that may not read a file is told nothing of its older states", () => {
  const reader = permittedReader(treeReader(root), (path) => path !== "cart.js");
  expect(reader.at?.(reviewed)?.read("cart.js")).toEqual({ ok: false, why: "denied" });
});

test.each([
  ["git_commit: 406e426aa1", "406e426aa1"],
  ["Audited base: `e6b22e9dfd44`", "e6b22e9dfd44"],
  ["**Repo state:** `main` @ `66d33f03`", "66d33f03"],
  ["| Commit | `0b03b4f` |", "0b03b4f"],
  ["commit 0b03b4f, before commit 16f51b3", "0b03b4f"],
  ["> 기준 커밋 `3728685` (main, clean)", "3728685"],
  ["Reviewed `18f8401..ea3271f` on main", "ea3271f"],
  ["committed by deadbeef", undefined],
])("%s names %s", (text, commit) => {
  expect(statedCommit(text)).toBe(commit);
});
