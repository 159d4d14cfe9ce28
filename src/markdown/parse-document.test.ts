import fc from "fast-check";
import { expect, test } from "vitest";
import { inlineCode } from "./inline-code.ts";
import { inlineLinks } from "./inline-links.ts";
import type { MarkdownBlock } from "./markdown-block.ts";
import { cpuMs } from "../testing/cpu-ms.ts";
import { parseDocument } from "./parse-document.ts";

const outline = (source: string): string[] =>
  parseDocument(source).blocks.map(({ kind, text, lines }) =>
    kind === "fence" ? `fence: ${lines.map((line) => line.text).join("⏎")}` : `${kind}: ${text}`,
  );
const find = (source: string, text: string): MarkdownBlock =>
  parseDocument(source).blocks.find((block) => block.text.includes(text))!;

test("reads headings, paragraphs, items, fences and rows in their order", () => {
  const source = [
    "# Title",
    "A paragraph",
    "of two lines.",
    "- one",
    "  more of one",
    "  - below one",
    "2. two",
    "```ts src/a.ts:4",
    "let a;",
    "```",
    "| File | Line |",
    "|---|--:|",
    "| `a|b.ts` | 4 |",
    "",
    "Under",
    "-----",
    "**Bold line**",
  ].join("\n");
  expect(outline(source)).toEqual([
    "heading: Title",
    "text: A paragraph\nof two lines.",
    "item: one\n  more of one",
    "item: below one",
    "item: two",
    "fence: let a;",
    "row: | File | Line |",
    "row: | `a|b.ts` | 4 |",
    "heading: Under",
    "heading: **Bold line**",
  ]);
  const row = find(source, "a|b.ts");
  expect(row.cells.map(({ text }) => text)).toEqual(["`a|b.ts`", "4"]);
  expect(row.columns.map(({ text }) => text)).toEqual(["File", "Line"]);
  expect(find(source, "Bold").heading?.text).toBe("Under");
  expect(find(source, "below one").parent?.text).toContain("one");
});

test("a hard break and a bold label begin a new block of the same paragraph", () => {
  expect(outline("**File:** a.ts  \n**Line:** 4\nmore\\\nrest")).toEqual([
    "text: **File:** a.ts",
    "text: **Line:** 4\nmore\\",
    "text: rest",
  ]);
});

test("a fence in a list item loses the item's indent and belongs to the item", () => {
  const source = "1. step\n\n   ```js\n   if (a) {\n     b();\n   }\n   ```\n\nafter";
  expect(outline(source)).toEqual(["item: step", "fence: if (a) {⏎  b();⏎}", "text: after"]);
  const [, fence, after] = parseDocument(source).blocks;
  expect(fence!.parent?.text).toBe("step");
  expect(after!.parent).toBeNull();
});

test("fences inside a document in a fence do not end it", () => {
  const source = "````md\n# x\n```\ninner\n```\n````\nend";
  expect(outline(`text\n\n${source.replaceAll("# x", "x")}`)).toEqual([
    "text: text",
    "fence: x⏎```⏎inner⏎```",
    "text: end",
  ]);
  expect(outline("a\n\n```md\nx\n```ts\ninner\n```\n```\nend").at(-1)).toBe("text: end");
});

test("the fence around a whole report is not part of it", () => {
  expect(outline("Here:\n```markdown\n## Result\ntext\n```ts\nx\n```\n```\n")).toEqual([
    "text: Here:",
    "heading: Result",
    "text: text",
    "fence: x",
  ]);
});

test("a heading that the caller knows ends a fence that was left open", () => {
  const { blocks } = parseDocument("```ts\nlet a;\n### Summary\nDone.", {
    endsFence: (heading) => heading === "Summary",
  });
  expect(blocks.map(({ kind }) => kind)).toEqual(["fence", "heading", "text"]);
});

test("block quotes, metadata, byte order marks and line ends leave the offsets as they are", () => {
  const source = "\ufeff---\ntitle: x\n---\r\n> quoted `a`\r\n> more\r\n\r\nplain";
  const { blocks } = parseDocument(source);
  expect(blocks.map(({ quoted }) => quoted)).toEqual([true, false]);
  expect(source.slice(blocks[0]!.start, blocks[0]!.end)).toBe("quoted `a`\r\n> more");
  expect(blocks[0]!.text).toBe("quoted `a`\r\n  more");
  expect(source.slice(blocks[1]!.start)).toBe("plain");
});

test("finds code spans by the length of their marks, and links outside of them", () => {
  const text = "`a` ``b`c`` `open [x](y.ts#L4) [z]\n[impl]: src/a.ts:4";
  expect(inlineCode("`a` ``b`c`` `open").map((span) => span.text)).toEqual(["a", "b`c"]);
  expect(inlineLinks(text).map(({ label, target }) => [label, target])).toEqual([
    ["x", "y.ts#L4"],
    ["impl", "src/a.ts:4"],
  ]);
  for (const { from, target } of inlineLinks(text))
    expect(text.startsWith(target, from)).toBe(true);
});

test("any text gives blocks in order whose offsets lie in it", () => {
  const piece = fc.constantFrom(
    "# a",
    "```",
    "~~~~",
    "> ",
    "- x",
    "  1. y",
    "|a|b|",
    "|-|-|",
    "---",
    "`",
    "**b**",
    "",
    "\r",
    "<pre>",
    "text  ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (lines) => {
      const source = lines.join("\n");
      let last = 0;
      for (const block of parseDocument(source).blocks) {
        expect(block.start).toBeGreaterThanOrEqual(last);
        expect(block.end).toBeGreaterThanOrEqual(block.start);
        expect(block.end).toBeLessThanOrEqual(source.length);
        expect(block.text.length).toBe(block.end - block.start);
        for (const line of block.lines) expect(source.startsWith(line.text, line.start)).toBe(true);
        last = block.start;
      }
    }),
  );
});

test.each([
  ["one line", (n: number) => "see `src/a.ts:45` and [x](y) ".repeat(n / 29)],
  ["a table", (n: number) => `|a|b|\n|-|-|\n${"| x | y |\n".repeat(n / 10)}`],
  ["nested fences", (n: number) => "````ts\n".repeat(n / 7)],
  ["open backticks", (n: number) => "` `` ``` ".repeat(n / 9)],
  ["quotes in quotes", (n: number) => "> ".repeat(n / 2)],
  ["lists in lists", (n: number) => "- ".repeat(n / 2)],
])("four times as much of %s takes no more than about four times as long", (_, make) => {
  const time = (length: number): number => {
    const source = make(length);
    return cpuMs(() => {
      for (const { text } of parseDocument(source).blocks) inlineLinks(text, inlineCode(text));
    }, 1);
  };
  // Collecting garbage falls into one measure or another, so the best of some tries counts.
  let [part, whole] = [time(250_000), time(1_000_000)];
  for (let tries = 1; tries < 6 && whole / Math.max(10, part) > 8; tries++)
    [part, whole] = [Math.min(part, time(250_000)), Math.min(whole, time(1_000_000))];
  expect(whole / Math.max(10, part)).toBeLessThanOrEqual(8);
});
