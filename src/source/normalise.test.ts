import { expect, test } from "vitest";
import { likenessTo, normaliseCode, skeleton } from "./normalise.ts";

test.each([
  ["  if ( a  ==  b ) {\t", "if(a==b){"],
  ["return\t total ;", "return total;"],
  ["a\r\nb\rc\r\r\nd", "a\nb\nc\n\nd"],
  [" \n x \n", "\nx\n"],
  ["$a  b\f_c\vd", "$a b _c d"],
  ["f (x) // y", "f(x)//y"],
])("spacing survives only between two words: %j", (text, normal) => {
  expect(normaliseCode(text)).toBe(normal);
});

test("code has one normal form, whether or not a letter beyond ASCII stands near it", () => {
  const letters = [
    "a",
    "$",
    "_",
    "0",
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\v",
    "\f",
    "(",
    "=",
    ".",
    "\u0001",
  ];
  let seed = 7;
  for (let round = 0; round < 2000; round++) {
    const text = Array.from(
      { length: 12 },
      () => letters[(seed = (seed * 48_271) % 2_147_483_647) % letters.length],
    ).join("");
    expect(`${normaliseCode(`${text};`)}é`, JSON.stringify(text)).toBe(normaliseCode(`${text};é`));
  }
});

test.each([
  ["Modern_l0g|n", "modem-logln"],
  ["vvarn.ts", "wam.ts"],
  ["сlient.ts", "cllent.ts"],
  ["naïve—x", "nalve-x"],
])("names that look the same have one skeleton: %s", (name, shape) => {
  expect(skeleton(name)).toBe(skeleton(shape));
});

test("likeness counts a word as often as both have it", () => {
  expect(likenessTo("a a b")("a b b")).toBeCloseTo(4 / 6);
  expect(likenessTo("")("a")).toBe(0);
  const alike = likenessTo("x = y");
  expect([alike("x = y"), alike("x = z"), alike("x = y")]).toEqual([1, 2 / 3, 1]);
});
