import fc from "fast-check";
import { expect, test } from "vitest";
import { countTokens, mayExceed } from "./tokens.ts";

test("a text that is far from its budget is known without a count", () => {
  expect(mayExceed("A short summary.", 500)).toBe(false);
  expect(mayExceed("word ".repeat(200), 500)).toBe(true);
});

test("no text has more tokens than its length lets it have", () => {
  const sign = fc.constantFrom(
    "™",
    "©",
    "☕",
    "😀",
    "a",
    " ",
    "\n ",
    ",",
    "7",
    "字",
    "か",
    "가",
    "ß",
    "é",
  );
  const text = fc.oneof(fc.string({ unit: sign, maxLength: 40 }), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(text, (written) => {
      expect(mayExceed(written, countTokens(written) - 1)).toBe(true);
    }),
  );
});
