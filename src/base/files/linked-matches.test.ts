import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { linkedMatches } from "./linked-matches.ts";

const root = mkdtempSync(join(tmpdir(), "retinue-linked-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, "src/deep"), { recursive: true });
mkdirSync(join(root, "crowd"));
writeFileSync(join(root, "src/a.ts"), "");
symlinkSync("/etc", join(root, "etc-link"));
symlinkSync("/etc", join(root, ".hidden-link"));
symlinkSync("/etc/passwd", join(root, "src/deep/b.ts"));

test.each([
  ["e*/passwd", ["etc-link/passwd"]],
  ["?tc-link/../etc/hosts", ["etc-link/../etc/hosts"]],
  ["[a-f]tc-link", ["etc-link"]],
  ["*", ["etc-link"]],
  [".h*", [".hidden-link"]],
  ["src/*/b.ts", ["src/deep/b.ts"]],
  ["src/*/*.ts", ["src/deep/b.ts"]],
  ["src/*.ts", []],
  ["nothing/*", []],
  ["e*/no-such-name", []],
])("%s reaches %j through links", (pattern, expected) => {
  expect(linkedMatches(`${root}/${pattern}`).found).toEqual(
    expected.map((path) => `${root}/${path}`),
  );
});

test("says where a wildcard matches a name that begins with a dash", () => {
  mkdirSync(join(root, "dashes/inner"), { recursive: true });
  writeFileSync(join(root, "dashes/inner/-rf"), "");
  writeFileSync(join(root, "dashes/-e.txt"), "");
  const dashed = (pattern: string): boolean => linkedMatches(`${root}/dashes/${pattern}`).dashed;
  expect([dashed("*"), dashed("?e*"), dashed("[-a]*")]).toEqual([true, true, true]);
  expect([dashed("a*"), dashed("*.md"), dashed("i*/*")]).toEqual([false, false, false]);
});

test("a pattern of many stars is settled without trying for ever", () => {
  symlinkSync("/etc", join(root, "crowd", "a".repeat(250)));
  expect(linkedMatches(`${root}/crowd/${"*a".repeat(60)}b`).found).toEqual([]);
});
