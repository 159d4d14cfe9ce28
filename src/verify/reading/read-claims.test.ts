import { describe, expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";
import { verifyReport } from "../verify-report.ts";

const filler = Array.from({ length: 40 }, (_, index) => `const filler${index} = ${index};`);
const cart = [
  "export function addItem(cart, item) {",
  "  cart.items.push(item);",
  "}",
  ...filler,
  "export function checkoutTotal(cart) {",
  "  return cart.items.reduce((sum, item) => sum + item.price, 0);",
  "}",
].join("\n");
const macros = "wrap! {\n\n/// Reads one row.\n#[inline]\npub fn read_one_row() {}\n}\n";

const repo = new Repository(
  memoryReader({
    "src/cart.ts": cart,
    "src/rows.rs": macros,
    "src/stamp.ts": "export const other = 1;\nconst ts = readNumber();\n",
    "completions/alpha": "_alpha() {\n  echo 1\n}\n",
    "completions/beta": "_beta() {\n  echo 2\n}\n",
  }),
);
const verdicts = (text: string): string[] =>
  verifyReport(text, { reader: repo }).checks.map(({ verdict }) => verdict);
const isTold = (text: string): boolean =>
  verifyReport(text, { reader: repo }).checks.some(({ verdict }) => isFlagged(verdict));

describe("a name is bound to its place", () => {
  test.each([
    [
      "by an ordinal",
      (line: number) => `函数 \`checkoutTotal\` 定义在 \`src/cart.ts\` 的第 ${line} 行。`,
    ],
    ["in the span of its line", (line: number) => `\`src/cart.ts\` has \`checkoutTotal:${line}\``],
    ["by a link", (line: number) => `Summed by [\`checkoutTotal\`](src/cart.ts#L${line}).`],
    [
      "by a footnote",
      (line: number) => `It is \`checkoutTotal\`[^1].\n\n[^1]: src/cart.ts:${line}`,
    ],
    ["by a record", (line: number) => `- \`checkoutTotal\`\n  - Location: \`src/cart.ts:${line}\``],
    [
      "by the file that was named last",
      (line: number) => `I read \`src/cart.ts\`.\n\n- \`checkoutTotal\`: same file, line ${line}`,
    ],
    [
      "by an answer",
      (line: number) => `**Q:** Where is \`checkoutTotal\`?\n**A:** src/cart.ts, line ${line}.`,
    ],
    [
      "by a field",
      (line: number) => `{"file": "src/cart.ts", "line": ${line}, "symbol": "checkoutTotal"}`,
    ],
  ])("%s", (_, write) => {
    expect(isTold(write(44))).toBe(false);
    expect(isTold(write(12))).toBe(true);
  });
});

test("a path without an ending is read in a folder of such files", () => {
  expect(verdicts("`_beta` is at `completions/beta:1`.")).toEqual(["verified"]);
  expect(isTold("`_beta` is at `completions/betta:1`.")).toBe(true);
  expect(verdicts("It takes either/or, and `this/that`.")).toEqual([]);
});

test("a slip of a name is told, another spelling of it is not", () => {
  expect(isTold("`checkoutTotals` is at `src/cart.ts:44`.")).toBe(true);
  expect(isTold("`CHECKOUT_TOTAL` is at `src/cart.ts:44`.")).toBe(false);
});

test("what holds accuses nobody, and a wrapping macro is the head of what it wraps", () => {
  expect(isTold("`ts` is read at `src/stamp.ts:2`, not `other`.")).toBe(false);
  expect(isTold("`read_one_row` (`src/rows.rs:1`)")).toBe(false);
});

describe("what is denied", () => {
  const reader = new Repository(
    memoryReader({ "src/auth.ts": "export function logout() {}\n", "src/app.ts": "logout();\n" }),
  );
  const verdicts = (text: string): string[] =>
    verifyReport(text, { reader }).checks.map(({ verdict }) => verdict);

  test.each([
    ["`logout` in `src/auth.ts:42` does not check the owner.", "out_of_range"],
    ["The token in `src/token.ts:12` never rotates.", "missing"],
    ["A missing owner check lets anyone in (`src/auth.ts:42`).", "out_of_range"],
    ["The owner is never compared in `src/auth.ts:42`.", "out_of_range"],
    ["You might want the check at `src/auth.ts:42`.", "out_of_range"],
    ["Is `src/auth.ts:42` in scope for this change?", "out_of_range"],
    ["`src/token.ts:12`: agree on what should happen here.", "missing"],
  ])("of what a place does leaves the place: %s", (text, verdict) => {
    expect(verdicts(text)).toContain(verdict);
  });

  test.each([
    "`src/token.ts:12` does not exist.",
    "There is no `src/token.ts:12`.",
    "The line `src/auth.ts:42` was removed.",
    "`src/token.ts:12` is missing.",
    "Is it `src/auth.ts:42`?",
    "Consider moving `logout` to `src/token.ts:1`.",
  ])("of the place itself is no claim: %s", (text) => {
    expect(verdicts(text)).not.toContain("missing");
    expect(verdicts(text)).not.toContain("out_of_range");
  });
});

describe("what the words around a place wish for", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `const value${at + 1} = compute(${at + 1});`);
  const reader = new Repository(
    memoryReader({ "src/values.ts": lines.join("\n"), "src/other.ts": "export const x = 1;\n" }),
  );
  const verdicts = (text: string): string[] =>
    verifyReport(text, { reader }).checks.map(({ verdict }) => verdict);
  const fence = (...code: string[]): string => `\`\`\`ts\n${code.join("\n")}\n\`\`\``;

  test.each([
    [
      "in another clause",
      "At `src/values.ts:5` we have `const value9 = compute(9);`, and I would question it.",
    ],
    [
      "before code with its own place",
      `What I would look at first:\n\n${fence("// src/values.ts:5", "const value9 = compute(9);")}`,
    ],
    [
      "of code that stands elsewhere",
      `I would drop \`src/values.ts:5\`:\n\n${fence("const value9 = compute(9);", "const value10 = compute(10);")}`,
    ],
    [
      "in the field of a record",
      '```json\n{\n  "path": "src/values.ts",\n  "line": 5,\n  "snippet": "const value9 = compute(9);"\n}\n```',
    ],
  ])("%s does not hide a wrong place", (_, text) => {
    expect(verdicts(text)).toEqual(["relocated"]);
  });

  test("of new code accuses nobody", () => {
    const text = `At \`src/values.ts:5\` I would write:\n\n${fence("const value5 = computeOnce(5, cache);")}`;
    expect(verdicts(text)).not.toContain("relocated");
    expect(verdicts(text)).not.toContain("altered");
  });

  test("a range that goes on from the line just given is one of the same file", () => {
    const text = `In \`src/values.ts\`, starting at line 24:\n\n${fence(lines[23]!, lines[24]!)}\n\nIt is in L24–L82.`;
    expect(verdicts(text)).toEqual(["verified", "out_of_range"]);
  });

  test("the start that the info of a fence gives is read", () => {
    const text = "```ts path=src/values.ts start=5\nconst value9 = compute(9);\n```";
    expect(verdicts(text)).toEqual(["relocated"]);
  });

  test("the lines around a match of a search are read as they are printed", () => {
    const found = `src/values.ts:7:${lines[6]!}\nsrc/values.ts-8-const value8 = recompute(8);`;
    expect(verdicts(`\`\`\`text\n${found}\n\`\`\``)).toEqual(["verified", "altered"]);
  });

  test("the end of a range that only a link's label gives is read", () => {
    expect(verdicts("[src/values.ts#L5-L90](src/values.ts#L5)")).toEqual(["out_of_range"]);
  });
});
