import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = join(import.meta.dirname, "..", "bench", "run.mjs");

test("the bench of the loop says on stderr what it is at, where nobody sees a terminal too; its tables stay alone on stdout", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    run,
    "loop",
    "--only",
    "raw",
    "--rounds",
    "1",
    "--agents",
    "1",
    "--block",
    "http",
  ]);
  expect(stderr.trim().split("\n")).toEqual(
    ["one", "long", "many", "memory"].map(
      (scenario) => `http, ${scenario}: round 1 of 1, 1 contender`,
    ),
  );
  expect(stdout).toMatch(/^ {2}raw +\d/m);
  expect(stdout).not.toContain("round 1 of");
});
