import { expect, test } from "vitest";
import { tempProject } from "../../testing/temp-project.ts";
import { assessReport } from "../assess-report.ts";
import { treeReader } from "../tree-reader.ts";
import { saysSomething } from "./says-something.ts";

const checkable = [
  "The limit is set in src/nope.js:3.",
  "See `total`.",
  "It stands in cart.js, line 3.",
  "All tests pass.",
  "The build succeeds and lint is clean.",
  "I ran the linter, and it found 0 errors.",
  "Created the file x.js.",
  "I deleted the old helper.",
  "total has no callers.",
  "I committed and pushed it.",
  "Coverage is 94 %.",
  "Status: SUCCESS",
  "See [the cart](src/cart.js#L3).",
];
const plain = [
  "It adds up what things cost.",
  "The parts add a number to a value, one number each, and nothing else.",
  "Yes, you can do that.",
  "Which of the two do you mean?",
];

test("what has something to check in it is looked at", async () => {
  using project = tempProject({ "src/cart.js": "export function total() {}\n" });
  const reader = treeReader(project.root);
  for (const text of [...checkable, ...plain]) {
    const { checks } = await assessReport(text, { reader, contract: "none" });
    if (checks.length > 0) expect(saysSomething(text), text).toBe(true);
  }
});

test.each(plain)("%s", (text) => {
  expect(saysSomething(text)).toBe(false);
});

test("a text in the form of a report is looked at, whatever it says", () => {
  expect(saysSomething("## X Result\n\n### Status\nSUCCESS\n")).toBe(true);
});
