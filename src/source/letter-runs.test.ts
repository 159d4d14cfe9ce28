import fc from "fast-check";
import { expect, test } from "vitest";
import { LetterRuns } from "./letter-runs.ts";
import { normaliseCode } from "./normalise.ts";

/** The first few questions are left to a search. */
const runsOf = (text: string): LetterRuns => {
  const runs = new LetterRuns(text);
  for (let asked = 0; asked < 4; asked++) runs.lacks("word");
  return runs;
};

test("a part of a text, or of its normal form, is never said to be missing", () => {
  const piece = fc.constantFrom(
    "alpha",
    "Be_ta",
    "$x9",
    " ",
    "\t",
    "\r\n",
    "(",
    "é",
    "e\u0301",
    "\u212a",
    "\u200b",
    "\ufeff",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 40 }),
      fc.nat(),
      fc.integer({ min: 1, max: 30 }),
      (pieces, from, length) => {
        const text = pieces.join("").repeat(60) + "-".repeat(2_000);
        const runs = runsOf(text);
        for (const form of [text, normaliseCode(text)]) {
          const at = from % form.length;
          expect(runs.lacks(form.slice(at, at + length))).toBe(false);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test("most words that a text does not have are told apart without a search", () => {
  const runs = runsOf("export const value = readTheValue(source);\n".repeat(60));
  for (const word of ["writeTheValue", "parser", "sources_of", "readTheValues"])
    expect(runs.lacks(word), word).toBe(true);
});
