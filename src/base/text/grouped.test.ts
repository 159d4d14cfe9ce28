import { expect, test } from "vitest";
import { counted, grouped } from "./grouped.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [-12_345, "-12,345"],
  [1_234_567_890, "1,234,567,890"],
])("writes %i as %s", (value, expected) => {
  expect(grouped(value)).toBe(expected);
});

test("a noun stands in the number of its count", () => {
  expect([0, 1, 2, 1_200].map((count) => counted(count, "turn"))).toEqual([
    "0 turns",
    "1 turn",
    "2 turns",
    "1,200 turns",
  ]);
  expect(counted(2, "process", "processes")).toBe("2 processes");
});
