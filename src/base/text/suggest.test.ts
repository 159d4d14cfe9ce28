import { expect, test } from "vitest";
import { suggest } from "./suggest.ts";

test.each([
  ["Raed", ["Read", "Write"], "Read"],
  ["disalowedTools", ["tools", "disallowedTools"], "disallowedTools"],
  ["EXPLORE", ["Explore"], "Explore"],
  ["codebase", ["Read", "Bash"], undefined],
])("suggests for %s among %j: %s", (word, candidates, expected) => {
  expect(suggest(word, candidates)).toBe(expected);
});
