import { styleText } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { displayWidth } from "../../base/text/printable.ts";
import { renderMarkdown } from "./render-markdown.ts";

const plain = (text: string, width = 40): string[] =>
  renderMarkdown(text, { width, paint: (_style, own) => own }).split("\n");
const coloured = (text: string): string =>
  renderMarkdown(text, {
    width: 60,
    paint: (style, own) => styleText(style, own, { validateStream: false }),
  });

test.each<[string, string, string[]]>([
  ["headings", "# One\ntext\n## Two\n\n**Three**\n", ["One", "text", "", "Two", "", "Three"]],
  ["bold and code", "a **b `c` d** `e`.", ["a b `c` d `e`."]],
  [
    "names with underscores stay",
    "call __init__ and snake_case_name",
    ["call __init__ and snake_case_name"],
  ],
  ["a link says where it leads", "[here](https://a.b/c)", ["here (https://a.b/c)"]],
  [
    "lists",
    "- one\n- two\n  1. inner that is long enough to be broken\n  2. next\n\n  more of two",
    [
      "• one",
      "• two",
      "  1. inner that is long enough to be",
      "     broken",
      "  2. next",
      "",
      "  more of two",
    ],
  ],
  ["quotes and breaks", "> said\n\n---\n\nend", ["│ said", "", "─".repeat(40), "", "end"]],
  [
    "a rule below a paragraph",
    "one\ntwo\n---\nthree\nfour\n===\n",
    ["one", "two", "", "─".repeat(40), "three", "four", "==="],
  ],
  ["a title over a line", "Title\n-----\nx", ["Title", "x"]],
  [
    "code is never broken or read",
    "```sh\n# no heading **a** " + "x".repeat(60) + "\n```",
    ["  # no heading **a** " + "x".repeat(60)],
  ],
  [
    "tables, with wide characters",
    "| a | b |\n|---|---|\n| 世界 | `x\\|y` |\n| one | two |",
    ["a    │ b", "─────┼──────", "世界 │ `x|y`", "one  │ two"],
  ],
  ["metadata stays", "---\nname: x\n---\ntext", ["---", "name: x", "---", "", "text"]],
  ["nothing", "", [""]],
])("%s", (_name, source, lines) => expect(plain(source)).toEqual(lines));

test("a table breaks its cells where the terminal is narrow, and stands row by row where it is too narrow", () => {
  const source = "| name | what it does |\n|---|---|\n| alpha | reads every file of the project |";
  expect(plain(source, 24)).toEqual([
    "name  │ what it does",
    "──────┼─────────────────",
    "alpha │ reads every file",
    "      │ of the project",
  ]);
  const wide = `|${"a b c d e".split(" ").join("|")}|\n|${"---|".repeat(5)}\n|${"word word|".repeat(5)}`;
  expect(plain(wide, 24).slice(0, 2)).toEqual(["a: word word", "b: word word"]);
});

test("colours: bold, code in cyan without its marks", () => {
  expect(coloured("**b** `c`")).toBe("\u001b[1mb\u001b[22m \u001b[36mc\u001b[39m");
});

test("no control sequence of the text arrives, no line is wider than the terminal, and no word is lost", () => {
  const word = fc.constantFrom(
    "alpha",
    "世界",
    "\u001b[2J",
    "\u0007",
    "`",
    "**",
    "|",
    "- ",
    "1. ",
    "# ",
    "> ",
    "\n",
    "\n\n",
    "```\n",
    "---\n",
    "|---|\n",
    " ",
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }),
      fc.integer({ min: 20, max: 80 }),
      (words, width) => {
        const source = words.join("");
        const shown = renderMarkdown(source, { width, paint: (_style, own) => own });
        // oxlint-disable-next-line no-control-regex
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
        const count = (text: string, what: string): number =>
          text.replace(/[\s│]/g, "").split(what).length;
        // What stands behind the marks that open a fence names its language, which is not shown.
        const told = source.replace(/`{3,}[^\n]*/g, "");
        for (const what of ["alpha", "世"])
          expect(count(shown, what)).toBeGreaterThanOrEqual(count(told, what));
        if (!source.includes("```"))
          for (const line of shown.split("\n"))
            expect(displayWidth(line)).toBeLessThanOrEqual(width);
      },
    ),
    { numRuns: 500 },
  );
});
