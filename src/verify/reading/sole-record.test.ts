import { describe, expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";
import { verifyReport } from "../verify-report.ts";

const filler = Array.from({ length: 40 }, (_, index) => `const filler${index} = ${index};`);
const repo = new Repository(
  memoryReader({
    "src/cart.ts": [...filler, "export function checkoutTotal(cart) {", "  return 1;", "}"].join(
      "\n",
    ),
    "src/other.ts": "export const other = 1;\n",
  }),
);
const isTold = (text: string, document?: string): boolean =>
  verifyReport(
    text,
    document === undefined ? { reader: repo } : { reader: repo, document },
  ).checks.some(({ verdict }) => isFlagged(verdict));

describe("the one file, number and name of a short part are said of each other", () => {
  test.each([
    [
      "in two sentences",
      (line: number) =>
        `### Where does \`checkoutTotal\` come from?\n\nFrom \`src/cart.ts\`. The declaration is on line ${line}.`,
    ],
    [
      "in the cells of a row",
      (line: number) =>
        `| # | Claim | Verdict | Evidence |\n|---|---|---|---|\n| 1 | \`checkoutTotal\` is a part of it | holds | \`src/cart.ts\` line ${line} |`,
    ],
    [
      "in an object",
      (line: number) =>
        `\`\`\`json\n{\n  "name": "checkoutTotal",\n  "location": {\n    "path": "src/cart.ts",\n    "startLine": ${line}\n  }\n}\n\`\`\``,
    ],
  ])("%s", (_, write) => {
    expect(isTold(write(41))).toBe(false);
    expect(isTold(write(3))).toBe(true);
  });
});

test("two numbers with words for begin and end are one range", () => {
  const write = (last: number): string =>
    `It begins at \`src/cart.ts:41\` and the last line of it is ${last}, on line ${last}.`;
  expect(isTold(write(43))).toBe(false);
  expect(isTold(write(97))).toBe(true);
});

const row = (words: string): string =>
  `| # | Claim | Evidence |\n|---|---|---|\n| 1 | \`checkoutTotal\` is a part of ${words} | \`src/cart.ts\` line 3 |`;

test("a long part may be read otherwise", () => {
  expect(isTold(row("it"))).toBe(true);
  expect(isTold(row(`it${", with other words about something else".repeat(9)}`))).toBe(false);
});

test("a part with two files may be read otherwise", () => {
  expect(isTold(row("`src/other.ts`"))).toBe(false);
});

test("a document, which may speak of any time, is not read so", () => {
  expect(isTold(row("it"), "docs/notes.md")).toBe(false);
});

test("a path of a list is a slip of the one that is here; a wished-for one is not", () => {
  const list = "\n\n```\nsrc/\n└── cart.js\n```\n";
  expect(isTold(`What is here:${list}`)).toBe(true);
  expect(isTold(`Proposed layout:${list}`)).toBe(false);
  expect(isTold(`The layout, as read:\n\n\`\`\`sh\ngit show HEAD:src/cart.js\n\`\`\`\n`)).toBe(
    true,
  );
  expect(isTold(`Add these files:\n\n\`\`\`\nsrc/cart.js\n\`\`\`\n`)).toBe(false);
});
