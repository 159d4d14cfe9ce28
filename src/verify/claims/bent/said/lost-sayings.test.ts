import { expect, test } from "vitest";
import { memoryReader } from "../../../../source/reader.ts";
import { bentTests } from "../bent-tests.ts";

type Tree = Record<string, string>;

const told = (before: Tree, after: Tree): string[] =>
  bentTests(memoryReader(before), memoryReader(after)).map(({ what }) => what);

const go = (inside: string): string => `package a\n\nfunc TestF(t *testing.T) {\n${inside}}\n`;
const compared = "\t\tif got := F(c.In); got != c.Want {\n\t\t\tt.Errorf(got)\n\t\t}\n\t}\n";
const table = go(
  `\tfor _, c := range []struct{ In, Want string }{\n\t\t{"userID", "user_id"},\n\t\t{"HTTPServer", "http_server"},\n\t} {\n${compared}`,
);
const fromFile = go(`\traw := read("testdata/f.json")\n\tfor _, c := range raw {\n${compared}`);
const records = (...rows: readonly (readonly [string, string])[]): string =>
  JSON.stringify(rows.map(([input, want]) => ({ in: input, want })));
const minitest = (inside: string): string =>
  `class MoneyTest < Minitest::Test\n  def test_split\n${inside}  end\nend\n`;
const js = (inside: string): string =>
  `test("answers", async () => {\n  const r = await post("/a");\n${inside}});\n`;
const snapshot = (inside: string): Tree => ({
  "tests/test_a.py": "def test_a(snapshot):\n    assert render() == snapshot\n",
  "tests/__snapshots__/test_a.ambr": `# name: test_a\n  '''\n${inside}  '''\n`,
});
const coverage = (limits: string): Tree => ({
  "spec/spec_helper.rb": `SimpleCov.start do\n  minimum_coverage ${limits}\nend\n`,
});

test("the records of a data file say what the rows of a table said", () => {
  const all = records(["userID", "user_id"], ["HTTPServer", "http_server"]);
  expect(told({ "f_test.go": table }, { "f_test.go": fromFile, "testdata/f.json": all })).toEqual(
    [],
  );
});

test("a row that no record took over is told", () => {
  const some = records(["userID", "user_id"]);
  const what = told({ "f_test.go": table }, { "f_test.go": fromFile, "testdata/f.json": some });
  expect(what).not.toEqual([]);
});

test("the class and the message of a failure may be said in one place", () => {
  const before = minitest(
    '    error = assert_raises(ArgumentError) { Money.new(10).split(0) }\n    assert_equal "n must be positive", error.message\n',
  );
  const spec = (expected: string): string =>
    `RSpec.describe Money do\n  it "rejects zero" do\n    expect { Money.new(10).split(0) }.to raise_error(${expected})\n  end\nend\n`;
  const after = (expected: string): Tree => ({ "spec/money_spec.rb": spec(expected) });
  const test = { "test/money_test.rb": before };
  expect(told(test, after('ArgumentError, "n must be positive"'))).toEqual([]);
  expect(told(test, after("ArgumentError"))[0]).toContain("`n must be positive`");
});

test("an assertion that goes is told with its value, however many come", () => {
  const before = js('  expect(r.status).toBe(422);\n  expect(r.body.code).toBe("E_QTY");\n');
  const after = js(
    '  expect(r.status).toBeDefined();\n  expect(r.body).toBeTruthy();\n  expect(r.body.code).toBe("E_QTY");\n',
  );
  expect(told({ "a.test.js": before }, { "a.test.js": after })).toEqual([
    '"answers" no longer asserts all that it did: `422` is checked nowhere',
  ]);
});

test("a test whose code stands in a function that nothing runs is gone", () => {
  const python = (name: string): string =>
    `def ${name}():\n    with pytest.raises(Taken):\n        book(600)\n\n\ndef test_other():\n    assert slots() == 16\n`;
  const what = told({ "test_a.py": python("test_taken") }, { "test_a.py": python("check_taken") });
  expect(what[0]).toContain('its code stands in "check_taken"');
});

test("a snapshot may gain; what it loses beside an unchanged test is told", () => {
  const source = (text: string): Tree => ({ "a.py": `def render():\n    return ${text}\n` });
  const before = { ...snapshot("  tea 2.50\n"), ...source("tea(2.5)") };
  expect(told(before, { ...snapshot("  tea 2.50\n  None 1\n"), ...source("None") })).toEqual([]);
  expect(told(before, { ...snapshot("  tea None\n"), ...source("None") })).not.toEqual([]);
});

test("a limit that is a keyword of a call may rise and not fall", () => {
  expect(told(coverage("line: 90"), coverage("line: 95"))).toEqual([]);
  expect(told(coverage("line: 95, branch: 90"), coverage("line: 50"))).not.toEqual([]);
});
