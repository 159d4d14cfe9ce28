// Real repositories: what git shows without a path is refused only where it has recorded the file.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { factsNear } from "../../base/files/path-facts.ts";
import { decide } from "../decide.ts";
import { createPolicy } from "../policy.ts";

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "retinue-recorded-")));
  for (const [name, added] of [
    ["tracked", [".env", "src", "keys"]],
    ["ignored", ["src"]],
  ] as const) {
    const folder = join(base, name);
    for (const part of ["src", "keys/deep"]) mkdirSync(join(folder, part), { recursive: true });
    writeFileSync(join(folder, ".env"), "TOKEN=1\n");
    writeFileSync(join(folder, "src", "app.ts"), "export {};\n");
    writeFileSync(join(folder, "keys", "deep", "a.pem"), "key\n");
    execFileSync("git", ["init", "-q"], { cwd: folder });
    execFileSync("git", ["add", "-f", ...added], { cwd: folder });
  }
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function answer(repository: string, command: string, deny: string[], within = "."): string {
  const cwd = join(base, repository);
  const policy = createPolicy({
    workspace: { cwd: join(cwd, within), root: cwd, home: join(base, "home") },
    rules: { allow: [], ask: [], deny },
  });
  return decide({ tool: "Bash", input: { command } }, policy, (path, folder) =>
    factsNear(path, { cwd, home: join(base, "home"), folder }),
  ).behavior;
}

const showing = [
  "git log -p",
  "git log -p -S TOKEN --pickaxe-all",
  "git log -1 -p -- '*nv'",
  "git log -p -- .",
  "git show",
  "git show --stat -p HEAD",
  "git diff HEAD~1",
  "git diff --cached",
  "git grep TOKEN",
];

describe.each(showing)("%s", (command) => {
  test("is refused where git has recorded a file that Read may not read", () =>
    expect(answer("tracked", command, ["Read(./.env)"])).not.toBe("allow"));
  test("runs where it has not", () =>
    expect(answer("ignored", command, ["Read(./.env)"])).toBe("allow"));
});

test("a pattern of a rule is compared with the recorded paths", () => {
  expect(answer("tracked", "git diff", ["Read(**/*.pem)"])).not.toBe("allow");
  expect(answer("ignored", "git diff", ["Read(**/*.pem)"])).toBe("allow");
});

test("names and numbers are no lines, and paths behind -- limit what is shown", () => {
  for (const command of [
    "git log --oneline",
    "git log --stat",
    "git diff --name-only",
    "git show --stat",
    "git grep -l TOKEN",
    "git log -p -- src",
    "git diff -- src/app.ts",
  ])
    expect(answer("tracked", command, ["Read(./.env)"]), command).toBe("allow");
});

test("what was put aside may hold a file that git does not track", () => {
  expect(answer("ignored", "git stash list -p", ["Read(./.env)"])).not.toBe("allow");
  expect(answer("ignored", "git stash list", ["Read(./.env)"])).toBe("allow");
});

test("a commit, tracked or not, is looked at again once the index has changed", () => {
  const cwd = join(base, "ignored");
  expect(answer("ignored", "git diff", ["Read(notes.txt)"])).toBe("allow");
  writeFileSync(join(cwd, "notes.txt"), "x\n");
  execFileSync("git", ["add", "notes.txt"], { cwd });
  expect(answer("ignored", "git diff", ["Read(notes.txt)"])).not.toBe("allow");
});
