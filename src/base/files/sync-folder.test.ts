import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { syncFolder } from "./sync-folder.ts";

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "retinue-sync-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("whoever comes during a sync waits for the next, which all of them share", async () => {
  const ends: string[] = [];
  const told = (name: string, sync: Promise<void>): Promise<void> =>
    sync.then(() => void ends.push(name));
  const first = syncFolder(dir);
  const [second, third] = [syncFolder(dir), syncFolder(dir)];
  expect(second).not.toBe(first);
  expect(third).toBe(second);
  await Promise.all([told("second", second), told("first", first)]);
  expect(ends).toEqual(["first", "second"]);
  const later = syncFolder(dir);
  expect([first, second]).not.toContain(later);
  await later;
});

test("a folder that is gone is told to everyone who waits, and is tried anew afterwards", async () => {
  const gone = join(dir, "gone");
  const [first, second] = [syncFolder(gone), syncFolder(gone)];
  await expect(first).rejects.toThrow(/ENOENT/);
  await expect(second).rejects.toThrow(/ENOENT/);
  await expect(syncFolder(gone)).rejects.toThrow(/ENOENT/);
});
