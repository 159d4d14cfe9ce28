// Every row of faults.jsonl has a test that names it, wherever it stands.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const rows = readFileSync(join(root, "test/data/faults.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => (JSON.parse(line) as { id: string }).id);
const tests = ["src", "test"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  )
  .join("\n");

test.each(rows)("the fault %s has a test that names it", (id) => {
  expect(new RegExp(`["\`][^"\`\\n]*${id}\\b`).test(tests)).toBe(true);
});
