import { describe, expect, test } from "vitest";
import { stancesOf } from "./stances-of.ts";

const okOf = (text: string): number | null => stancesOf(text).okAt([0, text.length]);

describe("a clause", () => {
  test.each([
    "All 12 tests pass.",
    "The build succeeds without warnings.",
    "| lint | ✅ clean |",
    "Alle Tests sind grün.",
    "Les tests passent tous.",
    "Deployed to production.",
    "I pushed the branch and opened the pull request.",
  ])("that says plainly that it ended well: %s", (text) => {
    expect(okOf(text)).toBeGreaterThan(0);
  });

  test.each([
    "The tests were not run.",
    "Nothing was deployed.",
    "Type check and lint not run.",
    "Committet habe ich nichts.",
    "The guest cart is merged into the user's cart.",
    "Please run `npm test` before you merge.",
    "The deployment did not succeed.",
    "Amounts are formatted with `Intl.NumberFormat` now.",
    "If the tests pass, merge it.",
  ])("that does not: %s", (text) => {
    expect(okOf(text)).toBeLessThan(0);
  });

  test("that is not there says nothing", () => {
    expect(stancesOf("All tests pass.").okAt([40, 50])).toBeNull();
    expect(stancesOf("").trouble(() => true)).toBe(-Infinity);
  });
});

describe("a message tells of trouble", () => {
  test.each([
    ["Done. Two tests fail.", true],
    ["All 12 tests pass.", false],
    ["I could not run the linter; it is not installed.", true],
  ])("%s: %s", (text, isTold) => {
    expect(stancesOf(text).trouble(() => true) > 0).toBe(isTold);
  });
});

test("only the clauses that are meant tell of trouble", () => {
  const { trouble } = stancesOf("All tests pass. I have not deployed it.");
  expect(trouble(() => true)).toBeGreaterThan(0);
  expect(trouble((words) => words.includes("tests"))).toBeLessThan(0);
});

test("names of features that every object has weigh nothing", () => {
  expect(okOf("constructor __proto__ toString")).toBeLessThan(0);
});
