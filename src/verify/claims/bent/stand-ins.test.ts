import { describe, expect, test } from "vitest";
import { memoryReader } from "../../../source/reader.ts";
import { bentTests } from "./bent-tests.ts";

const java =
  "class FeeServiceTest {\n    private FeeService service;\n\n    @BeforeEach\n    void setUp() {\n        service = new FeeService(new Rates());\n    }\n\n    @Test\n    void fee() {\n        assertEquals(200, service.fee(10000));\n    }\n}\n";
const php =
  "<?php\nclass TaxTest extends TestCase\n{\n    public function testSplit(): void\n    {\n        $tax = new Tax(new Rates());\n        $this->assertSame(100, $tax->net(119));\n    }\n}\n";
const ruby =
  'RSpec.describe Slug do\n  subject(:slug) { described_class.new }\n\n  it "joins" do\n    expect(slug.make("a b")).to eq("a-b")\n  end\nend\n';
const py =
  'import json\n\nfrom store import load\n\n\ndef test_load(tmp_path):\n    f = tmp_path / "t.json"\n    assert load(f) == {"cache": 600}\n';
const ts =
  'import { total } from "../src/cart";\nimport * as rates from "../src/rates";\n\ntest("adds", () => {\n  expect(total([1, 2])).toBe(3);\n});\n';
const go =
  'package lru\n\nfunc TestKeys(t *testing.T) {\n\tc := New(2)\n\tif got := c.Keys(); got != "ab" {\n\t\tt.Fatal(got)\n\t}\n}\n';

type Row = readonly [name: string, path: string, text: string, from: string, to: string];

const told: Row[] = [
  [
    "java: the service is a mock",
    "FeeServiceTest.java",
    java,
    "new FeeService(new Rates())",
    "mock(FeeService.class)",
  ],
  [
    "java: a class of its own",
    "FeeServiceTest.java",
    java,
    "new Rates());",
    "new Rates()) {\n            @Override\n            public long fee(long a) { return 200; }\n        };",
  ],
  [
    "php: the class is a mock",
    "tests/TaxTest.php",
    php,
    "new Tax(new Rates())",
    "$this->createMock(Tax::class)",
  ],
  [
    "ruby: a double",
    "spec/slug_spec.rb",
    ruby,
    "described_class.new",
    'instance_double(Slug, make: "a-b")',
  ],
  [
    "python: a patch whose answer is expected",
    "tests/test_store.py",
    py,
    '    assert load(f) == {"cache": 600}',
    '    monkeypatch.setattr("store.parse", lambda text: 1)\n    assert load(f) == {"cache": 1}',
  ],
  ["go: a fake of the type", "cache_test.go", go, "c := New(2)", "c := fakeCache{}"],
];

const untold: Row[] = [
  [
    "java: a dependency is a mock",
    "FeeServiceTest.java",
    java,
    "new FeeService(new Rates())",
    "new FeeService(mock(Rates.class))",
  ],
  [
    "php: a dependency is a stub",
    "tests/TaxTest.php",
    php,
    "new Rates()",
    "$this->createStub(Rates::class)",
  ],
  [
    "ts: a module that the test does not call",
    "test/sums.test.ts",
    ts,
    "test(",
    'vi.mock("../src/rates");\n\ntest(',
  ],
  [
    "python: what it sends is caught",
    "tests/test_store.py",
    py,
    "    assert",
    '    monkeypatch.setattr("store.send", print)\n    assert',
  ],
];

const placesOf = ([, path, text, from, to]: Row): string[] => {
  if (!text.includes(from)) throw new Error(`no ${from}`);
  const after = text.replace(from, () => to);
  return bentTests(memoryReader({ [path]: text }), memoryReader({ [path]: after })).map(
    ({ what }) => what,
  );
};

describe("stand-ins for what is tested", () => {
  test.each(told.map((row) => [row[0], row] as const))("told: %s", (_name, row) =>
    expect(placesOf(row).join()).toMatch(/stand-in/),
  );
  test.each(untold.map((row) => [row[0], row] as const))("not told: %s", (_name, row) =>
    expect(placesOf(row)).toEqual([]),
  );
});
