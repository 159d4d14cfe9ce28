import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
const leave = (lock: object | string) => writeFileSync(lockPathOf(path), typeof lock === "string" ? lock : JSON.stringify(lock));

test("TRANS-05 the second writer is refused and the first keeps its lock", () => {
  const lock = lockTranscript(path);
  expect(() => lockTranscript(path)).toThrow(expect.objectContaining({ code: "running" }) as Error);
  expect(lockHolder(path)?.pid).toBe(process.pid);
  lock.release();
  expect(lockHolder(path)).toBeUndefined();
  lockTranscript(path).release();
  expect(readdirSync(dir)).toEqual([]);
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
  for (const stale of [{ ...mine, pid: 2 ** 22 - 1 }, { ...mine, startTime: "1" }, { ...mine, bootId: "another" }, "", "garbage", "null", "{}", { pid: -1 }, { pid: 0 }]) {
    leave(stale);
    const lock = lockTranscript(path);
    expect(content()["pid"]).toBe(process.pid);
    lock.release();
    expect(readdirSync(dir)).toEqual([]);
  }
});

test("TRANS-06 a guard left by a crash in the middle of a takeover does not block the next one", () => {
  leave({ pid: 2 ** 22 - 1, startTime: "1", bootId: null });
  writeFileSync(`${lockPathOf(path)}.next`, JSON.stringify({ pid: 2 ** 22 - 2, startTime: "1", bootId: null }));
  lockTranscript(path).release();
  expect(readdirSync(dir)).toEqual([]);
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
  expect(readdirSync(dir)).toEqual([]);
});
