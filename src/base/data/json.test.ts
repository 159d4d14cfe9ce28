import { expect, test } from "vitest";
import { jsonCopy } from "./json.ts";

const shared = { deep: [1, { a: "x" }] };

test.each([
  [{ a: 1, b: undefined, c: null, d: [undefined, NaN, Infinity, "x"], e: () => 1 }],
  [{ at: new Date(0), map: new Map([[1, 2]]), own: { toJSON: () => "own" } }],
  [JSON.parse('{"__proto__": {"a": 1}, "b": 2}')],
  [[shared, shared, ["", true, false, -0]]],
  [Object.assign(Object.create({ inherited: 1 }), { own: 2 })],
])("gives what JSON gives back: %j", (value) => {
  expect(jsonCopy(value)).toStrictEqual(JSON.parse(JSON.stringify(value)));
});

test("shares nothing with what it copies", () => {
  const copy = jsonCopy(shared);
  expect(copy).not.toBe(shared);
  expect(copy.deep).not.toBe(shared.deep);
  expect(copy.deep[1]).not.toBe(shared.deep[1]);
});
