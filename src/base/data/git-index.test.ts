import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { readGitIndex } from "./git-index.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const names = [".env", "a", "ä/ö", "src/deep/one.ts", "src/deep/one.tsx", "src/two.ts"];

function repository(...init: string[]): { folder: string; git: (...words: string[]) => string } {
  const folder = mkdtempSync(join(tmpdir(), "retinue-index-"));
  folders.push(folder);
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", folder, ...words], { encoding: "utf8", stdio: "pipe" });
  git("init", "-q", ...init);
  for (const name of names) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
  git("add", "-A");
  return { folder, git };
}

const read = (folder: string) => readGitIndex(readFileSync(join(folder, ".git", "index")));

test.each([2, 3, 4])("lists what git lists, form %i", (version) => {
  const { folder, git } = repository();
  // The third form is used where an entry has more flags.
  if (version === 3) {
    writeFileSync(join(folder, "meant"), "");
    git("add", "-N", "meant");
  } else git("update-index", "--index-version", String(version));
  expect(readFileSync(join(folder, ".git", "index")).readUInt32BE(4)).toBe(version);
  expect(read(folder)).toEqual(git("ls-files", "-z").split("\0").slice(0, -1));
});

test("lists what git lists, with longer hashes", () => {
  const { folder, git } = repository("--object-format=sha256");
  expect(read(folder)).toEqual(git("ls-files", "-z").split("\0").slice(0, -1));
});

test("does not vouch for a split index, a cut one or another file", () => {
  const { folder, git } = repository();
  const whole = readFileSync(join(folder, ".git", "index"));
  for (let length = 0; length < whole.length; length += 7)
    expect(readGitIndex(whole.subarray(0, length))).toBeUndefined();
  expect(readGitIndex(Buffer.from("DIRC of another kind, long enough"))).toBeUndefined();
  git("update-index", "--split-index");
  expect(read(folder)).toBeUndefined();
});
