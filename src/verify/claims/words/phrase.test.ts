import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyDigit, neededWords } from "./needed-words.ts";
import { anyPhrase } from "./phrase.ts";

const lists = {
  done: ["(?:has|have) been", "was", "is"],
  none: ["no", "zero", "0"],
  b: ["{done} so"],
};
const phrases = [
  "{done} (?:re-?)?deployed(?! by)",
  "{none} (?:test )?failures?",
  "\\d{1,6} ?(?:/|of) ?\\d{1,6} pass(?:ed|ing)",
  "^(?:all|both) green",
  "(?:)(?:✅|通过)(?:)",
  "a?b+c*",
  "(?:)\\p{L}+n't|unable|{b}",
  "CI (?:is )?GREEN$",
];
/** All phrases in one expression, without regard to case. */
const whole = (given: readonly string[]): RegExp =>
  new RegExp(anyPhrase(given, lists).source, "gi");

describe("phrases", () => {
  test("find what one expression of all of them finds", () => {
    const pieces = fc.constantFrom(
      ..."was deployed|re|has been|by|No|failures|test|12|of|/|7|passed|ALL|green|✅|通过|b|abc|İ|ß|isn't|is so|CI|Σ|§".split(
        "|",
      ),
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 9 }),
        fc.constantFrom(" ", "", "\n"),
        (list, gap) => {
          const text = list.join(gap);
          const pattern = anyPhrase(phrases, lists);
          const found = (by: RegExp): unknown[] =>
            [...text.matchAll(by)].map((m) => [m.index, m[0]]);
          expect(found(pattern)).toEqual(found(whole(phrases)));
          expect(text.search(pattern)).toBe(text.search(whole(phrases)));
          expect(text.replace(pattern, "-")).toBe(text.replace(whole(phrases), "-"));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["(?:is|are) in (?:commit )?x\\d", [["is", "are"], ["in"], ["x"], [anyDigit]]],
    ["a(?:b|c)?d*e+", [["a"], ["e"]]],
    ["(?:ab|[cd])ef", [["ef"]]],
    ["{none} leaks?", [["no", "zero", "0"], ["leak"]]],
    ["x(?! y)(?=z)|w\\.v", [["x", "w"]]],
    ["[~<>]", []],
  ])("%s needs %j", (phrase, needed) => {
    expect(neededWords(phrase, lists)).toEqual(needed);
  });

  test("name a list that does not exist", () => {
    expect(() => "word".search(anyPhrase(["{nowhere} word"]))).toThrow(
      "no list of words is called nowhere",
    );
  });
});
