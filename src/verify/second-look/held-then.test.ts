import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commitReader } from "../../source/commit-reader.ts";
import { permittedReader, type RepositoryReader } from "../../source/reader.ts";
import { treeReader } from "../../source/tree-reader.ts";
import { verifyReport } from "../verify-report.ts";

let root: string;
const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
    encoding: "utf8",
  }).trim();
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const commit = (): string => {
  git("add", "-A");
  git("commit", "-qm", "work");
  return git("rev-parse", "--short=7", "HEAD");
};
const lines = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `const filler${index} = ${index};`);
const cart = [...lines(10), "export function checkoutTotal(cart) {", "  return cart.sum;", "}"];
const plan = "docs/plan.md";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "retinue-held-then-"));
  git("init", "-q");
  write("src/cart.ts", cart.join("\n"));
  write("src/old.ts", lines(30).join("\n"));
  commit();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const check = (text: string, reader: RepositoryReader = treeReader(root)) =>
  verifyReport(text, { reader, document: plan }).checks.map(({ verdict, reason }) => ({
    verdict,
    reason,
  }));

describe("a place of a document that held when its line was written", () => {
  const text =
    "# Plan\n\n## Add caching\n\nThe sum is made by `checkoutTotal` (`src/cart.ts:11`).\n";

  test("is stale once the file has moved on, and the reason names the commit", () => {
    write(plan, text);
    const then = commit();
    write("src/cart.ts", lines(60).join("\n"));
    commit();
    const [found] = check(text);
    expect(found?.verdict).toBe("stale");
    expect(found?.reason).toBe(
      `\`checkoutTotal\` stood there in ${then}; now line 11 is \`const filler10 = 10;\``,
    );
    expect(check(text, commitReader(root, "HEAD"))).toEqual([found]);
  });

  test("is stale where the commit that adds the document carries its plan out", () => {
    write(plan, text);
    write("src/cart.ts", lines(60).join("\n"));
    const then = commit();
    expect(check(text)[0]).toMatchObject({
      verdict: "stale",
      reason: expect.stringContaining(`before ${then}`),
    });
  });

  test("is stale where the file had so many lines, or was there", () => {
    const said = "The values: `src/old.ts:25`.\n\nSee `src/cart.ts` and `src/old.ts:20`.\n";
    write(plan, said);
    commit();
    write("src/old.ts", lines(3).join("\n"));
    expect(check(said).map(({ verdict }) => verdict)).toEqual(["stale", "exists_only", "stale"]);
    rmSync(join(root, "src/old.ts"));
    commit();
    expect(check(said)[0]?.reason).toMatch(/^the file was there in [\da-f]{7}; now there is no/);
  });

  test("stays what it is where the document says that the file goes, or names a commit of its own", () => {
    const said = "Delete `src/old.ts`.\n";
    const address = `https://github.com/a/b/blob/${"0123456789".repeat(4)}/src/old.ts#L25`;
    const other = `The values: [\`src/old.ts:25\`](${address}).\n`;
    write(plan, said + other);
    commit();
    rmSync(join(root, "src/old.ts"));
    commit();
    expect(check(said + other).map(({ verdict }) => verdict)).not.toContain("stale");
  });

  test("is no less told when it never held", () => {
    const said = "The sum is made by `checkoutTotal` (`src/cart.ts:2`).\n";
    write("docs/plan.md", said);
    commit();
    expect(check(said)[0]?.verdict).toBe("wrong_symbol");
  });

  test("is not looked for where files may not be read, or git has nothing", () => {
    write(plan, text);
    commit();
    write("src/cart.ts", lines(60).join("\n"));
    expect(check(text)[0]?.verdict).toBe("stale");
    expect(
      check(
        text,
        permittedReader(treeReader(root), () => true),
      )[0]?.verdict,
    ).not.toBe("stale");
    rmSync(join(root, ".git"), { recursive: true });
    expect(check(text)[0]?.verdict).not.toBe("stale");
  });

  test("is looked for without a program that the repository names", () => {
    write(plan, text);
    write(".gitattributes", "* diff=evil filter=evil\n");
    commit();
    write("src/cart.ts", lines(60).join("\n"));
    const mark = join(root, "ran");
    for (const key of ["diff.evil.textconv", "gpg.program", "filter.evil.smudge"])
      git("config", key, `touch ${mark} && cat`);
    git("config", "log.showSignature", "true");
    expect(check(text)[0]?.verdict).toBe("stale");
    expect(existsSync(mark)).toBe(false);
  });
});
