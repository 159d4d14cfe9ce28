// Markdown for a terminal: headings in bold, lists with their marks, tables in columns, code as it
// stands. No word of the text is lost, and the text brings no control sequence of its own.
import { printable } from "../../base/text/printable.ts";
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import { parseDocument } from "../../markdown/parse-document.ts";
import type { Look, Paint } from "../paint.ts";
import { paintSpans, readSpans, wrapSpans } from "./spans.ts";
import { tableText } from "./table-text.ts";

const leastWidth = 20;
const thematicBreak = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Lines are at most `width` columns wide, except those of code, which are never broken. */
export function renderMarkdown(text: string, { width, paint }: Look): string {
  const source = printable(text);
  const { blocks } = parseDocument(source);
  const look = { width: Math.max(leastWidth, width), paint };
  const lines = blocks.length > 0 ? metadata(source, blocks[0]!, look) : [source];
  let end = blocks[0]?.start ?? 0;
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]!;
    const isUnderlined = blocks[at - 1]?.kind === "heading";
    if (at > 0 && hasBreak(source.slice(end, block.start), isUnderlined))
      lines.push("", paint("dim", "─".repeat(Math.min(look.width, 40))));
    if (lines.length > 0 && (block.apart || block.kind === "heading")) lines.push("");
    const rows = block.kind === "row" ? tableFrom(blocks, at) : [];
    if (rows.length > 0) lines.push(...tableText(rows, look));
    else lines.push(...blockLines(block, source, look));
    at += Math.max(0, rows.length - 1);
    end = blocks[at]!.end;
  }
  return lines.join("\n").replace(/^\n+|\s+$/g, "");
}

/** An agent's answer: rendered on a terminal, and elsewhere as the agent wrote it. */
export function answerText(
  text: string,
  { width, paint }: { width: () => number | undefined; paint: Paint },
): string {
  const columns = width();
  return columns === undefined ? printable(text) : renderMarkdown(text, { width: columns, paint });
}

/** What stands before the first block: a block of metadata, as it is. */
function metadata(source: string, first: MarkdownBlock, { paint }: Look): string[] {
  const before = source.slice(0, first.start);
  return before.startsWith("---\n")
    ? before
        .slice(0, before.lastIndexOf("\n---") + 4)
        .split("\n")
        .map((line) => paint("dim", line))
    : [];
}

/** The line right below a heading may be its underline. */
function hasBreak(between: string, isUnderlined: boolean): boolean {
  const lines = between.split("\n").slice(1, -1);
  return lines.slice(isUnderlined ? 1 : 0).some((line) => thematicBreak.test(line));
}

/** The rows of one table share the cells of its header. */
function tableFrom(blocks: readonly MarkdownBlock[], from: number): MarkdownBlock[] {
  const { columns } = blocks[from]!;
  let to = from + 1;
  while (blocks[to]?.kind === "row" && blocks[to]!.columns === columns) to++;
  return blocks.slice(from, to);
}

function blockLines(block: MarkdownBlock, source: string, look: Look): string[] {
  const { paint } = look;
  const indent = "  ".repeat(depthOf(block));
  const quote = block.quoted ? paint("dim", "│ ") : "";
  if (block.kind === "fence")
    return block.lines.map(({ text }) => `${quote}${indent}  ${paint("cyan", text)}`);
  if (block.kind === "heading") {
    const words = block.text.replace(/^(\*\*)([\s\S]*?)\1[ \t]*(:?)[ \t]*$/, "$2$3");
    return proseLines(words, look, { first: quote, rest: quote }).map((line) =>
      paint("bold", line),
    );
  }
  const mark = block.kind === "item" ? markBefore(source, block) : "";
  return proseLines(block.text, look, {
    first: `${quote}${indent}${mark === "" ? "" : `${paint("dim", mark)} `}`,
    rest: `${quote}${indent}${" ".repeat(mark === "" ? 0 : mark.length + 1)}`,
  });
}

/** How deep a block stands in lists. */
function depthOf({ parent }: MarkdownBlock): number {
  let depth = 0;
  for (let item = parent; item !== null; item = item.parent) depth++;
  return depth;
}

/** `1.`, or a bullet for every other mark. */
function markBefore(source: string, { start }: MarkdownBlock): string {
  const number = /(\d{1,4}[.)])[ \t]+$/.exec(source.slice(Math.max(0, start - 12), start));
  return number?.[1] ?? "•";
}

/** Every line of the text stays a line: agents write them for the eye. */
function proseLines(
  text: string,
  { width, paint }: Look,
  { first, rest }: { first: string; rest: string },
): string[] {
  const columns = Math.max(8, width - rest.replace(/\u001b\[[0-9;]*m/g, "").length);
  const lines = text
    .split("\n")
    .flatMap((line) => wrapSpans(readSpans(line.replace(/\\$/, "").trim(), paint), columns));
  return lines.map((spans, index) => `${index === 0 ? first : rest}${paintSpans(spans, paint)}`);
}
