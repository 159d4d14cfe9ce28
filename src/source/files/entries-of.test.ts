import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entriesOf } from "./entries-of.ts";

test("a folder that changed a moment ago is read at every look", () => {
  const folder = mkdtempSync(join(tmpdir(), "entries-of-"));
  try {
    for (let count = 0; count < 200; count++) {
      expect(entriesOf(folder)).toHaveLength(count);
      writeFileSync(join(folder, `file-${count}`), "");
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(entriesOf(folder)).toEqual([]);
});
