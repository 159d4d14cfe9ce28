import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFileAtomic } from "./write-file-atomic.ts";

test("TRANS-15 a file is replaced in one step, durably, and nothing is left beside it", () => {
  const folder = mkdtempSync(join(tmpdir(), "retinue-atomic-"));
  try {
    const path = join(folder, "state.json");
    writeFileAtomic(path, "one");
    const first = statSync(path).ino;
    writeFileAtomic(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(statSync(path).ino).not.toBe(first);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["state.json"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
