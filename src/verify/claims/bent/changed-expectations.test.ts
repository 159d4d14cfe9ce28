import { describe, expect, test } from "vitest";
import { memoryReader } from "../../../source/reader.ts";
import { bentTests } from "./bent-tests.ts";

type Files = Record<string, string>;
type Edit = readonly [path: string, from: string, to: string];

const base: Files = {
  "README.md": "# cart\n\nOrders from 5000 on ship free.\n",
  "src/cart.ts":
    'export const shipping = (cents: number) => (cents >= 5000 ? 0 : 490);\nexport const names = (list: string[]) => [...list].sort();\nexport const label = (n: number) => "item " + n;\n',
  "test/cart.test.ts":
    'import { label, names, shipping } from "../src/cart";\n\nconst list = ["pen", "ink", "pad"];\n\ntest.each([\n  [4999, 490],\n  [5000, 0],\n])("ships %i", (cents, cost) => {\n  expect(shipping(cents)).toBe(cost);\n});\n\ntest("sorts all names", () => {\n  expect(names(list)).toEqual(["ink", "pad", "pen"]);\n});\n\ntest("labels", () => {\n  expect(label(7)).toBe("item 7");\n});\n',
  "test/__snapshots__/cart.test.ts.snap": "exports[`prints 1`] = `ink pad pen`;\n",
  "tests/test_slot.py":
    "from slot import end, busy\n\n\ndef test_end():\n    want = (570, 30)\n    assert end(540) == want\n\n\ndef test_busy():\n    assert busy(540)\n    assert not busy(10)\n\n\ndef test_order():\n    assert end(8) < end(9)\n",
  "slot.py":
    "def end(start):\n    return (start + 30, 30)\n\n\ndef busy(at):\n    return at >= 540\n",
  "tests/TaxTest.php":
    "<?php\nclass TaxTest extends TestCase\n{\n    public static function amounts(): array\n    {\n        return [\n            'book' => [1000, 70],\n            'pen' => [1000, 190],\n        ];\n    }\n\n    #[DataProvider('amounts')]\n    public function testAmounts(int $cents, int $tax): void\n    {\n        $this->assertSame($tax, tax($cents));\n    }\n}\n",
  "src/tax.php":
    "<?php\nfunction tax(int $cents): int\n{\n    return intdiv($cents * rate(), 100);\n}\n",
};

const code: Edit = ["src/cart.ts", "cents >= 5000", "cents > 5000"];
const row: Edit = ["test/cart.test.ts", "[5000, 0]", "[5000, 490]"];
const unsorted: Edit = ["src/cart.ts", ".sort()", ""];
const order: Edit = ["test/cart.test.ts", '["ink", "pad", "pen"]', '["pen", "ink", "pad"]'];

const placesOf = (edits: readonly Edit[]): string[] => {
  const after = { ...base };
  for (const [path, from, to] of edits) {
    const text = after[path] ?? "";
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    after[path] = text.replace(from, () => to);
  }
  return bentTests(memoryReader(base), memoryReader(after)).map(({ what }) => what);
};

const told: [string, ...Edit[]][] = [
  ["a row of a table with the code", code, row],
  [
    "a row of a table by the name of its function",
    ["src/tax.php", "rate()", "7"],
    ["tests/TaxTest.php", "190", "70"],
  ],
  ["a list with the code", unsorted, order],
  [
    "a value that is put aside",
    ["slot.py", "start + 30", "start + 29"],
    ["tests/test_slot.py", "(570,", "(569,"],
  ],
  [
    "the other truth",
    ["slot.py", ">= 540", "<= 540"],
    ["tests/test_slot.py", "assert not busy(10)", "assert busy(10)"],
  ],
  [
    "no order any more, with the code",
    unsorted,
    ["test/cart.test.ts", "expect(names(list))", "expect([...names(list)].sort())"],
  ],
  [
    "another input with the code",
    ["slot.py", ">= 540", ">= 11"],
    ["tests/test_slot.py", "not busy(10)", "not busy(9)"],
  ],
  ["the expectation alone", order],
  [
    "a list with the code, and the test's name says less",
    unsorted,
    order,
    ["test/cart.test.ts", '"sorts all names"', '"names"'],
  ],
  [
    "the reversed order with the code",
    ["slot.py", "(start + 30", "(30 - start"],
    ["tests/test_slot.py", "end(8) < end(9)", "end(8) > end(9)"],
  ],
  [
    "a snapshot with the code",
    unsorted,
    ["test/__snapshots__/cart.test.ts.snap", "ink pad pen", "pen ink pad"],
  ],
];

const untold: [string, ...Edit[]][] = [
  ["a document says so", code, row, ["README.md", "from 5000 on", "above 5000"]],
  [
    "a comment says so",
    [
      "src/cart.ts",
      "export const shipping = (cents: number) => (cents >= 5000",
      "/** The limit itself is charged as well. */\nexport const shipping = (cents: number) => (cents > 5000",
    ],
    row,
  ],
  [
    "the test's name says so",
    unsorted,
    order,
    ["test/cart.test.ts", '"sorts all names"', '"keeps the order"'],
  ],
  [
    "a shorter name has the new value",
    unsorted,
    order,
    ["test/cart.test.ts", '"sorts all names"', '"pen first"'],
  ],
  [
    "the same order in other words",
    ["slot.py", "(start + 30", "(30 + start"],
    ["tests/test_slot.py", "assert end(8) < end(9)", "assert not end(8) >= end(9)"],
  ],
  [
    "the code has the new words",
    ["src/cart.ts", '"item "', '"part "'],
    ["test/cart.test.ts", '"item 7"', '"part 7"'],
  ],
  [
    "a snapshot with a document",
    unsorted,
    ["test/__snapshots__/cart.test.ts.snap", "ink pad pen", "pen ink pad"],
    ["README.md", "Orders", "Names keep their order. Orders"],
  ],
];

describe("expectations that changed", () => {
  test.each(told)("told: %s", (_name, ...edits) => expect(placesOf(edits)).not.toEqual([]));
  test.each(untold)("not told: %s", (_name, ...edits) => expect(placesOf(edits)).toEqual([]));
  test("says what documents it: nothing", () => {
    expect(placesOf([code, row])).toEqual([
      expect.stringContaining(
        "expects 490 where it expected 0: the code changed with it, and nothing documents it",
      ),
    ]);
  });
});
