// One block of a document as the engine sees it: the files, numbers, names and quotations in it.
import { inlineCode, type InlineCode } from "../../markdown/inline-code.ts";
import { inlineLinks } from "../../markdown/inline-links.ts";
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import type { Repository } from "../../source/repository.ts";
import type { Claim } from "./claim.ts";
import { findEvidence, nameEvidence, quoteEvidence, type Evidence } from "./find-evidence.ts";
import { codeName, isCodeShaped } from "./code-names.ts";
import { findMentions, type Mention } from "./paths/find-mentions.ts";
import { columnKind, spelledNumbers, type NumberedLines } from "./spelled-numbers.ts";
import type { DocumentPlace } from "./paths/resolve-mention.ts";

export type ReadingUnit = {
  block: MarkdownBlock;
  text: string;
  mentions: Mention[];
  numbers: NumberedLines[];
  evidence: Evidence[];
  claims: Claim[];
  /** Quotations of a fence without a place of its own. */
  loose?: Evidence[];
  /** A text above the fence names the place of what it quotes. */
  isLed?: boolean;
};

export type Reader = { repo: Repository; place: DocumentPlace };

/** What has been read so far. */
export type Context = {
  units: readonly ReadingUnit[];
  byBlock: ReadonlyMap<MarkdownBlock, ReadingUnit>;
  reader: Reader;
  report: string;
};

/** The heading of a section: a line in bold only labels what stands below it. */
export function sectionOf(block: MarkdownBlock): MarkdownBlock | null {
  let up = block.heading;
  while (up?.level === boldLine) up = up.heading;
  return up;
}

const boldLine = 7;

/** Offsets in the unit count from the start of its block. */
export function readUnit(block: MarkdownBlock, { repo, place }: Reader): ReadingUnit {
  const { text } = block;
  if (block.kind === "fence")
    return { block, text: "", mentions: [], numbers: [], evidence: [], claims: [] };
  const spans = codeSpans(text);
  const links = inlineLinks(text, spans);
  const mentions = findMentions(text, { repo, place, spans, links });
  const evidence = findEvidence(text, { spans, mentions });
  const counted = block.kind === "row" ? rowNumbers(block) : textNumbers(block);
  const free = counted.length === 0 ? counted : outside(counted, mentions);
  const quotes = free.length === 0 ? [] : evidence.filter(({ lines }) => lines.length > 0);
  const numbers = quotes.length === 0 ? free : outside(free, quotes);
  addPrinted(text, mentions, evidence);
  if (block.kind === "row") addCellNames(block, { mentions, evidence, numbers });
  return { block, text, mentions, numbers, evidence, claims: [] };
}

const codeTag = /<code>([^<>\n]{1,400})<\/code>/g;

/** Between backticks or tags. */
function codeSpans(text: string): InlineCode[] {
  const spans = inlineCode(text);
  if (!text.includes("<code>")) return spans;
  const tagged = [...text.matchAll(codeTag)].map(({ index, 0: whole, 1: inner }) => ({
    start: index,
    end: index + whole.length,
    from: index + "<code>".length,
    text: inner!,
  }));
  return [...spans, ...outside(tagged, spans)].sort((a, b) => a.start - b.start);
}

type Span = { start: number; end: number };

/** The items that overlap none of the spans; both are in order. */
function outside<Item extends Span>(items: readonly Item[], spans: readonly Span[]): Item[] {
  let next = 0;
  return items.filter(({ start, end }) => {
    while (next < spans.length && spans[next]!.end <= start) next++;
    return next >= spans.length || spans[next]!.start >= end;
  });
}

/** What a search prints behind `path:line:` at the start of a line. */
function addPrinted(text: string, mentions: readonly Mention[], evidence: Evidence[]): void {
  for (const { start, end, ranges, inCode } of mentions) {
    if (ranges.length === 0 || inCode || (start > 0 && text[start - 1] !== "\n")) continue;
    const line = text.slice(end, end + 400).split("\n", 1)[0]!;
    const code = /^(?::\d{1,4})?:(?:\S|\s{2}|\t)/.test(line)
      ? line.replace(/^(?::\d{1,4})?:/, "")
      : "";
    if (code.trim() === "" || code.startsWith(" `")) continue;
    const quote = quoteEvidence([code], end, end + line.length);
    quote.isTold = true;
    evidence.push(quote);
  }
}

/** "### L7. `form.rb` keeps no date" is the seventh finding of a kind. */
const titleId = /^\W*L\d{1,3}[.:)]\s/;

function textNumbers({ kind, text }: MarkdownBlock): NumberedLines[] {
  const id = kind === "heading" ? (titleId.exec(text)?.[0].length ?? 0) : 0;
  const numbers = spelledNumbers(text);
  return id === 0 ? numbers : numbers.filter(({ start }) => start >= id);
}

function rowNumbers(block: MarkdownBlock): NumberedLines[] {
  if (block.cells === block.columns) return [];
  const found: NumberedLines[] = [];
  const kinds = kindsOf(block.columns);
  // Where a column gives the lines, "L4" in another is the name of something.
  const hasLines = block.cells.some(({ text }, at) => kinds[at] === "line" && isNumber(text));
  for (const [index, cell] of block.cells.entries()) {
    const header = block.columns[index]?.text ?? "";
    const kind = kinds[index] ?? "other";
    const isLine =
      kind !== "other" && (!/^\W*(?:from|to|start|end)\W*$/i.test(header) || isNumber(cell.text));
    if (hasLines && !isLine && loneId.test(cell.text)) continue;
    const shift = cell.start - block.start;
    for (const range of spelledNumbers(cell.text, isLine)) {
      if (kind === "length" && range.first === range.last) continue;
      const placed = { ...range, start: range.start + shift, end: range.end + shift };
      if (!endsLast(placed, found.at(-1), header)) found.push(placed);
    }
  }
  return found;
}

/** Two columns give the first line and the last. */
function endsLast(
  { first, end }: NumberedLines,
  last: NumberedLines | undefined,
  header: string,
): boolean {
  if (!last || last.first !== last.last || !/^\W*(?:end|to|last)\b/i.test(header)) return false;
  last.last = first;
  last.end = end;
  return true;
}

const loneId = /^\W*L\d{1,3}(?![\d-])(?!\W*,)/;

type Block = ReadingUnit["block"];

/** What the headers of a table make of the numbers below them: all of its rows ask. */
function kindsOf(columns: Block["columns"]): readonly ReturnType<typeof columnKind>[] {
  let kinds = columnKinds.get(columns);
  if (!kinds) columnKinds.set(columns, (kinds = columns.map(({ text }) => columnKind(text))));
  return kinds;
}

const columnKinds = new WeakMap<Block["columns"], readonly ReturnType<typeof columnKind>[]>();

/** The cell of a row that an offset of its text is in. */
export const cellAt = ({ start, cells }: Block, at: number): Block["cells"][number] | undefined =>
  cells.find((cell) => cell.start <= start + at && start + at < cell.end);

/** A cell with little else says what the row is about; one with a sentence describes it. */
export const isKeyCell = (block: Block, item: Span): boolean => wordsBeside(block, item) <= 3;

/** How many words a cell has besides an item of it. */
export function wordsBeside(block: Block, { start, end }: Span): number {
  const cell = cellAt(block, start);
  const shift = cell ? cell.start - block.start : 0;
  const rest = cell ? cell.text.slice(0, start - shift) + cell.text.slice(end - shift) : "";
  return rest.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

const isNumber = (text: string): boolean => /^[\s\x60*_~L]*\d+[\s\x60*_]*$/.test(text);

/** Columns that sort, judge or describe what a row is about. */
export const otherCell = new RegExp(
  "class|phase|level|risk|sever|prior|status|type|kind|categ|desc|note|purpose|action|relev|impact|" +
    "why|what|issue|change",
  "i",
);

/** A cell that holds nothing but a name names what the row is about. */
function addCellNames(
  block: MarkdownBlock,
  { mentions, evidence, numbers }: Pick<ReadingUnit, "mentions" | "evidence" | "numbers">,
): void {
  for (const [index, cell] of block.cells.entries()) {
    const [start, end] = [cell.start - block.start, cell.end - block.start];
    const isIn = (item: Span): boolean => item.start < end && start < item.end;
    if (mentions.some(isIn) || evidence.some(isIn) || numbers.some(isIn)) continue;
    if (otherCell.test(block.columns[index]?.text ?? "")) continue;
    const bare = cell.text.replace(/^[*_]+|[*_]+$/g, "");
    const name = /\s/.test(bare) ? undefined : codeName(bare);
    if (name && !name.isEveryday && isCodeShaped(bare))
      evidence.push(nameEvidence(name.name, { start, end }, true));
  }
}
