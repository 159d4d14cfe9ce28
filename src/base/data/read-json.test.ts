import fc from "fast-check";
import { expect, test } from "vitest";
import { lineOfKey, readJson } from "./read-json.ts";

test.each<[string, number, number, RegExp]>([
  ['{"a": 1,}', 1, 9, /key in double quotes.*comma after the last/],
  ['{\n  "a": [1, 2,\n  ]\n}', 3, 3, /value.*comma after the last/],
  ['{\n  // note\n  "a": 1\n}', 2, 3, /no comments/],
  ['{"a" 1}', 1, 6, /a colon/],
  ['{"a": 1 "b": 2}', 1, 9, /a comma or the closing/],
  ['{"a": tru}', 1, 7, /neither a value nor a key/],
  ['{"a": "x\ny"}', 1, 7, /not closed on its line/],
  ['{"a": 1', 1, 8, /the file ends/],
  ["", 1, 1, /the file ends/],
  ["{} x", 1, 4, /neither a value/],
  ["{} {}", 1, 4, /the end of the file/],
  ['{"a": "\\q"}', 1, 7, /after `.` stands one of/],
  ["{'a': 1}", 1, 2, /double quotes/],
])("%j breaks at %i:%i", (text, line, column, message) => {
  expect(readJson(text)).toMatchObject({
    ok: false,
    line,
    column,
    message: expect.stringMatching(message) as string,
  });
});

test("what no stack can hold is told as that, not as broken", () => {
  expect(readJson(`${"[".repeat(200_000)}${"]".repeat(200_000)}`)).toMatchObject({
    ok: false,
    message: "it is nested too deep to be read",
  });
});

test("a prototype key is dropped", () => {
  const reading = readJson('{"__proto__": {"x": 1}, "a": {"__proto__": 2}}');
  expect(reading).toEqual({ ok: true, value: { a: {} } });
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});

test("agrees with JSON.parse on what is JSON, and always names a place inside the text", () => {
  const near = fc
    .json()
    .chain((text) =>
      fc.nat({ max: text.length }).map((at) => text.slice(0, at) + text.slice(at + 1)),
    );
  fc.assert(
    fc.property(fc.oneof(near, fc.string(), fc.json()), (text) => {
      const reading = readJson(text);
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      expect(reading.ok).toBe(parses);
      if (!reading.ok) expect(reading.line).toBeLessThanOrEqual(text.split("\n").length);
    }),
  );
});

test("a text that repeats a key's name as a value does not mislead the line", () => {
  const text = '{\n "mode": "allow",\n "list": ["x",\n  {"allow": 1}],\n "allow": 2\n}';
  expect(lineOfKey(text, ["allow"])).toBe(5);
  expect(lineOfKey(text, ["list", "1", "allow"])).toBe(4);
  expect(lineOfKey(text, ["list", "7"])).toBe(3);
});

test("finds the line of a key by the way to it", () => {
  expect(
    lineOfKey('{\n "allow": [],\n "retinue": {\n  "allow": 1\n }\n}', ["retinue", "allow"]),
  ).toBe(4);
});
