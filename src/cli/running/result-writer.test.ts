import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entry } from "../../../test/retinue-process.ts";
import { resultWriter } from "./result-writer.ts";

let dir: string;
beforeAll(() => (dir = mkdtempSync(join(tmpdir(), "retinue-results-"))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The command with standard output on `target`, allowed to make files of so many blocks of 1,024 bytes. */
const call = (args: string[], target: string, blocks = "unlimited") =>
  spawnSync(
    "bash",
    ["-c", `ulimit -f ${blocks}; exec "$0" "$@" > ${target}`, process.execPath, entry, ...args],
    {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", HOME: dir, NODE_COMPILE_CACHE: "", NO_COLOR: "1" },
    },
  );

test("writes everything, byte by byte the same", () => {
  const path = join(dir, "whole");
  const fd = openSync(path, "w");
  const results = resultWriter(fd);
  const texts = ["a\n", "ü".repeat(100_000), "\n"];
  for (const text of texts) results.write(text);
  closeSync(fd);
  expect(readFileSync(path, "utf8")).toBe(texts.join(""));
  expect(results.failure()).toBeUndefined();
});

test.runIf(process.platform === "linux")(
  "keeps the first failure and writes nothing behind it",
  () => {
    const fd = openSync("/dev/full", "w");
    const results = resultWriter(fd);
    results.write("lost");
    closeSync(fd);
    results.write("later");
    expect(results.failure()).toMatch(/^ENOSPC/);
  },
);

test.runIf(process.platform === "linux").each([
  ["a full device", "/dev/full", undefined],
  ["a file that takes only the beginning", "part.json", "1"],
])("a result that did not fit is no success: %s", (_what, target, blocks) => {
  const { status, stderr } = call(
    ["agents", "list", "--json"],
    target.startsWith("/") ? target : join(dir, target),
    blocks,
  );
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(
      /^error standard output could not be written \((ENOSPC|EFBIG).*is not whole.*retinue output ID/,
    ) as string,
  });
});

test("a result that fits says nothing of it", () => {
  const path = join(dir, "fits.json");
  expect(call(["agents", "list", "--json"], path)).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(readFileSync(path, "utf8"))).toBeInstanceOf(Array);
});
