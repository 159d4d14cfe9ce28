import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const rows = readFileSync(join(root, "test/data/faults.jsonl"), "utf8").trimEnd().split("\n").map((line) => (JSON.parse(line) as { id: string }).id);
const promised = rows.filter((id) => id.startsWith("TRANS-") || /^RESUM-(?:0[789]|1[01])$/.test(id));
const tests = ["src/transcripts", "test"].flatMap((folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith(".test.ts")).map((name) => readFileSync(join(root, folder, name), "utf8"))).join("\n");

test.each(promised)("the fault %s has a test that names it", (id) => {
  expect(tests).toMatch(new RegExp(`["\`]${id} `));
});
