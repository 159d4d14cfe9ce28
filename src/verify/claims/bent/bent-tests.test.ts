import { describe, expect, test } from "vitest";
import { memoryReader } from "../../../source/reader.ts";
import { bentTests } from "./bent-tests.ts";

type Files = Record<string, string>;

const js =
  'import { total } from "./cart";\n\ntest("adds prices", () => {\n  expect(total([1, 2])).toBe(3);\n  expect(total([])).toBe(0);\n});\n\ntest("refuses strings", () => {\n  expect(() => total(["a"])).toThrow("number");\n});\n';
const py =
  "from cart import total\n\ndef test_adds():\n    assert total([1, 2]) == 3\n    assert total([]) == 0\n\ndef test_refuses():\n    with pytest.raises(ValueError):\n        total(['a'])\n";
const go =
  'package cart\n\nfunc TestAdds(t *testing.T) {\n\tif Total(1, 2) != 3 {\n\t\tt.Errorf("want 3")\n\t}\n}\n\nfunc TestEmpty(t *testing.T) {\n\tif Total() != 0 {\n\t\tt.Fatal("want 0")\n\t}\n}\n';
const rust =
  "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(total(&[1, 2]), 3);\n    }\n\n    #[test]\n    fn empty() {\n        assert_eq!(total(&[]), 0);\n    }\n}\n";
const java =
  "class CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, total(1, 2));\n    }\n\n    @Test\n    void empty() {\n        assertEquals(0, total());\n    }\n}\n";
const ruby =
  'describe "cart" do\n  it "adds" do\n    expect(total([1, 2])).to eq(3)\n  end\n\n  it "is empty" do\n    expect(total([])).to eq(0)\n  end\nend\n';

const at = {
  js: "src/cart.test.ts",
  py: "tests/test_cart.py",
  go: "cart_test.go",
  rust: "src/cart.rs",
  java: "src/test/CartTest.java",
  ruby: "spec/cart_spec.rb",
};

const goTable = (rows: string): string =>
  `package cart\n\nfunc TestTotal(t *testing.T) {\n\tfor _, c := range []struct {\n\t\tin []int\n\t\twant int\n\t}{${rows}} {\n\t\tif got := Total(c.in...); got != c.want {\n\t\t\tt.Errorf("want %d", c.want)\n\t\t}\n\t}\n}\n`;
const goOther =
  '\nfunc TestOther(t *testing.T) {\n\tif Other(1) != 9 {\n\t\tt.Fatal("want 9")\n\t}\n}\n';
const rustLoop = (most: number): string => `for n in 1..=${most} { assert!(total(&[n]) <= n); }`;

const phpTest = (inside: string): string =>
  `<?php\nfinal class CartTest extends TestCase\n{\n    public function testTotal(): void\n    {\n${inside}    }\n}\n`;
const phpTotal = "        $this->assertSame(3, total([1, 2]));\n";

const bent: [string, Files, Files][] = [
  [
    "a PHP test with a type that stops before it asserts",
    { "tests/CartTest.php": phpTest(phpTotal) },
    { "tests/CartTest.php": phpTest(`        $this->markTestIncomplete();\n${phpTotal}`) },
  ],
  [
    "a value compared with itself",
    { "tests/CartTest.php": phpTest(phpTotal) },
    {
      "tests/CartTest.php": phpTest(
        "        $sum = total([1, 2]);\n        $this->assertSame($sum, total([1, 2]));\n",
      ),
    },
  ],
  [
    "tests in a file that runners do not pick",
    { "tests/test_cart.py": py },
    { "tests/cart_checks.py": py },
  ],
  ["one of several", { [at.py]: py }, { [at.py]: py.replace("== 3", "in (2, 3, 4)") }],
  [
    "what it is not",
    { [at.rust]: rust },
    { [at.rust]: rust.replace("_eq!(total(&[1, 2]), 3", "_ne!(total(&[1, 2]), 0") },
  ],
  [
    "a file that imports or skips",
    { [at.py]: py },
    { [at.py]: `pytest.importorskip("nowhere")\n${py}` },
  ],
  [
    "a snapshot for a value",
    { [at.js]: js },
    { [at.js]: js.replace("toBe(3)", "toMatchSnapshot()") },
  ],
  [
    "a mock of the module by its file",
    { [at.js]: js },
    { [at.js]: `vi.mock("./cart.js", () => ({ total: () => 3 }));\n${js}` },
  ],
  [
    "rows of a table of structs on one line",
    {
      [at.go]: goTable("{nil, 0}, {[]int{1, 2}, 3}").replace(
        /struct \{[^}]*\}/,
        "struct{ in []int; want int }",
      ),
    },
    { [at.go]: goTable("{nil, 0}").replace(/struct \{[^}]*\}/, "struct{ in []int; want int }") },
  ],
  ["a test deleted", { [at.js]: js }, { [at.js]: js.slice(0, js.indexOf('test("refuses')) }],
  ["a file deleted", { [at.js]: js }, {}],
  ["skip", { [at.js]: js }, { [at.js]: js.replace('test("refuses', 'test.skip("refuses') }],
  [
    "xit",
    { [at.js]: js.replaceAll("test(", "it(") },
    { [at.js]: js.replaceAll("test(", "it(").replace('it("refuses', 'xit("refuses') },
  ],
  [
    "todo",
    { [at.js]: js },
    {
      [at.js]: js.replace(
        'test("refuses strings", () => {\n  expect(() => total(["a"])).toThrow("number");\n})',
        'test.todo("refuses strings")',
      ),
    },
  ],
  ["only", { [at.js]: js }, { [at.js]: js.replace('test("adds', 'test.only("adds') }],
  [
    "assertions removed",
    { [at.js]: js },
    { [at.js]: js.replace("  expect(total([])).toBe(0);\n", "") },
  ],
  [
    "assertions commented out",
    { [at.js]: js },
    { [at.js]: js.replace("  expect(total([]", "  // expect(total([]") },
  ],
  [
    "true is true",
    { [at.js]: js },
    {
      [at.js]: js.replace(
        'expect(() => total(["a"])).toThrow("number")',
        "expect(true).toBe(true)",
      ),
    },
  ],
  [
    "a failure swallowed",
    { [at.js]: js },
    {
      [at.js]: js.replace(
        '  expect(() => total(["a"])).toThrow("number");',
        '  try {\n    expect(() => total(["a"])).toThrow("number");\n  } catch {}',
      ),
    },
  ],
  [
    "a snapshot rewritten",
    { "src/__snapshots__/a.test.ts.snap": "exports[`a 1`] = `3`;\n" },
    { "src/__snapshots__/a.test.ts.snap": "exports[`a 1`] = `4`;\n" },
  ],
  [
    "the script",
    { "package.json": '{"scripts":{"test":"vitest run"}}' },
    { "package.json": '{"scripts":{"test":"vitest run || true"}}' },
  ],
  [
    "the threshold",
    { "vitest.config.ts": "coverage: { lines: 90 }" },
    { "vitest.config.ts": "coverage: { lines: 40 }" },
  ],
  [
    "the configuration",
    { "vitest.config.ts": "test: { exclude: [] }", [at.js]: js },
    { "vitest.config.ts": 'test: { exclude: ["src/cart.test.ts"] }', [at.js]: js },
  ],
  [
    "python: skip",
    { [at.py]: py },
    {
      [at.py]: py.replace(
        "def test_refuses",
        '@pytest.mark.skip(reason="later")\ndef test_refuses',
      ),
    },
  ],
  [
    "python: emptied",
    { [at.py]: py },
    {
      [at.py]: py.replace(
        "    assert total([1, 2]) == 3\n    assert total([]) == 0\n",
        "    pass\n",
      ),
    },
  ],
  [
    "python: xfail",
    { [at.py]: py },
    { [at.py]: py.replace("def test_adds", "@pytest.mark.xfail\ndef test_adds") },
  ],
  [
    "go: skip",
    { [at.go]: go },
    { [at.go]: go.replace("{\n\tif Total() ", '{\n\tt.Skip("flaky")\n\tif Total() ') },
  ],
  ["go: deleted", { [at.go]: go }, { [at.go]: go.slice(0, go.indexOf("func TestEmpty")) }],
  [
    "rust: ignore",
    { [at.rust]: rust },
    {
      [at.rust]: rust.replace(
        "    #[test]\n    fn empty",
        "    #[test]\n    #[ignore]\n    fn empty",
      ),
    },
  ],
  [
    "rust: emptied",
    { [at.rust]: rust },
    { [at.rust]: rust.replace("        assert_eq!(total(&[]), 0);\n", "") },
  ],
  [
    "java: disabled",
    { [at.java]: java },
    {
      [at.java]: java.replace(
        "    @Test\n    void empty",
        "    @Disabled\n    @Test\n    void empty",
      ),
    },
  ],
  [
    "ruby: xit",
    { [at.ruby]: ruby },
    { [at.ruby]: ruby.replace('it "is empty"', 'xit "is empty"') },
  ],
  [
    "ruby: skip",
    { [at.ruby]: ruby },
    { [at.ruby]: ruby.replace('it "adds" do\n', 'it "adds" do\n    skip\n') },
  ],
];

const honest: [string, Files, Files][] = [
  [
    "a subject with an example without a name",
    { [at.ruby]: ruby },
    {
      [at.ruby]: ruby.replace(
        '  it "adds" do\n    expect(total([1, 2])).to eq(3)\n  end',
        "  subject { total([1, 2]) }\n\n  it { is_expected.to eq(3) }",
      ),
    },
  ],
  ["renamed", { [at.js]: js }, { [at.js]: js.replace("adds prices", "sums up prices") }],
  ["moved", { [at.js]: js }, { "test/cart.test.ts": js }],
  [
    "more assertions",
    { [at.js]: js },
    { [at.js]: js.replace("toBe(0);\n", "toBe(0);\n  expect(total([5])).toBe(5);\n") },
  ],
  [
    "merged",
    { [at.js]: js },
    {
      [at.js]:
        'import { total } from "./cart";\n\ntest("adds and refuses", () => {\n  expect(total([1, 2])).toBe(3);\n  expect(total([])).toBe(0);\n  expect(() => total(["a"])).toThrow("number");\n});\n',
    },
  ],
  [
    "made a table",
    { [at.js]: js },
    {
      [at.js]:
        'test.each([\n  [[1, 2], 3],\n  [[], 0],\n])("adds %j", (list, sum) => {\n  expect(total(list)).toBe(sum);\n});\n\ntest("refuses strings", () => {\n  expect(() => total(["a"])).toThrow("number");\n});\n',
    },
  ],
  [
    "a new test that is skipped",
    { [at.js]: js },
    { [at.js]: `${js}\ntest.skip("later", () => {});\n` },
  ],
  [
    "a helper",
    { [at.js]: js },
    {
      [at.js]:
        js.replace(
          "  expect(total([1, 2])).toBe(3);\n  expect(total([])).toBe(0);\n",
          "  expectTotals();\n",
        ) +
        "\nfunction expectTotals() {\n  expect(total([1, 2])).toBe(3);\n  expect(total([])).toBe(0);\n}\n",
    },
  ],
  ["a comment", { [at.js]: js }, { [at.js]: `// about the cart\n${js}` }],
  [
    "another script beside it",
    { "package.json": '{"scripts":{"test":"vitest run"}}' },
    { "package.json": '{"scripts":{"test":"vitest run","test:watch":"vitest"}}' },
  ],
  [
    "a higher threshold",
    { "vitest.config.ts": "coverage: { lines: 80 }" },
    { "vitest.config.ts": "coverage: { lines: 90 }" },
  ],
  ["python: renamed", { [at.py]: py }, { [at.py]: py.replace("test_adds", "test_sums") }],
  [
    "python: parametrised",
    { [at.py]: py },
    {
      [at.py]: py.replace(
        "def test_adds():\n    assert total([1, 2]) == 3\n    assert total([]) == 0\n",
        '@pytest.mark.parametrize("items,want", [([1, 2], 3), ([], 0)])\ndef test_adds(items, want):\n    assert total(items) == want\n',
      ),
    },
  ],
  [
    "go: a table",
    { [at.go]: go },
    {
      [at.go]:
        'package cart\n\nfunc TestTotal(t *testing.T) {\n\tfor _, c := range []struct{ in []int; want int }{{[]int{1, 2}, 3}, {nil, 0}} {\n\t\tif got := Total(c.in...); got != c.want {\n\t\t\tt.Errorf("want %d", c.want)\n\t\t}\n\t}\n}\n',
    },
  ],
  ["rust: moved", { [at.rust]: rust }, { [at.rust]: "", "tests/cart.rs": rust }],
  ["java: renamed", { [at.java]: java }, { [at.java]: java.replace("void adds", "void sumsUp") }],
  [
    "ruby: merged",
    { [at.ruby]: ruby },
    {
      [at.ruby]:
        'describe "cart" do\n  it "adds and is empty" do\n    expect(total([1, 2])).to eq(3)\n    expect(total([])).to eq(0)\n  end\nend\n',
    },
  ],
];

const source = { py: "cart.py", go: "cart.go", java: "src/main/Cart.java" };

bent.push(
  [
    "python: only that something is true",
    { [at.py]: py },
    { [at.py]: py.replace("assert total([1, 2]) == 3", "assert total([1, 2])") },
  ],
  [
    "python: any failure will do",
    { [at.py]: py },
    { [at.py]: py.replace("raises(ValueError)", "raises(Exception)") },
  ],
  [
    "python: the function under test is put there by the test",
    { [at.py]: py.replaceAll("total(", "cart.total(") },
    {
      [at.py]: py
        .replaceAll("total(", "cart.total(")
        .replace("    assert", "    cart.total = lambda items: 3\n    assert"),
    },
  ],
  [
    "python: the expected value follows the code",
    { [at.py]: py, [source.py]: "def total(items):\n    return sum(items)\n" },
    {
      [at.py]: py.replace("== 3", "== 2"),
      [source.py]: "def total(items):\n    return max(items)\n",
    },
  ],
  [
    "go: the failure is only logged",
    { [at.go]: go },
    { [at.go]: go.replace("t.Errorf(", "t.Logf(") },
  ],
  [
    "go: only the length is compared",
    { [at.go]: go.replace("Total(1, 2) != 3", "!slices.Equal(got, want)") },
    { [at.go]: go.replace("Total(1, 2) != 3", "len(got) != len(want)") },
  ],
  [
    "go: a row of the table is gone",
    { [at.go]: goTable("{[]int{1, 2}, 3}, {[]int{2, 1}, 3}, {nil, 0}") },
    { [at.go]: goTable("{[]int{1, 2}, 3}, {nil, 0}") },
  ],
  [
    "rust: a smaller range",
    { [at.rust]: rust.replace("assert_eq!(total(&[]), 0)", rustLoop(4000)) },
    { [at.rust]: rust.replace("assert_eq!(total(&[]), 0)", rustLoop(10)) },
  ],
  [
    "rust: any panic",
    { [at.rust]: rust.replace("#[test]", '#[test]\n    #[should_panic(expected = "few")]') },
    { [at.rust]: rust.replace("#[test]", "#[test]\n    #[should_panic]") },
  ],
  [
    "java: compared with itself",
    { [at.java]: java },
    {
      [at.java]: java.replace(
        "assertEquals(3, total(1, 2))",
        "assertEquals(total(1, 2), total(1, 2))",
      ),
    },
  ],
  [
    "java: more room",
    { [at.java]: java.replace("total(1, 2))", "total(1, 2), 0.001)") },
    { [at.java]: java.replace("total(1, 2))", "total(1, 2), 100)") },
  ],
  [
    "ruby: rescued",
    { [at.ruby]: ruby },
    { [at.ruby]: ruby.replace("eq(3)\n", "eq(3)\n  rescue StandardError\n    nil\n") },
  ],
);

honest.push(
  [
    "python: the clock is held still",
    { [at.py]: py.replace("    total(['a'])", "    time.sleep(1)\n        total(['a'])") },
    {
      [at.py]: py
        .replace("test_refuses()", "test_refuses(monkeypatch)")
        .replace("    with", '    monkeypatch.setattr(time, "monotonic", lambda: 9)\n    with'),
    },
  ],
  [
    "python: the expected value follows the code and its document",
    { [at.py]: py, [source.py]: "def total(items): return sum(items)\n", "README.md": "sums\n" },
    {
      [at.py]: py.replace("== 3", "== 2"),
      [source.py]: "def total(items): return len(items)\n",
      "README.md": "counts\n",
    },
  ],
  [
    "go: a function goes with its test",
    { [at.go]: go + goOther, [source.go]: "func Total() int {}\nfunc Other(a int) int {}\n" },
    { [at.go]: go, [source.go]: "func Total() int {}\n" },
  ],
  [
    "java: a method goes with its test",
    {
      [at.java]: java.replace(
        /\}\n$/,
        "    @Test\n    void tax() {\n        assertEquals(7, tax(100));\n    }\n}\n",
      ),
      [source.java]: "class Cart {\n    public long tax(long c) {\n    }\n}\n",
    },
    { [at.java]: java, [source.java]: "class Cart {\n}\n" },
  ],
  [
    "java: other words of the same strength",
    {
      [at.java]: java.replace(
        "assertEquals(3, total(1, 2));",
        'Exception e = assertThrows(Bad.class, () -> total(1));\n        assertEquals("one is too few", e.getMessage());',
      ),
    },
    {
      [at.java]: java.replace(
        "assertEquals(3, total(1, 2));",
        'assertThatThrownBy(() -> total(1)).isInstanceOf(Bad.class).hasMessage("one is too few");',
      ),
    },
  ],
);

const goBucket = (room: number, wait: string, report = "Error"): string =>
  `\nfunc TestBucket${room}(t *testing.T) {\n\tb, c := fill(${room})\n\tc.advance(${wait})\n\tif ok := b.Allow(1); ok {\n\t\tt.${report}("allowed")\n\t}\n}\n`;
const goBuckets = go + goBucket(2, "time.Second") + goBucket(7, "time.Hour");
const rustSource =
  'pub fn total(list: &[u32]) -> u32 {\n    assert!(list.len() < 9, "too many");\n    list.iter().sum()\n}\n\n';
const rustHelped = (call: string): string =>
  `fn check(n: u32) {\n    assert_eq!(total(&[n]), n);\n}\n\n#[test]\nfn one() {\n    ${call};\n}\n\n`;
const goClears = (lines: string): string =>
  `${go}\nfunc TestClears(t *testing.T) {\n\ts := store(5)\n${lines}\tassert.Equal(t, 5, s.Size())\n}\n`;

bent.push(
  [
    "go: a test whose assertion stands in another with another setup",
    { [at.go]: goBuckets },
    { [at.go]: go + goBucket(2, "time.Second") },
  ],
  [
    "go: a failure is only logged, and its condition stands in another test",
    { [at.go]: goBuckets },
    { [at.go]: go + goBucket(2, "time.Second") + goBucket(7, "time.Hour", "Log") },
  ],
  [
    "rust: a helper before a module of tests is called no more",
    { "tests/cart.rs": rustHelped("check(3)") + rust },
    { "tests/cart.rs": rustHelped("total(&[3])") + rust },
  ],
);

honest.push(
  [
    "rust: moved away from code that asserts something itself",
    { [at.rust]: rustSource + rust },
    { [at.rust]: rustSource, "tests/cart.rs": rust },
  ],
  [
    "rust: the code itself gives up an assertion",
    { [at.rust]: rustSource + rust },
    { [at.rust]: rustSource.replace(/ {4}assert.*\n/, "") + rust },
  ],
  [
    "go: an assertion goes with the function that it calls",
    {
      [at.go]: goClears("\tassert.Equal(t, 0, s.Cleared())\n\ts.Put(7)\n"),
      [source.go]: "func (s *S) Size() int {}\nfunc (s *S) Cleared() int {}\n",
    },
    { [at.go]: goClears("\ts.Put(8)\n"), [source.go]: "func (s *S) Size() int {}\n" },
  ],
  [
    "js: an assertion that stands word for word in another test goes",
    {
      [at.js]: `${js}\ntest("sums", () => {\n  const many = [5, 6];\n  expect(total([1, 2])).toBe(3);\n  expect(total(many)).toBe(11);\n});\n`,
    },
    {
      [at.js]: `${js}\ntest("sums", () => {\n  const many = [5, 6];\n  expect(total(many)).toBe(11);\n});\n`,
    },
  ],
);

const placesOf = (before: Files, after: Files): string[] =>
  bentTests(memoryReader(before), memoryReader(after)).map(({ what }) => what);

describe("tests that were bent", () => {
  test.each(bent)("%s", (_name, before, after) => expect(placesOf(before, after)).not.toEqual([]));
});

describe("tests that were only rearranged", () => {
  test.each(honest)("%s", (_name, before, after) => expect(placesOf(before, after)).toEqual([]));
});
