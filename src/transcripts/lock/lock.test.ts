import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockHolder, lockPathOf, lockTranscript } from "./lock.ts";

let dir: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "retinue-lock-"));
  path = join(dir, "t.jsonl");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

const content = () => JSON.parse(readFileSync(lockPathOf(path), "utf8")) as Record<string, unknown>;
/** As another process would: in a file of its own. */
const leave = (lock: object | string) => {
  rmSync(lockPathOf(path), { force: true });
  writeFileSync(lockPathOf(path), typeof lock === "string" ? lock : JSON.stringify(lock));
};
const isHolder = (name: string): boolean => name.endsWith(".holder");
/** What is left but the file that this process keeps for its next lock. */
const left = () => readdirSync(dir).filter((name) => !isHolder(name));

test.each([
  ["a folder", (at: string) => mkdirSync(at)],
  ["a pipe", (at: string) => void spawnSync("mkfifo", [at])],
  ["a link", (at: string) => symlinkSync("/proc/self/stat", at)],
])("%s in the lock's place is held by nobody and says so to who wants to write", (_what, put) => {
  put(lockPathOf(path));
  expect(lockHolder(path)).toBeUndefined();
  expect(() => lockTranscript(path)).toThrow(/is no regular file; move it away/);
});

test("TRANS-05 the second writer is refused and the first keeps its lock", () => {
  const lock = lockTranscript(path);
  expect(() => lockTranscript(path)).toThrow(expect.objectContaining({ code: "running" }) as Error);
  expect(lockHolder(path)?.pid).toBe(process.pid);
  lock.release();
  expect(lockHolder(path)).toBeUndefined();
  lockTranscript(path).release();
  expect(left()).toEqual([]);
});

test("TRANS-05 a lock of another live process is respected", async () => {
  const child = spawn("sleep", ["60"]);
  children.push(child);
  await new Promise((resolve) => child.once("spawn", resolve));
  const own = lockTranscript(path);
  const mine = content();
  own.release();
  leave({ ...mine, pid: child.pid, startTime: null });
  expect(() => lockTranscript(path)).toThrow(/process \d+/);
});

test("TRANS-06 takes over the lock of a dead process, a reused pid, an earlier boot, and one that says nothing", () => {
  const own = lockTranscript(path);
  const mine = content();
  own.release();
  for (const stale of [
    { ...mine, pid: 2 ** 22 - 1 },
    { ...mine, startTime: "1" },
    { ...mine, bootId: "another" },
    "",
    "garbage",
    "null",
    "{}",
    { pid: -1 },
    { pid: 0 },
  ]) {
    leave(stale);
    const lock = lockTranscript(path);
    expect(content()["pid"]).toBe(process.pid);
    lock.release();
    expect(left()).toEqual([]);
  }
});

test("TRANS-06 a guard left by a crash in the middle of a takeover does not block the next one", () => {
  leave({ pid: 2 ** 22 - 1, startTime: "1", bootId: null });
  writeFileSync(
    `${lockPathOf(path)}.next`,
    JSON.stringify({ pid: 2 ** 22 - 2, startTime: "1", bootId: null }),
  );
  lockTranscript(path).release();
  expect(left()).toEqual([]);
});

test("releasing does not remove a lock that is no longer ours", () => {
  const lock = lockTranscript(path);
  leave({ pid: 1, startTime: null, bootId: null });
  lock.release();
  expect(content()["pid"]).toBe(1);
});

test("a lock is handed to another process without a moment in which nobody holds it; only that process can take it", async () => {
  const child = spawn("sleep", ["60"]);
  children.push(child);
  await new Promise((resolve) => child.once("spawn", resolve));
  const lock = lockTranscript(path);
  lock.handTo(child.pid!);
  lock.release();
  expect(lockHolder(path)).toMatchObject({ pid: child.pid, handed: true });
  expect(() => lockTranscript(path)).toThrow(expect.objectContaining({ code: "running" }) as Error);
});

test("a process takes the lock that was handed to it, once", () => {
  lockTranscript(path).handTo(process.pid);
  const taken = lockTranscript(path);
  expect(() => lockTranscript(path)).toThrow(expect.objectContaining({ code: "running" }) as Error);
  taken.release();
  expect(left()).toEqual([]);
});

test("locks of one folder are links to one file, closed to others, which goes when no lock was taken for a while", async () => {
  const [one, two] = [lockTranscript(path), lockTranscript(join(dir, "u.jsonl"))];
  const [holder, ...others] = readdirSync(dir).filter(isHolder);
  expect(others).toEqual([]);
  expect(statSync(join(dir, holder!))).toMatchObject({
    ino: statSync(lockPathOf(path)).ino,
    nlink: 3,
  });
  expect(statSync(join(dir, holder!)).mode & 0o777).toBe(0o600);
  one.release();
  two.release();
  await expect.poll(() => readdirSync(dir), { timeout: 10_000 }).toEqual([]);
  lockTranscript(path).release();
});

test("a lock can be taken after the file behind it, or the whole folder, was removed", () => {
  lockTranscript(path).release();
  for (const name of readdirSync(dir)) rmSync(join(dir, name));
  lockTranscript(path).release();
  rmSync(dir, { recursive: true });
  const lock = lockTranscript(path);
  expect(lockHolder(path)?.pid).toBe(process.pid);
  lock.release();
});

test("a call that lost its lock to a later call of the same process does not release that one", () => {
  const first = lockTranscript(path);
  rmSync(lockPathOf(path));
  const second = lockTranscript(path);
  first.release();
  first.release();
  expect(lockHolder(path)?.pid).toBe(process.pid);
  second.release();
  expect(left()).toEqual([]);
});

test("TRANS-06 what a killed process left behind its lock goes with the takeover, and a process that ends leaves nothing", () => {
  const script = join(dir, "taker.mjs");
  buildSync({
    entryPoints: [join(import.meta.dirname, "lock.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const take = (end: string) =>
    spawnSync(process.execPath, [
      "--input-type=module",
      "-e",
      `import { lockTranscript } from ${JSON.stringify(script)}; const lock = lockTranscript(${JSON.stringify(path)}); ${end}`,
    ]);
  take("lock.release(); process.exit(0)");
  expect(readdirSync(dir)).toEqual(["taker.mjs"]);
  take("process.kill(process.pid, 'SIGKILL')");
  const [dead] = readdirSync(dir).filter(isHolder);
  expect(lockHolder(path)).toBeUndefined();
  lockTranscript(path).release();
  expect(readdirSync(dir)).not.toContain(dead);
  expect(left()).toEqual(["taker.mjs"]);
});
