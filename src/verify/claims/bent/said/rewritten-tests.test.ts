import { expect, test } from "vitest";
import { memoryReader } from "../../../../source/reader.ts";
import { bentTests } from "../bent-tests.ts";

type Tree = Record<string, string>;

const told = (before: Tree, after: Tree): string[] =>
  bentTests(memoryReader(before), memoryReader(after)).map(({ what }) => what);

const code = { "Tax.cs": "public static class Tax { public static int Of(Day day) => 1; }\n" };
const csharp = (inside: string): Tree => ({
  ...code,
  "Tests/TaxTests.cs": `using Xunit;\n\npublic class TaxTests\n{\n${inside}}\n`,
});
const fact = (name: string, want: number, day: string): string =>
  `    [Fact]\n    public void ${name}() =>\n        Assert.Equal(${want}, Tax.Of(new Day(${day})));\n`;
const theory = (...rows: readonly string[]): string =>
  `    [Theory]\n${rows.map((row) => `    [InlineData(${row})]\n`).join("")}` +
  "    public void Rates(string day, int rate) =>\n        Assert.Equal(rate, Tax.Of(Day.Parse(day)));\n";
const facts = csharp(fact("Spring", 29, "2019, 3, 14") + fact("Autumn", 31, "2020, 10, 15"));

test("inline data in another form of the same values is a rewrite", () => {
  const rows = theory('"2019-03-14", 29', '"2020-10-15", 31');
  expect(told(facts, csharp(rows))).toEqual([]);
});

test("a row that was left out is told, and one with another value", () => {
  expect(told(facts, csharp(theory('"2019-03-14", 29')))).not.toEqual([]);
  expect(told(facts, csharp(theory('"2019-03-14", 29', '"2020-10-15", 37')))).not.toEqual([]);
});

const js = (inside: string): Tree => ({
  "hex.js": "export function parse(text) {\n  return text;\n}\n",
  "hex.test.js": `import { parse } from "./hex";\n\n${inside}`,
});
const throwing = (input: string): string =>
  `it("refuses ${input}", () => {\n  expect(() => parse("${input}")).toThrow("bad colour: ${input}");\n});\n`;
const each = (inputs: string): string =>
  `it.each([${inputs}])("refuses %s", (text) => {\n  expect(() => parse(text)).toThrow(\`bad colour: \${text}\`);\n});\n`;

test("a template says what its pieces and its rows say", () => {
  const before = js(throwing("#ffff") + throwing("#ggg"));
  expect(told(before, js(each('"#ffff", "#ggg"')))).toEqual([]);
  expect(told(before, js(each('"#ffff"')))).not.toEqual([]);
});

test("a matcher without a value is compared with none", () => {
  const looks = (inside: string): Tree => ({
    "pick.js": `export const pick = (a) => ${inside.length};\n`,
    "pick.test.js": `it("keeps nothing", () => {\n  ${inside};\n});\n`,
  });
  const before = looks('expect(pick("boss")).toBeNull()');
  expect(told(before, looks('assert.equal(pick("boss"), null)'))).toEqual([]);
});

test("an assertion that was only taken away is told", () => {
  const py = (inside: string): Tree => ({
    "rle.py": "def encode(text):\n    return text\n\n\ndef decode(pairs):\n    return pairs\n",
    "test_rle.py": `from rle import decode, encode\n\n\ndef test_empty():\n${inside}`,
  });
  const kept = '    assert decode([]) == ""\n';
  const before = py(`    assert encode("") == []\n${kept}`);
  const other = "\n\ndef test_roundtrip():\n    s = make()\n    assert decode(encode(s)) == s\n";
  expect(told(before, py(kept + other))).not.toEqual([]);
});
