import { expect, test } from "vitest";
import { memoryReader } from "../../../../source/reader.ts";
import { bentTests } from "../bent-tests.ts";

type Tree = Record<string, string>;

const told = (before: Tree, after: Tree): string[] =>
  bentTests(memoryReader(before), memoryReader(after)).map(({ what }) => what);

const php = (name: string, inside: string): string => `<?php\nfinal class ${name}\n{\n${inside}}\n`;
const phpTest = (made: string): string =>
  `    public function testOrder(): void\n    {\n        $q = ${made};\n        $this->assertSame([1, 2], $q->all());\n    }\n`;
const shared = `RSpec.shared_examples "a stack" do\n  it "pops" do\n    stack.push(1)\n    expect(stack.pop).to eq(1)\n  end\nend\n`;
const spec = (made: string): string =>
  `RSpec.describe "stack" do\n  let(:stack) { ${made} }\n  it_behaves_like "a stack"\nend\n`;
const rubyOwn = (name: string): string =>
  `RSpec.describe ${name} do\n  it "pops" do\n    stack = ${name}.new\n    stack.push(1)\n    expect(stack.pop).to eq(1)\n  end\nend\n`;
const goTest =
  'func TestF(t *testing.T) {\n\tif F(1) != "a" {\n\t\tt.Fatal("a")\n\t}\n\tif F(2) != "b" {\n\t\tt.Fatal("b")\n\t}\n}\n';
const goHelper = (fail: string): string =>
  `package tu\n\nfunc Equal(t *testing.T, got, want string) {\n\tif got != want {\n\t\tt.${fail}("%s", got)\n\t}\n}\n`;
const goCalls =
  'func TestF(t *testing.T) {\n\ttu.Equal(t, F(1), "a")\n\ttu.Equal(t, F(2), "b")\n}\n';
const crc = (rows: string): string =>
  `const vectors = ${rows};\ntest.each(vectors)("%j", (text, want) => {\n  expect(crc(text)).toBe(want);\n});\n`;

test.each<readonly [string, Tree, Tree]>([
  [
    "a trait",
    {
      "tests/FastTest.php": php("FastTest", phpTest("new Fast()")),
      "tests/SlowTest.php": php("SlowTest", phpTest("new Slow()")),
    },
    {
      "tests/QueueContract.php": `<?php\ntrait QueueContract\n{\n${phpTest("$this->make()")}}\n`,
      "tests/FastTest.php": php("FastTest", "    use QueueContract;\n"),
      "tests/SlowTest.php": php("SlowTest", "    use QueueContract;\n"),
    },
  ],
  [
    "shared examples",
    { "spec/a_spec.rb": rubyOwn("A"), "spec/b_spec.rb": rubyOwn("B") },
    { "spec/shared.rb": shared, "spec/a_spec.rb": spec("A.new"), "spec/b_spec.rb": spec("B.new") },
  ],
  [
    "a helper in another package",
    { "f_test.go": goTest },
    { "internal/tu/equal.go": goHelper("Errorf"), "f_test.go": goCalls },
  ],
  [
    "a file of data",
    {
      "test/crc.test.js": `test("abc", () => {\n  expect(crc("abc")).toBe(891568578);\n});\n`,
    },
    {
      "test/vectors.json": `[["abc", 891568578], ["a", 3904355907]]\n`,
      "test/crc.test.js": crc(`require("./vectors.json")`),
    },
  ],
])("what a test asserted is asserted by %s now", (_, before, after) => {
  expect(told(before, after)).toEqual([]);
});

test.each<readonly [string, Tree, Tree]>([
  [
    "a place that ran shared examples",
    {
      "spec/shared.rb": shared,
      "spec/a_spec.rb": spec("A.new"),
      "spec/b_spec.rb": spec("Bag.new(9)"),
    },
    { "spec/shared.rb": shared, "spec/a_spec.rb": spec("A.new") },
  ],
  [
    "what a helper in another package asserted",
    { "internal/tu/equal.go": goHelper("Errorf"), "f_test.go": goCalls },
    { "internal/tu/equal.go": goHelper("Logf"), "f_test.go": goCalls },
  ],
])("it is told that this is lost: %s", (_, before, after) => {
  expect(told(before, after)).not.toEqual([]);
});

test("a helper that did not change is read although only the test is compared", () => {
  const helper = { "test/helpers/equal.go": goHelper("Errorf") };
  const before = memoryReader({ "f_test.go": goTest });
  const after = memoryReader({ ...helper, "f_test.go": goCalls });
  expect(bentTests(before, after, ["f_test.go"])).toEqual([]);
});
