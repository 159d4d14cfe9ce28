import fc from "fast-check";
import { expect, test } from "vitest";
import { columnKind, spelledNumbers } from "./spelled-numbers.ts";

test.each([
  ["line 45", 45],
  ["on LINES 7-9", 7],
  ["see L45", 45],
  ["Zeile 12", 12],
  ["righe 3", 3],
  ["строка 8", 8],
  ["第 45 行", 45],
  [":45", 45],
  ["there (:45)", 45],
  ["then `:L12`", 12],
])("%j tells a line", (text, first) => {
  expect(spelledNumbers(text).map((one) => one.first)).toEqual([first]);
});

test.each(["it costs 45 ms", "`const a = 1;` and 2", "12 of 14"])("%j tells none", (text) => {
  expect(spelledNumbers(text)).toEqual([]);
});

test("the look at the letters passes over no number that is told", () => {
  const piece = fc.constantFrom(
    ..."line |L|l|rows |Zeile |行|第|строк |45|7-9|:| |(|`|, |and |é|x|.|\n|~|lines: ".split("|"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      // A word that begins like one for a line takes the look out of play.
      expect(spelledNumbers(text)).toEqual(spelledNumbers(`${text}. ll`));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["Lines", "length"],
  ["Lignes", "length"],
  ["Zeilen", "length"],
  ["Ligne", "line"],
  ["File", "other"],
])("takes the column %s for one of kind %s", (header, kind) =>
  expect(columnKind(header)).toBe(kind),
);
