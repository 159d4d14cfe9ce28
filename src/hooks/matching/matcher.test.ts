import { expect, it } from "vitest";
import { compileMatcher } from "./matcher.ts";

it.each([
  ["*", "Bash", true],
  ["", "Bash", true],
  ["Edit|Write", "Write", true],
  ["Edit, Write", "Write", true],
  ["Edit|Write", "NotebookWrite", false],
  ["edit", "Edit", false],
  ["Bash", "BashOutput", false],
  ["Bash.*", "BashOutput", true],
  ["mcp__memory__.*", "mcp__memory__store", true],
  ["mcp__memory__.*", "mcp__memory_evil__store", false],
  ["mcp__memory__.*", "xmcp__memory__store", false],
  ["mcp__my-server__get", "mcp__my-server__get", true],
  ["Read|mcp__.*__write", "mcp__fs__write", true],
  ["Task", "Agent", true],
  ["Agent", "Task", true],
  ["MultiEdit", "Edit", true],
  ["^Bash$", "Bash", true],
  ["^mcp__", "mcp__memory__store", true],
  ["^mcp__", "xmcp__", false],
  ["^(Task|Read)$|^mcp__", "mcp__fs__write", true],
  ["^(Task|Read)$|^mcp__", "ReadMore", false],
  ["__write$", "mcp__fs__write", true],
  ["Notebook[^E]*", "NotebookRead", true],
  ["Notebook[^E]", "NotebookRead", false],
  ["a\\$b", "xa$b", false],
])("matcher %j on %j: %s", (matcher, name, expected) => {
  expect(compileMatcher(matcher)(name)).toBe(expected);
});

it("fires on events that have nothing to match, whatever the matcher says", () => {
  expect(compileMatcher("Bash")(undefined)).toBe(true);
});

it.each(["(?=a)b", "[", "(a)\\1", "x{1001}", `a.${"b".repeat(1_000)}`])(
  "refuses %j as a mistake in the configuration",
  (matcher) => {
    expect(() => compileMatcher(matcher)).toThrow(expect.objectContaining({ code: "config" }));
  },
);

it("is linear on patterns that make others hang", () => {
  const matches = compileMatcher("(a+)+$");
  matches("warm");
  const started = performance.now();
  for (let round = 0; round < 50; round++) expect(matches(`${"a".repeat(5_000)}!`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(3_000);
});
