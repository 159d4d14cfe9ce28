import { expect, test } from "vitest";
import { grouped } from "./grouped.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [-12_345, "-12,345"],
  [1_234_567_890, "1,234,567,890"],
])("writes %i as %s", (value, expected) => {
  expect(grouped(value)).toBe(expected);
});
