// The sections of a report as a tree of headings and blocks, on top of the document model.
// Total on any text, linear in its length.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import { sharedDocument } from "../../markdown/shared-document.ts";
import { toRow, toTable, type Table } from "./render-table.ts";
import { sectionName, type SectionName } from "./section-names.ts";

export type Fence = { type: "fence"; info: string; code: string };
export type Prose = { type: "text"; text: string };
export type Block = Table | Fence | Prose;

export type Section = {
  /** As written, emphasis and hashes gone. */
  heading: string;
  name: SectionName | null;
  blocks: Block[];
  sections: Section[];
};

/** A line of a block with its place in the report; a table's first two are its header and its rule. */
export type PlacedLine = { text: string; start: number; end: number };

/** Where each block stood, by identity; kept apart so that two reports with the same content are equal. */
export type Places = Map<Block, PlacedLine[]>;

export type SectionTree = {
  title: string | null;
  preamble: Block[];
  sections: Section[];
  places: Places;
};

type Open = { section: Section; level: number };
type Body = { blocks: Block[]; places: Places; source: string };

const maxDepth = 4;
const boldHeading = /^\s{0,3}(?:[-*]\s+)?(\*\*|__)([^*_]{2,60}?)(?:\1\s*:?|:\s*\1)\s*(.*)$/;

export function sectionTree(source: string): SectionTree {
  const tree: SectionTree = { title: null, preamble: [], sections: [], places: new Map() };
  const stack: Open[] = [];
  const { blocks } = sharedDocument(source, { endsFence: (text) => sectionName(text) !== null });
  let isBelowTitle = false;
  for (const part of blocks) {
    const heading = readHeading(part);
    if (heading) openSection(tree, stack, heading);
    const into = {
      blocks: stack.at(-1)?.section.blocks ?? tree.preamble,
      places: tree.places,
      source,
    };
    // A title in the middle, which is taken out, leaves a gap.
    if (!heading) addBlock(part, into, part.apart || isBelowTitle);
    else if (heading.rest < part.end) addText(linesOf(source, heading.rest, part.end), into, false);
    isBelowTitle = heading !== null;
  }
  return tree;
}

/** `rest`: where the text begins that stands behind the heading on its line. */
type Heading = { text: string; name: SectionName | null; level: number; rest: number };

function readHeading({ kind, text, level, end, start }: MarkdownBlock): Heading | null {
  if (kind === "heading" && level < 7)
    return { text: plain(text), name: sectionName(text), level, rest: end };
  if (kind === "fence" || kind === "row") return null;
  const line = text.slice(0, 400).split("\n", 1)[0]!;
  const bold = boldHeading.exec(line);
  const name = bold ? sectionName(bold[2]!) : null;
  if (!bold || !name) return null;
  // "**Summary**: text" opens a section only for names of the contract; other bold words are emphasis.
  const behind = bold[3]!.replace(/^:\s*/, "");
  const rest = start + line.length - behind.length;
  return { text: bold[2]!.replace(/:$/, "").trim(), name, level: 3, rest };
}

const plain = (text: string): string => text.replace(/^(\*\*|__)(.*)\1$/, "$2").trim();

const isTitle = ({ name, level, text }: Heading): boolean =>
  name === null && level <= 3 && /\b(?:result|report)s?\b/i.test(text);

function openSection(tree: SectionTree, stack: Open[], heading: Heading): void {
  if (tree.title === null && stack.length === 0 && isTitle(heading)) {
    tree.title = heading.text;
    return;
  }
  const section: Section = {
    heading: heading.name ?? heading.text,
    name: heading.name,
    blocks: [],
    sections: [],
  };
  const isTop =
    heading.name !== null && !(heading.name === "Issues" && insideFindings(stack, heading.level));
  if (isTop) stack.length = 0;
  while (stack.length > 0 && (stack.at(-1)!.level >= heading.level || stack.length >= maxDepth))
    stack.pop();
  (stack.at(-1)?.section.sections ?? tree.sections).push(section);
  stack.push({ section, level: isTop ? Math.min(heading.level, 3) : heading.level });
}

/** "#### Issues" below "### Findings" is a part of the findings. */
function insideFindings(stack: Open[], level: number): boolean {
  return stack[0]?.section.name === "Findings" && level > stack[0].level;
}

function addBlock(part: MarkdownBlock, into: Body, apart: boolean): void {
  const { kind, start, end, info, lines } = part;
  if (kind === "row") return addRow(part, into);
  if (kind === "fence") {
    const code = lines.map((line) => line.text).join("\n");
    return put({ type: "fence", info, code }, placed(lines), into);
  }
  addText(linesOf(into.source, lineStart(into.source, start), end), into, apart);
}

const placed = (lines: MarkdownBlock["lines"]): PlacedLine[] =>
  lines.map(({ text, start }) => ({ text, start, end: start + text.length }));

const put = (block: Block, lines: PlacedLine[], { blocks, places }: Body): void => {
  blocks.push(block);
  places.set(block, lines);
};

function addRow(part: MarkdownBlock, into: Body): void {
  const line = { text: part.text, start: part.start, end: part.end };
  const table = into.blocks.at(-1);
  if (part.cells === part.columns || table?.type !== "table")
    return put(toTable(part.columns), [line, line], into);
  table.rows.push(toRow(part.columns, part.cells));
  into.places.get(table)!.push(line);
}

/** Texts in a row, list items included, are one. */
function addText(given: PlacedLine[], into: Body, apart: boolean): void {
  const isFull = ({ text }: PlacedLine): boolean => text.trim() !== "";
  const last = given.findLastIndex(isFull);
  // A line of odd spaces is blank once it is trimmed, and several blank lines are one gap.
  const lines = given.filter(
    (line, at) => at <= last && (isFull(line) || (at > 0 && isFull(given[at - 1]!))),
  );
  const text = lines.map((line) => line.text.trimEnd()).join("\n");
  if (lines.length === 0) return;
  const before = into.blocks.at(-1);
  if (before?.type !== "text") return put({ type: "text", text }, lines, into);
  const gap: PlacedLine = { text: "", start: lines[0]!.start, end: lines[0]!.start };
  into.places.get(before)!.push(...(apart ? [gap] : []), ...lines);
  before.text += `${apart ? "\n\n" : "\n"}${text}`;
}

const lineStart = (source: string, at: number): number =>
  at === 0 ? 0 : source.lastIndexOf("\n", at - 1) + 1;

function linesOf(source: string, from: number, to: number): PlacedLine[] {
  const lines: PlacedLine[] = [];
  for (let start = from; start <= to;) {
    const next = source.indexOf("\n", start);
    const end = next < 0 || next > to ? to : next;
    lines.push({ text: source.slice(start, end), start, end });
    start = end + 1;
  }
  return lines;
}
