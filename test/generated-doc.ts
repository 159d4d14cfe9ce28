// A page that is made from the code: the test fails when it is stale, UPDATE_DOCS=1 writes it anew.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";

export function expectGenerated(path: string, text: string): void {
  if (process.env["UPDATE_DOCS"]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(
    readFileSync(path, "utf8"),
    `${path} is stale: UPDATE_DOCS=1 npx vitest run test writes it anew`,
  ).toBe(text);
}
