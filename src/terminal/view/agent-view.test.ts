import { expect, test } from "vitest";
import { elapsed, markOf, treeRows } from "./agent-view.ts";

const judged = (trust: string | null, outcome: string | null) => ({
  trust,
  outcome,
  decision: null,
});

test.each([
  ["running", judged(null, null), "open"],
  ["asking", judged(null, null), "asking"],
  ["completed", judged(null, null), "good"],
  ["completed", judged("VERIFIED", "SUCCESS"), "good"],
  ["completed", judged("VERIFIED", "PARTIAL"), "doubtful"],
  ["completed", judged("UNVERIFIED", "SUCCESS"), "doubtful"],
  ["completed", judged("MIXED", null), "doubtful"],
  ["completed", judged("CONTRADICTED", "SUCCESS"), "bad"],
  ["completed", judged("VERIFIED", "INVALID"), "bad"],
  ["completed", judged("VERIFIED", "BLOCKED"), "bad"],
  ["completed", judged("VERIFIED", "FAILED"), "bad"],
  ["failed", judged("VERIFIED", "SUCCESS"), "bad"],
  ["stopped", judged(null, null), "bad"],
] as const)("%s with %j is %s", (state, words, mark) =>
  expect(markOf({ state, judged: words })).toBe(mark),
);

test("every item stands below the one that started it; what has no parent here stands at the top", () => {
  const items = [
    ["a", null],
    ["b", "a"],
    ["c", "b"],
    ["d", "a"],
    ["e", "gone"],
    ["f", "g"],
    ["g", "f"],
  ] as const;
  expect(
    treeRows(items.map(([id, parent]) => ({ id, parent }))).map(
      ({ prefix, item }) => `${prefix}${item.id}`,
    ),
  ).toEqual(["a", "├ b", "│ └ c", "└ d", "e", "f", "└ g"]);
});

test.each([
  [400, "0 s"],
  [59_400, "59 s"],
  [185_000, "3 min 5 s"],
  [7_800_000, "2 h 10 min"],
])("%i ms is %s", (ms, words) => expect(elapsed(ms)).toBe(words));
