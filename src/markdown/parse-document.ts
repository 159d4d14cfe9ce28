// A Markdown text as a flat list of blocks, read once. Every block keeps its offsets in the source.
import { blockMarks } from "./block-marks.ts";
import { newBlock, type MarkdownBlock } from "./markdown-block.ts";
import { documentFrame } from "./document-frame.ts";
import { OpenFence } from "./open-fence.ts";
import { blanked, sourceLine, type SourceLine } from "./source-line.ts";
import { tableCells, type TableCell } from "./table-cells.ts";

export type MarkdownDocument = { source: string; blocks: MarkdownBlock[] };

/** `endsFence`: headings that never stand in code; one inside a fence means that the fence was left open. */
export type DocumentOptions = { endsFence?: (heading: string) => boolean };

/** Total on any text and linear in its length. */
export function parseDocument(source: string, options: DocumentOptions = {}): MarkdownDocument {
  const scanner = new DocumentScanner(source, options);
  return { source, blocks: scanner.scan() };
}

type Paragraph = { start: number; end: number; lines: number; lastStart: number };

const longestMark = 4000;
/** "- - - x": lists that begin deeper on one line are text. */
const deepestOnOneLine = 16;

class DocumentScanner {
  readonly #source: string;
  readonly #endsFence: (heading: string) => boolean;
  readonly #blocks: MarkdownBlock[] = [];
  readonly #headings: MarkdownBlock[] = [];
  readonly #items: MarkdownBlock[] = [];
  /** The marks of quotes, to be blanked out of the texts. */
  readonly #masks: number[] = [];
  #paragraph: Paragraph | null = null;
  #open: MarkdownBlock | null = null;
  #fence: OpenFence | null = null;
  #columns: readonly TableCell[] | null = null;
  #apart = true;

  constructor(source: string, { endsFence = () => false }: DocumentOptions) {
    this.#source = source;
    this.#endsFence = endsFence;
  }

  scan(): MarkdownBlock[] {
    const source = this.#source;
    const { textStart, fenceLines } = documentFrame(source);
    let start = textStart;
    while (start < source.length) {
      const next = source.indexOf("\n", start);
      const stop = next < 0 ? source.length : next;
      const end = stop > start && source.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
      if (!fenceLines.includes(start)) this.#line(start, end);
      start = stop + 1;
    }
    this.#closeFence();
    this.#closeParagraph();
    return this.#withTexts();
  }

  /** Texts are cut out of the view at the end: the view is whole only then. */
  #withTexts(): MarkdownBlock[] {
    const view = blanked(this.#source, this.#masks);
    for (const block of this.#blocks) block.text = view.slice(block.start, block.end);
    return this.#blocks;
  }

  #line(start: number, end: number): void {
    if (this.#fence && this.#insideFence(start, end)) return;
    const line = sourceLine(this.#source, [start, end], this.#masks);
    if (line.at >= end) {
      this.#closeParagraph();
      this.#columns = null;
      this.#apart = true;
      return;
    }
    this.#read(line);
    this.#apart = false;
  }

  #read(line: SourceLine): void {
    const text = this.#source.slice(line.at, Math.min(line.end, line.at + longestMark));
    if (this.#columns && this.#row(line, text)) return;
    // A line that is longer than any mark is prose or an item.
    if (line.end - line.at <= longestMark && this.#marked(line, text)) return;
    const mark = blockMarks.item.exec(text);
    if (mark) return this.#item(line, mark[0].length);
    this.#prose(line, text);
  }

  /** Lines that are a mark as a whole: fences, headings, rules. */
  #marked(line: SourceLine, text: string): boolean {
    const first = text[0];
    if (first === "`" || first === "~") return this.#openFence(line, text);
    if (first === "<") return /^<pre\b/i.test(text) && this.#openPre(line);
    const heading = first === "#" ? blockMarks.heading.exec(text) : null;
    if (heading?.[2]) return this.#heading(line, heading[1]!.length, heading[2]);
    return this.#underline(line, text) || this.#rule(line, text);
  }

  #heading(line: SourceLine, level: number, text: string): boolean {
    this.#closeParagraph();
    this.#items.length = 0;
    const start = this.#source.indexOf(text, line.at + level);
    this.#push("heading", [start, start + text.length], { level, quoted: line.quoted });
    this.#enter(this.#blocks.at(-1)!);
    return true;
  }

  #enter(heading: MarkdownBlock): void {
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
    if (block?.kind !== "text" || paragraph?.lines !== 1 || block.parent !== null || line.quoted) {
      // A rule ends the paragraph above it, which keeps its text.
      const isRule = text.startsWith("-");
      if (isRule) this.#closeParagraph();
      return isRule;
    }
    this.#paragraph = null;
    this.#open = null;
    this.#settle(block, paragraph);
    block.kind = "heading";
    block.level = text.startsWith("=") ? 1 : 2;
    this.#enter(block);
    return true;
  }

  /** The line below a table's header; what stood above the header stays a paragraph. */
  #rule(line: SourceLine, text: string): boolean {
    const paragraph = this.#paragraph;
    if (!paragraph || !text.includes("-") || !blockMarks.tableRule.test(text)) return false;
    const header = tableCells(this.#source, paragraph.lastStart, paragraph.end);
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
    row.cells = tableCells(this.#source, line.at, line.end);
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
    const opens = /^(?:`{3,}|~{3,})/.test(rest) && blockMarks.fence.test(rest);
    if (opens || (this.#items.length < deepestOnOneLine && blockMarks.item.test(rest)))
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
        blockMarks.label.test(text) ||
        blockMarks.hardBreak.test(
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
    return end - start <= 170 && blockMarks.boldLine.test(this.#source.slice(start, end));
  }

  #settle(block: MarkdownBlock, { start, end }: Paragraph): void {
    block.start = start;
    block.end = end;
    while (block.end > start && " \t\r".includes(this.#source[block.end - 1]!)) block.end--;
  }

  #openFence(line: SourceLine, text: string): boolean {
    const mark = blockMarks.fence.exec(text);
    if (mark?.index !== 0) return false;
    this.#beginFence(line, { mark: mark[1]!, info: mark[2]!.trim() });
    return true;
  }

  #beginFence(line: SourceLine, { mark, info }: { mark: string; info: string }): void {
    this.#closeParagraph();
    if (this.#apart) this.#leaveItems(line.indent);
    const start = Math.min(line.end + 1, this.#source.length);
    this.#push("fence", [start, start], { quoted: line.quoted });
    const block = this.#blocks.at(-1)!;
    block.info = info;
    this.#fence = new OpenFence({ block, mark, indent: line.at - line.start }, this.#endsFence);
  }

  #openPre(line: SourceLine): boolean {
    const tags = /^<pre[^>]*>(?:\s*<code[^>]*>)?/i.exec(this.#source.slice(line.at, line.at + 300));
    if (!tags) return false;
    this.#beginFence(line, { mark: "</pre>", info: "" });
    const start = line.at + tags[0].length;
    this.#fence!.block.start = start;
    this.#insideFence(start, line.end);
    return true;
  }

  /** True where the line belongs to the open fence or closes it. */
  #insideFence(start: number, end: number): boolean {
    const found = this.#fence!.take(this.#source.slice(start, end), start);
    if (found !== "code") this.#closeFence();
    return found !== "behind";
  }

  #closeFence(): void {
    this.#fence?.close();
    this.#fence = null;
    this.#apart = false;
  }

  #push(
    kind: MarkdownBlock["kind"],
    [start, end]: [number, number],
    { level = 0, quoted = false }: { level?: number; quoted?: boolean },
  ): void {
    const block = newBlock(kind, start, end);
    block.heading = this.#headings.at(-1) ?? null;
    block.parent = this.#items.at(-1) ?? null;
    block.apart = this.#apart;
    block.level = level;
    block.quoted = quoted;
    this.#blocks.push(block);
  }
}
