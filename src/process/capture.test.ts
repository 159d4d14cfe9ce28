import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCapture } from "./capture.ts";

let dir = "";
beforeAll(() => void (dir = mkdtempSync(join(tmpdir(), "capture-"))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("short output is kept whole and leaves no file", () => {
  const spillPath = join(dir, "short");
  const capture = createCapture({ characters: 100, spillPath, spillBytes: 1000 });
  capture.write(Buffer.from("grün"));
  const captured = capture.close();
  expect(captured).toEqual({
    text: "grün",
    bytes: 5,
    truncated: false,
    sha256: createHash("sha256").update("grün").digest("hex"),
  });
  expect(() => statSync(spillPath)).toThrow(/ENOENT/);
});

test("long output shows head and tail, and the private file has all of it", () => {
  const spillPath = join(dir, "long");
  const capture = createCapture({ characters: 200, spillPath, spillBytes: 100_000 });
  const text = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join("");
  for (let at = 0; at < text.length; at += 7) capture.write(Buffer.from(text.slice(at, at + 7)));
  const captured = capture.close();
  expect(captured.text).toMatch(/^line 0\nline 1\n/);
  expect(captured.text).toMatch(/line 998\nline 999\n$/);
  expect(captured.text).toMatch(/\[\.\.\. \d+ bytes left out \.\.\.\]/);
  expect(captured.text.length).toBeLessThan(260);
  expect(readFileSync(spillPath, "utf8")).toBe(text);
  expect(statSync(spillPath).mode & 0o777).toBe(0o600);
  expect(captured.sha256).toBe(createHash("sha256").update(text).digest("hex"));
});

test("the file ends at its cap and says so, while the tail stays true", () => {
  const spillPath = join(dir, "capped");
  const capture = createCapture({ characters: 100, spillPath, spillBytes: 5_000 });
  for (let index = 0; index < 100; index++) capture.write(Buffer.alloc(1_000, "x"));
  expect(capture.overflowing()).toBe(true);
  capture.write(Buffer.from("the end"));
  const captured = capture.close();
  expect(captured).toMatchObject({ bytes: 100_007, truncated: true, spillPath });
  expect(captured.text.endsWith("the end")).toBe(true);
  expect(readFileSync(spillPath, "utf8")).toBe(
    `${"x".repeat(5_000)}\n[retinue] the output went on; the rest was not kept\n`,
  );
});

test("a file that stands in the way is not overwritten, and the output survives without it", () => {
  const spillPath = join(dir, "taken");
  writeFileSync(spillPath, "mine");
  const capture = createCapture({ characters: 10, spillPath, spillBytes: 5_000 });
  capture.write(Buffer.alloc(1_000, "y"));
  expect(capture.close()).toMatchObject({
    truncated: true,
    spillProblem: expect.stringContaining("EEXIST"),
  });
  expect(readFileSync(spillPath, "utf8")).toBe("mine");
});
