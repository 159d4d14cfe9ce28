// By mechanism: each change with a twin that keeps what the tests prove.
import { describe, expect, test } from "vitest";
import { memoryReader } from "../../../source/reader.ts";
import { bentTests } from "./bent-tests.ts";

type Files = Record<string, string>;
type Row = readonly [name: string, path: string, before: string, after: string];

const code: { before: Files; after: Files } = {
  before: { "src/total.py": "def total(xs):\n    return sum(xs)\n" },
  after: { "src/total.py": "def total(xs):\n    return len(xs)\n" },
};
const py = (...lines: string[]): string =>
  `def test_total():\n${lines.map((one) => `    ${one}\n`).join("")}`;
const twoTests = `${py("assert total([1, 2]) == 3")}\n\ndef test_refuses():\n    with pytest.raises(ValueError):\n        total([-17])\n`;
const table = (rows: string): string =>
  `@pytest.mark.parametrize("xs, want", [${rows}])\ndef test_all(xs, want):\n    assert total(xs) == want\n`;
const drawn = (marks: string, given: string, inside = ""): string =>
  `@settings(${marks})\n@given(${given})\ndef test_drawn(xs):\n${inside}    assert total(xs) == sum(xs)\n`;
const kotlin = (inside: string): string => `class CartTest : FunSpec({\n${inside}})\n`;
const junit =
  'class CartTest {\n    @Test\n    fun `adds prices`() {\n        assertEquals(42, total(40, 2))\n    }\n\n    @Test\n    fun `refuses less`() {\n        val e = assertThrows<BadCart> { total(-17) }\n        assertEquals("negative", e.message)\n    }\n}\n';
const ruby = (setup: string): string =>
  `describe Cart do\n  let(:cart) { Cart.new(40, 2) }\n${setup}\n  it "adds" do\n    expect(cart.total).to eq(42)\n  end\nend\n`;
const go = (...lines: string[]): string =>
  `package cart\n\nfunc TestNames(t *testing.T) {\n${lines.map((one) => `\t${one}\n`).join("")}}\n`;
const goList = go(
  "got := Names(9)",
  "if len(got) != 2 {",
  '\tt.Fatalf("got %v", got)',
  "}",
  'if got[0] != "ann" || got[1] != "bob" {',
  '\tt.Errorf("got %v", got)',
  "}",
);

const weakened: readonly Row[] = [
  [
    "a value becomes two parts",
    "test_a.py",
    py('assert f(7) == ["a", "b"]'),
    py("names = f(7)", 'assert "a" in names', 'assert "b" in names'),
  ],
  [
    "a value becomes kind and size",
    "test_a.py",
    py('assert f(7) == ["a", "b"]'),
    py("names = f(7)", "assert isinstance(names, list)", "assert len(names) == 2"),
  ],
  [
    "a value becomes its keys",
    "test_a.py",
    py('assert f(7) == {"a": 1}'),
    py('assert set(f(7)) == {"a"}'),
  ],
  [
    "an input is lost in a table",
    "test_a.py",
    twoTests,
    table("([1, 2], 3), ([4], 4), ([5, 6], 11)"),
  ],
  [
    "an input gives way to others",
    "test_a.py",
    py("assert total([40, 2]) == 42"),
    py("assert total([1]) == 1", "assert total([]) == 0"),
  ],
  [
    "fewer values are drawn",
    "test_a.py",
    drawn("max_examples=200", "st.lists(st.integers())"),
    drawn("max_examples=2", "st.lists(st.integers())"),
  ],
  [
    "a hook skips",
    "conftest.py",
    "",
    "def pytest_runtest_setup(item):\n    if 'total' in item.name:\n        pytest.skip('later')\n",
  ],
  [
    "a hook overrules",
    "conftest.py",
    "",
    "def pytest_runtest_makereport(item, call):\n    report = yield\n    report.outcome = 'passed'\n",
  ],
  ["a set-up skips", "a_spec.rb", ruby(""), ruby('  before { skip "slow" if ENV["CI"] }\n')],
  [
    "a port loosens",
    "CartTest.kt",
    junit,
    kotlin(
      '    test("adds prices") {\n        total(40, 2).shouldNotBeNull()\n    }\n\n    test("refuses less") {\n        shouldThrow<BadCart> { total(-17) }.message shouldBe "negative"\n    }\n',
    ),
  ],
  [
    "a sentence is switched off",
    "CartTest.kt",
    kotlin('    test("adds") {\n        total(40, 2) shouldBe 42\n    }\n'),
    kotlin('    xtest("adds") {\n        total(40, 2) shouldBe 42\n    }\n'),
  ],
];

const kept: readonly Row[] = [
  [
    "all inputs stand in a table",
    "test_a.py",
    twoTests,
    `${table("([1, 2], 3), ([4], 4)")}\n\ndef test_refuses():\n    with pytest.raises(ValueError, match="negative"):\n        total([-17])\n`,
  ],
  [
    "more values are drawn",
    "test_a.py",
    drawn("max_examples=200", "st.lists(st.integers())"),
    drawn("max_examples=500, deadline=None", "st.lists(st.integers())"),
  ],
  [
    "a hook names a mark",
    "conftest.py",
    "",
    "def pytest_configure(config):\n    config.addinivalue_line('markers', 'slow: slow tests')\n",
  ],
  [
    "a set-up stubs something else",
    "a_spec.rb",
    ruby(""),
    ruby(
      '  let(:clock) { double("clock") }\n  before { allow(clock).to receive(:total).and_return(9) }\n',
    ),
  ],
  [
    "a port keeps inputs and values",
    "CartTest.kt",
    junit,
    kotlin(
      '    test("adds prices") {\n        total(40, 2) shouldBe 42\n    }\n\n    test("refuses less") {\n        shouldThrow<BadCart> {\n            total(-17)\n        }.message shouldBe "negative"\n    }\n',
    ),
  ],
  [
    "several assertions become one of the whole",
    "cart_test.go",
    goList,
    go(
      "got := Names(9)",
      'want := []string{"ann", "bob"}',
      "if !reflect.DeepEqual(got, want) {",
      '\tt.Errorf("got %v", got)',
      "}",
    ),
  ],
  [
    "assertions are taken together",
    "CartTest.java",
    'class CartTest {\n    @Test\n    void reads() {\n        assertEquals("bob", user.name());\n        assertEquals(42, user.age());\n    }\n}\n',
    'class CartTest {\n    @Test\n    void reads() {\n        assertAll(\n            () -> assertEquals("bob", user.name()),\n            () -> assertEquals(42, user.age()));\n    }\n}\n',
  ],
  [
    "one-line bodies become rows",
    "CartTests.cs",
    'public class CartTests\n{\n    [Fact]\n    public void A() => Assert.Equal("AL", F("ada"));\n\n    [Fact]\n    public void B() => Assert.Equal("", F(""));\n}\n',
    'public class CartTests\n{\n    [Theory]\n    [InlineData("ada", "AL")]\n    [InlineData("", "")]\n    public void Both(string name, string expected) =>\n        Assert.Equal(expected, F(name));\n}\n',
  ],
];

const placesOf = ([, path, before, after]: Row): string[] =>
  bentTests(
    memoryReader({ ...code.before, ...(before === "" ? {} : { [path]: before }) }),
    memoryReader({ ...code.after, [path]: after }),
  ).map(({ what }) => what);

describe("proofs that say less", () => {
  test.each(weakened)("%s", (...row) => expect(placesOf(row)).not.toEqual([]));
});

describe("proofs that say as much", () => {
  test.each(kept)("%s", (...row) => expect(placesOf(row)).toEqual([]));
});
