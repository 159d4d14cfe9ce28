// A Markdown text as a flat list of blocks, read once. Every block keeps its offsets in the source;
// `text` is a piece of the source of the same length, with the marks of quotes and lists blanked out.
import { readCells, type Cell } from "./table-cells.ts";

export type CodeLine = { text: string; start: number };

export type Block = {
  /** `text`: a paragraph, or a part of one up to a hard break; `item`: the first paragraph of one. */
  kind: "heading" | "text" | "item" | "fence" | "row";
  /** UTF-16 offsets of the block's own text; a fence's are those of its code. */
  start: number;
  end: number;
  text: string;
  /** The heading above it, and so on outwards; a heading's own is the one that it stands under. */
  heading: Block | null;
  /** The list item that it belongs to. */
  parent: Block | null;
  /** 1 to 6 for headings, 7 for a line in bold that serves as one; for items the indent of the mark. */
  level: number;
  /** A blank line stands before it. */
  apart: boolean;
  /** It stands in a block quote. */
  quoted: boolean;
  info: string;
  /** The code of a fence, without the indent that the fence itself has. */
  lines: readonly CodeLine[];
  /** The header cells of a row's table; the header row has itself. */
  columns: readonly Cell[];
  cells: readonly Cell[];
};

export type MarkdownDocument = { source: string; blocks: Block[] };

/** `endsFence`: headings that never stand in code; one inside a fence means that the fence was left open. */
export type DocumentOptions = { endsFence?: (heading: string) => boolean };

/** Total on any text and linear in its length. */
export function parseDocument(source: string, options: DocumentOptions = {}): MarkdownDocument {
  const scanner = new DocumentScanner(source, options);
  return { source, blocks: scanner.scan() };
}

type Fence = { block: Block; mark: string; indent: number; nested: string[]; lines: CodeLine[] };
type Paragraph = { start: number; end: number; lines: number; lastStart: number };
type SourceLine = { start: number; end: number; at: number; indent: number; quoted: boolean };

const fenceMark = /(`{3,}|~{3,})([^`\n]*)$/;
const atxHeading = /^(#{1,6})(?:[ \t]+|(?=\p{L}))(.*?)(?:[ \t]+#+)?[ \t]*$/u;
const listMark = /^(?:[-*+•]|\d{1,4}[.)])[ \t]+(?=\S)/;
const tableRule = /^\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$/;
const boldLine = /^(\*\*|__)(?=\S)(?:(?!\1).){1,160}\1[ \t]*:?[ \t]*$/;
const labelled = /^(\*\*|__)(?=\S)(?:(?!\1).){1,60}?(?::\1|\1[ \t]*:)/;
/** "- - - x" on one line: deeper lists are text. */
const deepestOnOneLine = 16;
const hardBreak = /(?: {2}|\\|<br ?\/?>)$/;

class DocumentScanner {
  readonly #source: string;
  readonly #endsFence: (heading: string) => boolean;
  readonly #blocks: Block[] = [];
  readonly #headings: Block[] = [];
  readonly #items: Block[] = [];
  /** Source with the marks of quotes blanked out, put together from pieces. */
  #view: string;
  #masks: [number, number][] = [];
  #paragraph: Paragraph | null = null;
  #open: Block | null = null;
  #fence: Fence | null = null;
  #columns: readonly Cell[] | null = null;
  #apart = true;

  constructor(source: string, { endsFence = () => false }: DocumentOptions) {
    this.#source = source;
    this.#view = source;
    this.#endsFence = endsFence;
  }

  scan(): Block[] {
    const source = this.#source;
    const outer = outerFence(source);
    let start = frontmatterEnd(source);
    while (start < source.length) {
      const next = source.indexOf("\n", start);
      const stop = next < 0 ? source.length : next;
      const end = stop > start && source.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
      if (start !== outer[0] && start !== outer[1]) this.#line(start, end);
      start = stop + 1;
    }
    this.#closeFence();
    this.#closeParagraph();
    return this.#withTexts();
  }

  /** Texts are cut out of the view at the end: the view is whole only then. */
  #withTexts(): Block[] {
    if (this.#masks.length > 0) {
      const parts: string[] = [];
      let at = 0;
      for (const [from, to] of this.#masks) {
        parts.push(this.#source.slice(at, from), " ".repeat(to - from));
        at = to;
      }
      this.#view = parts.join("") + this.#source.slice(at);
    }
    for (const block of this.#blocks) block.text = this.#view.slice(block.start, block.end);
    return this.#blocks;
  }

  #line(start: number, end: number): void {
    if (this.#fence && this.#insideFence(start, end)) return;
    const line = this.#measure(start, end);
    if (line.at >= end) {
      this.#closeParagraph();
      this.#columns = null;
      this.#apart = true;
      return;
    }
    this.#read(line);
    this.#apart = false;
  }

  #measure(start: number, end: number): SourceLine {
    let at = start;
    let from = start;
    let quoted = false;
    for (; at < end; at++) {
      const code = this.#source.charCodeAt(at);
      if (code === 62) {
        this.#masks.push([at, at + 1]);
        quoted = true;
        from = at + 2;
      } else if (code !== 32 && code !== 9) break;
    }
    return { start, end, at, indent: Math.max(0, at - from), quoted };
  }

  #read(line: SourceLine): void {
    const text = this.#source.slice(line.at, Math.min(line.end, line.at + 4000));
    const whole = line.end - line.at <= 4000;
    const first = text.charCodeAt(0);
    if (this.#columns && this.#row(line, text)) return;
    if ((first === 96 || first === 126) && whole && this.#openFence(line, text)) return;
    if (first === 60 && /^<pre\b/i.test(text) && this.#openPre(line)) return;
    if (first === 35 && whole) {
      const heading = atxHeading.exec(text);
      if (heading?.[2]) return this.#heading(line, heading[1]!.length, heading[2]);
    }
    if (whole && this.#underline(line, text)) return;
    if (whole && this.#rule(line, text)) return;
    const mark = listMark.exec(text);
    if (mark) return this.#item(line, mark[0].length);
    this.#prose(line, text);
  }

  #heading(line: SourceLine, level: number, text: string): void {
    this.#closeParagraph();
    this.#items.length = 0;
    const start = this.#source.indexOf(text, line.at + level);
    this.#push("heading", [start, start + text.length], { level, quoted: line.quoted });
    this.#enter(this.#blocks.at(-1)!);
  }

  #enter(heading: Block): void {
    while (this.#headings.length > 0 && this.#headings.at(-1)!.level >= heading.level)
      this.#headings.pop();
    heading.heading = this.#headings.at(-1) ?? null;
    this.#headings.push(heading);
  }

  /** "Title" over "=====": the paragraph of one line becomes a heading. */
  #underline(line: SourceLine, text: string): boolean {
    if (!/^(?:={3,}|-{3,})[ \t]*$/.test(text)) return /^(?:\*[ \t]*){3,}$/.test(text);
    const block = this.#open;
    const paragraph = this.#paragraph;
    this.#paragraph = null;
    this.#open = null;
    if (block?.kind !== "text" || paragraph?.lines !== 1 || block.parent !== null || line.quoted)
      return text.startsWith("-");
    this.#settle(block, paragraph);
    block.kind = "heading";
    block.level = text.startsWith("=") ? 1 : 2;
    this.#enter(block);
    return true;
  }

  /** The line below a table's header; what stood above the header stays a paragraph. */
  #rule(line: SourceLine, text: string): boolean {
    const paragraph = this.#paragraph;
    if (!paragraph || !text.includes("-") || !tableRule.test(text)) return false;
    const header = readCells(this.#source, paragraph.lastStart, paragraph.end);
    if (
      header.length === 0 ||
      !this.#source.slice(paragraph.lastStart, paragraph.end).includes("|")
    )
      return false;
    const block = this.#open!;
    this.#paragraph = null;
    this.#open = null;
    if (paragraph.lines > 1) {
      const end = this.#source.lastIndexOf("\n", paragraph.lastStart - 1);
      this.#settle(block, { ...paragraph, end, lines: paragraph.lines - 1 });
      this.#push("row", [paragraph.lastStart, paragraph.end], { quoted: line.quoted });
    } else {
      block.kind = block.kind === "item" ? "item" : "row";
      this.#settle(block, paragraph);
    }
    const row = this.#blocks.at(-1)!;
    row.cells = header;
    row.columns = header;
    this.#columns = header;
    return true;
  }

  #row(line: SourceLine, text: string): boolean {
    if (!text.includes("|")) {
      this.#columns = null;
      return false;
    }
    this.#push("row", [line.at, line.end], { quoted: line.quoted });
    const row = this.#blocks.at(-1)!;
    row.cells = readCells(this.#source, line.at, line.end);
    row.columns = this.#columns!;
    return true;
  }

  #item(line: SourceLine, width: number): void {
    this.#closeParagraph();
    this.#leaveItems(line.indent);
    const start = line.at + width;
    this.#push("item", [start, start], { level: line.indent, quoted: line.quoted });
    const item = this.#blocks.at(-1)!;
    this.#items.push(item);
    const rest = this.#source.slice(start, Math.min(line.end, start + 400));
    const opens = /^(?:`{3,}|~{3,})/.test(rest) && fenceMark.test(rest);
    if (opens || (this.#items.length < deepestOnOneLine && listMark.test(rest)))
      return this.#read({ ...line, at: start, indent: line.indent + width });
    this.#open = item;
    this.#paragraph = { start, end: line.end, lines: 1, lastStart: start };
  }

  /** Leaves the items that a block with this indent cannot belong to. */
  #leaveItems(indent: number): void {
    while (this.#items.length > 0 && this.#items.at(-1)!.level >= indent) this.#items.pop();
  }

  #prose(line: SourceLine, text: string): void {
    const open = this.#open;
    const paragraph = this.#paragraph;
    if (open && paragraph && open.quoted === line.quoted) {
      const titled = paragraph.lines === 1 && open.kind === "text" && this.#isBoldLine(paragraph);
      const broken =
        titled ||
        labelled.test(text) ||
        hardBreak.test(
          this.#source.slice(Math.max(paragraph.start, paragraph.end - 6), paragraph.end),
        );
      if (!broken) {
        paragraph.end = line.end;
        paragraph.lines += 1;
        paragraph.lastStart = line.at;
        return;
      }
    }
    const continues = paragraph !== null;
    this.#closeParagraph();
    if (!continues) this.#leaveItems(line.indent);
    this.#push("text", [line.at, line.at], { quoted: line.quoted });
    this.#open = this.#blocks.at(-1)!;
    this.#paragraph = { start: line.at, end: line.end, lines: 1, lastStart: line.at };
  }

  #closeParagraph(): void {
    if (!this.#open || !this.#paragraph) return;
    const block = this.#open;
    const { lines } = this.#paragraph;
    this.#settle(block, this.#paragraph);
    this.#open = null;
    this.#paragraph = null;
    if (block.kind !== "text" || lines > 1 || block.parent !== null || block.quoted) return;
    if (!this.#isBoldLine(block)) return;
    block.kind = "heading";
    block.level = 7;
    this.#enter(block);
  }

  #isBoldLine({ start, end }: { start: number; end: number }): boolean {
    return end - start <= 170 && boldLine.test(this.#source.slice(start, end));
  }

  #settle(block: Block, { start, end }: Paragraph): void {
    block.start = start;
    block.end = end;
    while (block.end > start && /[ \t\r]/.test(this.#source[block.end - 1]!)) block.end--;
  }

  #openFence(line: SourceLine, text: string): boolean {
    const mark = fenceMark.exec(text);
    if (mark?.index !== 0) return false;
    this.#beginFence(line, mark[1]!, mark[2]!.trim());
    return true;
  }

  #beginFence(line: SourceLine, mark: string, info: string): void {
    this.#closeParagraph();
    if (this.#apart) this.#leaveItems(line.indent);
    const start = Math.min(line.end + 1, this.#source.length);
    this.#push("fence", [start, start], { quoted: line.quoted });
    const block = this.#blocks.at(-1)!;
    block.info = info;
    this.#fence = { block, mark, indent: line.at - line.start, nested: [], lines: [] };
  }

  #openPre(line: SourceLine): boolean {
    const tags = /^<pre[^>]*>(?:\s*<code[^>]*>)?/i.exec(this.#source.slice(line.at, line.at + 300));
    if (!tags) return false;
    this.#beginFence(line, "</pre>", "");
    const start = line.at + tags[0].length;
    this.#fence!.block.start = start;
    this.#insideFence(start, line.end);
    return true;
  }

  /** True where the line belongs to the open fence or closes it. */
  #insideFence(start: number, end: number): boolean {
    const fence = this.#fence!;
    const text = this.#source.slice(start, end);
    if (fence.mark === "</pre>") return this.#insidePre(fence, text, start);
    if (text.includes("#")) {
      const heading = atxHeading.exec(text.slice(0, 400).trimStart());
      if (heading?.[2] && this.#endsFence(heading[2])) {
        this.#closeFence();
        return false;
      }
    }
    const bare = text.replace(/^[ \t>]+/, "");
    const mark = bare.startsWith("``") || bare.startsWith("~~") ? fenceMark.exec(bare) : null;
    if (mark?.index === 0 && this.#closes(fence, mark[1]!, mark[2]!.trim())) {
      this.#closeFence();
      return true;
    }
    const from = start + shared(text, fence.indent);
    fence.lines.push({ text: this.#source.slice(from, end), start: from });
    return true;
  }

  #insidePre(fence: Fence, text: string, start: number): boolean {
    const close = text.search(/(?:<\/code>\s*)?<\/pre>/i);
    const kept = close < 0 ? text : text.slice(0, close);
    if (kept !== "" || close < 0) fence.lines.push({ text: kept, start });
    if (close >= 0) this.#closeFence();
    return true;
  }

  /** A document inside a fence has fences of its own: they open with an info string and close without one. */
  #closes(fence: Fence, mark: string, info: string): boolean {
    const inner = fence.nested.at(-1);
    if (info !== "") {
      if (/^(?:markdown|md|mdx)\b/i.test(fence.block.info) && inner === undefined)
        fence.nested.push(mark);
      return false;
    }
    if (inner !== undefined && mark[0] === inner[0] && mark.length >= inner.length) {
      fence.nested.pop();
      return false;
    }
    return mark[0] === fence.mark[0] && mark.length >= fence.mark.length;
  }

  #closeFence(): void {
    const fence = this.#fence;
    if (!fence) return;
    this.#fence = null;
    this.#apart = false;
    fence.block.lines = fence.lines;
    const last = fence.lines.at(-1);
    fence.block.end = last ? last.start + last.text.length : fence.block.start;
  }

  #push(
    kind: Block["kind"],
    [start, end]: [number, number],
    { level = 0, quoted = false }: { level?: number; quoted?: boolean },
  ): void {
    this.#blocks.push({
      kind,
      start,
      end,
      text: "",
      heading: this.#headings.at(-1) ?? null,
      parent: this.#items.at(-1) ?? null,
      level,
      apart: this.#apart,
      quoted,
      info: "",
      lines: [],
      columns: [],
      cells: [],
    });
  }
}

/** How many of the first `indent` characters are blanks or marks of quotes. */
function shared(text: string, indent: number): number {
  let at = 0;
  while (at < indent && (text[at] === " " || text[at] === "\t" || text[at] === ">")) at++;
  return at;
}

/** The lines of ```markdown and ``` around a whole report, as offsets of their starts. */
function outerFence(source: string): [number, number] {
  const open = /^[ \t]{0,3}(?:`{3,}|~{3,})[ \t]*(?:markdown|md)[ \t]*$/im.exec(source);
  if (!open) return [-1, -1];
  const body = source.slice(open.index + open[0].length, open.index + open[0].length + 2000);
  if (!body.split("\n", 7).some((line) => /^#{1,3}\s/.test(line))) return [-1, -1];
  let close = source.length;
  for (let end = source.length; end > open.index;) {
    const start = source.lastIndexOf("\n", end - 1) + 1;
    if (start <= open.index) break;
    if (end - start < 80 && /^[ \t]{0,3}(?:`{3,}|~{3,})\s*$/.test(source.slice(start, end))) {
      close = start;
      break;
    }
    end = start - 1;
  }
  return [open.index, close < source.length ? close : -1];
}

/** Where the text begins behind a byte order mark and a block of metadata. */
function frontmatterEnd(source: string): number {
  const start = source.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (!source.startsWith("---\n", start) && !source.startsWith("---\r\n", start)) return start;
  const close = source.slice(start, start + 20_000).search(/\n---[ \t]*\r?(?:\n|$)/);
  const body = close < 0 ? "" : source.slice(start + 4, start + close);
  return /^[ \t]*[\w-]+[ \t]*:/.test(body) ? start + close + 4 : start;
}
