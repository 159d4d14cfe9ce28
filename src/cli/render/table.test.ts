import { expect, test } from "vitest";
import { displayWidth } from "../../base/text/printable.ts";
import { tableLines } from "./table.ts";

const rows = [
  [
    "aa4cd0c1f9e106516",
    "general-purpose",
    "",
    "running",
    "1 s ago",
    "background",
    "1 turn",
    "120 tokens",
  ],
  [
    "a0123456789abcdef",
    "Explore",
    "",
    "failed (lost)",
    "3 min ago",
    "",
    "14 turns",
    "1,024 tokens",
  ],
];

test("without a width every row is one whole line, and columns that are empty everywhere are left out", () => {
  expect(tableLines(rows)).toEqual([
    "aa4cd0c1f9e106516  general-purpose  running        1 s ago    background  1 turn    120 tokens",
    "a0123456789abcdef  Explore          failed (lost)  3 min ago              14 turns  1,024 tokens",
  ]);
});

test("on a narrow terminal a row takes several lines, broken between its cells only", () => {
  expect(tableLines(rows, { width: 40 })).toEqual([
    "aa4cd0c1f9e106516  general-purpose\n  running  1 s ago  background  1 turn\n  120 tokens",
    "a0123456789abcdef  Explore\n  failed (lost)  3 min ago  14 turns\n  1,024 tokens",
  ]);
});

test("a long last column is cut where enough of it is left, else it gets a line of its own", () => {
  const listed = [
    ["reviewer", "project", "Reviews what was changed and says what is missing"],
    ["漢字", "user", "short"],
  ];
  expect(tableLines(listed, { width: 60 })).toEqual([
    "reviewer  project  Reviews what was changed and says what i…",
    "漢字      user     short",
  ]);
  expect(tableLines(listed, { width: 40 })).toEqual([
    "reviewer  project\n  Reviews what was changed and says wha…",
    "漢字  user  short",
  ]);
});

test.each([1, 2, 7, 20, 39, 40, 60, 79, 80, 93, 94, 200])(
  "no line is wider than a terminal of %i columns, and no colour counts",
  (width) => {
    const paint = (cell: string): string => `<${cell}>`;
    for (const line of tableLines(rows, { width, paint }).join("\n").split("\n"))
      expect(displayWidth(line.replace(/[<>]/g, ""))).toBeLessThanOrEqual(Math.max(width, 3));
  },
);

test("no rows, no lines", () => expect(tableLines([], { width: 40 })).toEqual([]));
