import { expect, test } from "vitest";
import { conventionalName, isSafeAgentName, refusedName } from "./agent-name.ts";

test.each(["code-reviewer", "a", "Explore", "x_1", "a".repeat(64)])(
  "%s may become a path",
  (name) => {
    expect(isSafeAgentName(name)).toBe(true);
  },
);

test.each([
  "",
  ".",
  "..",
  "../x",
  "a/b",
  "a\\b",
  "/abs",
  "~",
  ".git",
  "CON",
  "con",
  "Aux",
  "nul",
  "COM1",
  "lpt9",
  "a.",
  "a..b",
  "a ",
  " a",
  "a\n",
  "a\0b",
  "a".repeat(65),
  "A".repeat(300),
  "rev-\u202Ereweiv",
  "аdmin",
  "ｃｏｎ",
  "café",
  "-rf",
  "a:b",
  "a%2fb",
  "a\u200Bb",
  "__proto__\u0000",
  "_x",
])("%j may not", (name) => {
  expect(isSafeAgentName(name)).toBe(false);
});

test.each([undefined, null, 7, {}, ["a"]])("%j is no name", (value) =>
  expect(isSafeAgentName(value)).toBe(false),
);

test.each([
  ["plugin:x", /colon/],
  ["-rf", /dash/],
  ["", /empty/],
  ["a\u001b[31m", /control/],
  ["a\u202Eb", /control or invisible/],
  ["x".repeat(300), /300 characters/],
])("%j is not loaded", (name, reason) => expect(refusedName(name)).toMatch(reason));

test.each([
  ["Code Reviewer", "code-reviewer"],
  ["codeReviewer", "code-reviewer"],
  ["  Été: 2! ", "e-te-2"],
  ["日本", ""],
])("%j follows the convention as %j", (name, expected) =>
  expect(conventionalName(name)).toBe(expected),
);
