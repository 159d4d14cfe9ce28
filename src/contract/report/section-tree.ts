// The sections of a report as a tree of headings and blocks. Total on any text, linear in its length.
import type { Line } from "./report-lines.ts";
import { readTable, type Table } from "./markdown-table.ts";
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

/** Where each block stood, by identity; kept apart so that two reports with the same content are equal. */
export type Places = Map<Block, Line[]>;

export type SectionTree = {
  title: string | null;
  preamble: Block[];
  sections: Section[];
  places: Places;
};

type Open = { section: Section; level: number };

const maxDepth = 4;
const boldHeading = /^\s{0,3}(?:[-*]\s+)?(\*\*|__)([^*_]{2,60}?)(?:\1\s*:?|:\s*\1)\s*(.*)$/;

export function sectionTree(lines: readonly Line[]): SectionTree {
  const tree: SectionTree = { title: null, preamble: [], sections: [], places: new Map() };
  const stack: Open[] = [];
  let body: Line[] = [];
  let fence: string | null = null;
  const flush = (): void => {
    readBlocks(body, {
      blocks: stack.at(-1)?.section.blocks ?? tree.preamble,
      places: tree.places,
    });
    body = [];
  };
  for (const line of lines) {
    const heading = readHeading(line);
    // A known heading inside a fence means that the fence was never closed properly.
    if (heading && (fence === null || heading.name !== null)) {
      flush();
      fence = null;
      openSection(tree, stack, heading);
      if (heading.rest) body.push({ ...line, text: heading.rest });
      continue;
    }
    fence = fenceAfter(line.text, fence);
    body.push(line);
  }
  flush();
  return tree;
}

type Heading = { text: string; name: SectionName | null; level: number; rest: string };

function readHeading(line: Line): Heading | null {
  const hashes = /^\s{0,3}(#{1,6})(?:[ \t]+|(?=\p{L}))(.*)$/u.exec(line.text);
  if (hashes) {
    const text = hashes[2]!.replace(/\s#+\s*$/, "").trim();
    return text
      ? { text: plain(text), name: sectionName(text), level: hashes[1]!.length, rest: "" }
      : null;
  }
  const bold = boldHeading.exec(line.text);
  const name = bold ? sectionName(bold[2]!) : null;
  // "**Summary**: text" opens a section only for names of the contract; other bold words are emphasis.
  return bold && name
    ? {
        text: bold[2]!.replace(/:$/, "").trim(),
        name,
        level: 3,
        rest: bold[3]!.replace(/^:\s*/, "").trim(),
      }
    : null;
}

const plain = (text: string): string => text.replace(/^(\*\*|__)(.*)\1$/, "$2").trim();

function openSection(tree: SectionTree, stack: Open[], heading: Heading): void {
  if (
    tree.title === null &&
    heading.name === null &&
    stack.length === 0 &&
    heading.level <= 3 &&
    /\b(?:result|report)s?\b/i.test(heading.text)
  ) {
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

function fenceAfter(text: string, open: string | null): string | null {
  const marker = /^\s{0,3}(`{3,}|~{3,})(.*)$/.exec(text);
  if (!marker) return open;
  if (open === null) return marker[1]!;
  const closes =
    marker[1]![0] === open[0] && marker[1]!.length >= open.length && marker[2]!.trim() === "";
  return closes ? null : open;
}

function readBlocks(lines: Line[], into: { blocks: Block[]; places: Places }): void {
  let text: Line[] = [];
  const put = (block: Block, from: Line[]): void => {
    into.blocks.push(block);
    into.places.set(block, from);
  };
  const flush = (): void => {
    const first = text.findIndex((line) => line.text.trim() !== "");
    const last = text.findLastIndex((line) => line.text.trim() !== "");
    if (first >= 0) putText(text.slice(first, last + 1), into, put);
    text = [];
  };
  for (let index = 0; index < lines.length;) {
    const special = readFence(lines, index) ?? readTable(lines, index);
    if (!special) {
      text.push(lines[index++]!);
      continue;
    }
    flush();
    put(special.block, lines.slice(index, special.next));
    index = special.next;
  }
  flush();
}

/** Two texts in a row, as a title in the middle leaves them, are one. */
function putText(
  lines: Line[],
  into: { blocks: Block[]; places: Places },
  put: (block: Block, from: Line[]) => void,
): void {
  const text = lines.map((line) => line.text.trimEnd()).join("\n");
  const last = into.blocks.at(-1);
  if (last?.type !== "text") return put({ type: "text", text }, lines);
  const gap: Line = { text: "", start: lines[0]!.start, end: lines[0]!.start };
  into.places.set(last, [...(into.places.get(last) ?? []), gap, ...lines]);
  last.text += `\n\n${text}`;
}

function readFence(lines: readonly Line[], index: number): { block: Fence; next: number } | null {
  const open = /^(\s{0,3})(`{3,}|~{3,})(.*)$/.exec(lines[index]!.text);
  if (!open) return null;
  let fence: string | null = open[2]!;
  let next = index + 1;
  while (next < lines.length && fence !== null) fence = fenceAfter(lines[next++]!.text, fence);
  const code = lines.slice(index + 1, fence === null ? next - 1 : next).map((line) => line.text);
  return { block: { type: "fence", info: open[3]!.trim(), code: code.join("\n") }, next };
}
