import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkHouse, checkThisHouse } from "./check-house.mjs";

const folders = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function house(files) {
  const root = mkdtempSync(join(tmpdir(), "house-"));
  folders.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return checkHouse(root);
}

test("this project's own house stands", () => {
  expect(checkThisHouse(process.cwd())).toEqual([]);
});

test.each([
  [
    "an import going up",
    { "src/base/a.ts": 'import { x } from "../loop/b.ts";\nexport const y = x;' },
    /never goes up/,
  ],
  [
    "a dynamic import going up",
    { "src/base/a.ts": 'export const y = import("../loop/b.ts");' },
    /never goes up/,
  ],
  [
    "a re-export going up",
    { "src/base/a.ts": 'export { x } from "../loop/b.ts";' },
    /never goes up/,
  ],
  [
    "a type import going sideways",
    { "src/loop/a.ts": 'import type { X } from "../tools/b.ts";\nexport type Y = X;' },
    /never goes sideways/,
  ],
  [
    "a type that is imported where it stands",
    { "src/base/a.ts": 'export type Y = import("../loop/b.ts").X;' },
    /never goes up/,
  ],
  [
    "the whole of zod",
    { "src/tools/a.ts": 'import { z } from "zod";\nexport const s = z.string();' },
    /import \* as z/,
  ],
  [
    "the locale machinery",
    { "src/cli/a.ts": "export const n = (5).toLocaleString();" },
    /base\/grouped/,
  ],
  ["node: in a pure room", { "src/loop/a.ts": 'import "node:fs";' }, /a pure room imports node:fs/],
  [
    "a module of Node without its prefix in a pure room",
    { "src/loop/a.ts": 'import { readFileSync } from "fs/promises";' },
    /a pure room imports fs\/promises/,
  ],
  [
    "the time of day in a pure room",
    { "src/loop/a.ts": "export const now = () => new Date;" },
    /a pure room uses new Date/,
  ],
  [
    "a clock in a pure room",
    { "src/contract/a.ts": "export const now = () => Date.now();" },
    /a pure room uses Date.now/,
  ],
  [
    "a cycle",
    { "src/base/a.ts": 'import "./b.ts";', "src/base/b.ts": 'import "./a.ts";' },
    /import cycle: src\/base\/a.ts -> src\/base\/b.ts -> src\/base\/a.ts/,
  ],
  [
    "a file over the cap",
    { "src/base/a.ts": "export const a = 1;\n".repeat(301).replaceAll(/a(?= =)/g, () => "a") },
    /301 lines, the cap is 300/,
  ],
  [
    "a function over the cap",
    { "src/base/a.ts": `export function f() {\n${"  void 0;\n".repeat(60)}}\n` },
    /a function of 62 lines/,
  ],
  [
    "too many parameters",
    { "src/base/a.ts": "export const f = (a: 1, b: 2, c: 3, d: 4) => [a, b, c, d];" },
    /4 positional parameters/,
  ],
  [
    "a room that is not in the plan",
    { "src/utils/a.ts": "export const a = 1;" },
    /the room "utils" is not in/,
  ],
  [
    "product code that imports the testing room",
    { "src/app/a.ts": 'import "../testing/b.ts";' },
    /for tests and the demo only/,
  ],
])("complains about %s", (_name, files, expected) => {
  expect(house(files).join("\n")).toMatch(expected);
});

test("accepts what the plan allows", () => {
  const files = {
    "src/base/a.ts": "export const a = 1;\n// Date.now() in a comment\n",
    "src/events/b.ts": 'import { a } from "../base/a.ts";\nexport const b = a;\n',
    "src/transcripts/c.ts": 'import { b } from "../events/b.ts";\nexport const c = b;\n',
    "src/loop/d.test.ts": 'import "../testing/e.ts";\nimport "node:fs";\n',
  };
  expect(house(files)).toEqual([]);
});
