import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { treeReader } from "./tree-reader.ts";

let base: string;
let root: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "tree-reader-"));
  root = join(base, "root");
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  writeFileSync(join(root, "src", "a.ts"), "first");
  writeFileSync(join(root, "src", "deep", "b.ts"), "b");
  // Long enough after the last change that what a folder holds may be remembered.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(base, { recursive: true, force: true });
});

/** The clock of a file system goes in steps; in life a folder is remembered only seconds after a change. */
const oneStep = (): Promise<void> => new Promise((done) => setTimeout(done, 30));

const listed = (): string[] => [...treeReader(root).list().paths].sort();
const read = (path: string) => treeReader(root).read(path);

test("lists what is there now, though nothing had changed for a while", async () => {
  expect(listed()).toEqual(["src/a.ts", "src/deep/b.ts"]);
  expect(listed()).toEqual(["src/a.ts", "src/deep/b.ts"]);
  await oneStep();
  writeFileSync(join(root, "src", "deep", "c.ts"), "c");
  expect(listed()).toEqual(["src/a.ts", "src/deep/b.ts", "src/deep/c.ts"]);
  await oneStep();
  renameSync(join(root, "src", "a.ts"), join(root, "src", "z.ts"));
  expect(listed()).toEqual(["src/deep/b.ts", "src/deep/c.ts", "src/z.ts"]);
  await oneStep();
  rmSync(join(root, "src", "deep"), { recursive: true });
  expect(listed()).toEqual(["src/z.ts"]);
});

test("lists a change whose folder was given its old time again", async () => {
  const src = join(root, "src");
  utimesSync(src, 1_000, 1_000);
  expect(listed()).toContain("src/a.ts");
  await oneStep();
  writeFileSync(join(src, "new.ts"), "");
  utimesSync(src, 1_000, 1_000);
  expect(listed()).toContain("src/new.ts");
});

test("lists the folder that has taken the place of another one", async () => {
  mkdirSync(join(root, "other"));
  writeFileSync(join(root, "other", "x.ts"), "");
  expect(listed()).toContain("other/x.ts");
  await oneStep();
  renameSync(join(root, "src"), join(root, "old"));
  renameSync(join(root, "other"), join(root, "src"));
  expect(listed()).toEqual(["old/a.ts", "old/deep/b.ts", "src/x.ts"]);
});

test("reads a file as it is now", () => {
  const reader = treeReader(root);
  expect(reader.read("src/a.ts")).toEqual({ ok: true, text: "first" });
  writeFileSync(join(root, "src", "a.ts"), "other");
  expect(reader.read("src/a.ts")).toEqual({ ok: true, text: "other" });
});

test("reads through a link that stays inside, and through none that leads out", () => {
  writeFileSync(join(base, "secret.txt"), "outside");
  symlinkSync("a.ts", join(root, "src", "link.ts"));
  symlinkSync(join(base, "secret.txt"), join(root, "src", "out.ts"));
  symlinkSync("nowhere", join(root, "src", "lost.ts"));
  symlinkSync(base, join(root, "up"));
  symlinkSync(join(root, "src"), join(root, "in"));
  expect(read("src/link.ts")).toEqual({ ok: true, text: "first" });
  expect(read("in/a.ts")).toEqual({ ok: true, text: "first" });
  expect(read("src/out.ts")).toEqual({ ok: false, why: "outside" });
  expect(read("up/secret.txt")).toEqual({ ok: false, why: "outside" });
  expect(read("../secret.txt")).toEqual({ ok: false, why: "outside" });
  expect(read("../nothing.txt")).toEqual({ ok: false, why: "gone" });
  expect(read("src/lost.ts")).toEqual({ ok: false, why: "gone" });
  expect(read("src/none.ts")).toEqual({ ok: false, why: "gone" });
  expect(read("src")).toEqual({ ok: false, why: "special" });
});

test("notices a folder that has become a link out since its files were read", async () => {
  const reader = treeReader(root);
  mkdirSync(join(base, "elsewhere"));
  writeFileSync(join(base, "elsewhere", "a.ts"), "outside");
  expect(reader.read("src/a.ts")).toEqual({ ok: true, text: "first" });
  await Promise.resolve();
  rmSync(join(root, "src"), { recursive: true });
  symlinkSync(join(base, "elsewhere"), join(root, "src"));
  expect(reader.read("src/a.ts")).toEqual({ ok: false, why: "outside" });
});

test("keeps the text of a file only while nobody has touched it", async () => {
  const file = join(root, "src", "a.ts");
  const then = performance.now() + 60_000;
  vi.spyOn(performance, "now").mockReturnValue(then);
  utimesSync(file, 1_000, 1_000);
  const first = read("src/a.ts");
  expect(read("src/a.ts")).toBe(first);
  await oneStep();
  // The same length, and its old time again.
  writeFileSync(file, "other");
  utimesSync(file, 1_000, 1_000);
  expect(read("src/a.ts")).toEqual({ ok: true, text: "other" });
  expect(read("src/a.ts")).toBe(read("src/a.ts"));
  writeFileSync(join(root, "src", "new.ts"), "third");
  utimesSync(join(root, "src", "new.ts"), 1_000, 1_000);
  renameSync(join(root, "src", "new.ts"), file);
  expect(read("src/a.ts")).toEqual({ ok: true, text: "third" });
  rmSync(file);
  symlinkSync("deep/b.ts", file);
  expect(read("src/a.ts")).toEqual({ ok: true, text: "b" });
  rmSync(file);
  expect(read("src/a.ts")).toEqual({ ok: false, why: "gone" });
  vi.restoreAllMocks();
});

test("keeps no text of a file that was just written", () => {
  const first = read("src/a.ts");
  expect(read("src/a.ts")).toEqual(first);
  expect(read("src/a.ts")).not.toBe(first);
});
