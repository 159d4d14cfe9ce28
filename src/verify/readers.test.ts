import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commitReader } from "../source/commit-reader.ts";
import { treeReader } from "../source/tree-reader.ts";
import { verifyReport } from "./verify-report.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "retinue-verify-"));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "a.ts"), "export function alpha() {\n  return 1;\n}\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync(
    "git",
    ["-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args],
    { stdio: "pipe" },
  );
const verdictOf = (report: string, reader = treeReader(root)) =>
  verifyReport(report, { reader }).checks[0]?.verdict;

describe("the working tree", () => {
  test("a folder without git is walked; links that leave the root are never opened", () => {
    const outside = mkdtempSync(join(tmpdir(), "retinue-outside-"));
    writeFileSync(join(outside, "secret.ts"), "export const hidden = 1;\n");
    symlinkSync(join(outside, "secret.ts"), join(root, "src", "link.ts"));
    symlinkSync(outside, join(root, "out"));
    symlinkSync(root, join(root, "src", "loop"));
    try {
      const reader = treeReader(root);
      expect(reader.list().paths).toContain("src/a.ts");
      expect(reader.read("src/link.ts")).toEqual({ ok: false, why: "outside" });
      expect(verdictOf("`src/link.ts:1` (hidden)")).toBe("outside_root");
      expect(verdictOf("`out/secret.ts:1` (hidden)")).toBe("outside_root");
      expect(verdictOf("`src/a.ts:1` (alpha)")).toBe("verified");
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  test("binary, large and special files are unverifiable", () => {
    writeFileSync(join(root, "logo.png"), Buffer.from([137, 80, 78, 71, 0, 0, 1]));
    writeFileSync(join(root, "big.js"), "x\n".repeat(600_000));
    execFileSync("mkfifo", [join(root, "pipe.js")]);
    expect(verdictOf("`logo.png:1`")).toBe("unverifiable");
    expect(verdictOf("`big.js:1`")).toBe("unverifiable");
    expect(verdictOf("`pipe.js:1`")).toBe("unverifiable");
  });

  test("a git repository is listed by git; an ignored file still counts when it is named", () => {
    git("init", "-q");
    writeFileSync(join(root, ".gitignore"), "dist\n");
    mkdirSync(join(root, "dist"));
    writeFileSync(join(root, "dist", "a.js"), "function alpha() {}\n");
    expect(treeReader(root).list().paths).not.toContain("dist/a.js");
    expect(verdictOf("`dist/a.js:1` (`alpha`)")).toBe("verified");
  });

  test("a root that is no folder is a sentence", () => {
    expect(() => treeReader(join(root, "nowhere"))).toThrow(/does not exist/);
    expect(() => treeReader(join(root, "src", "a.ts"))).toThrow(/is not a folder/);
  });
});

describe("a commit", () => {
  test("of many files is read in one go", () => {
    for (let index = 0; index < 40; index++)
      writeFileSync(
        join(root, "src", `m${index}.ts`),
        `// ${"é".repeat(index)}\nexport const value${index} = ${index};\n`,
      );
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "many");
    const report = Array.from(
      { length: 40 },
      (_, index) => `- \`value${index}\` at \`src/m${index}.ts:2\``,
    ).join("\n");
    expect(verifyReport(report, { reader: commitReader(root, "HEAD") }).counts).toMatchObject({
      verified: 40,
      flagged: 0,
    });
  });

  test("is read from the object store, whatever the working tree holds", () => {
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "one");
    writeFileSync(
      join(root, "src", "a.ts"),
      "const moved = 1;\nexport function alpha() {\n  return 1;\n}\n",
    );
    expect(verdictOf("`src/a.ts:1` (`alpha`)", commitReader(root, "HEAD"))).toBe("verified");
    expect(verdictOf("`src/a.ts:1` (`alpha`)")).toBe("wrong_symbol");
    expect(verdictOf("`src/a.ts:9` (`beta`)", commitReader(root, "HEAD"))).toBe("out_of_range");
    expect(() => commitReader(root, "nope")).toThrow(/is not a commit/);
    expect(() => commitReader(root, "--help")).toThrow(/is not a commit/);
  });
});
