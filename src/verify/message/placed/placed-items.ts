// The names and quotations of a message that have a line of their own beside them: "`foo` (line 45)".
import { cellAt, isKeyCell, type ReadingUnit } from "../../reading/read-unit.ts";
import type { Evidence } from "../../reading/find-evidence.ts";
import type { NumberedLines } from "../../reading/spelled-numbers.ts";
import { joins } from "../../reading/weigh-evidence.ts";

/**
 * `isBare`: a number without the word for a line, which counts only where that is a habit of the message; `path`: the
 * file that is given with the line.
 */
export type PlacedItem = {
  unit: ReadingUnit;
  item: Evidence;
  range: NumberedLines;
  isBare: boolean;
  path?: string;
};

const most = 400;

/** In the order of their places. */
export function placedItems(units: readonly ReadingUnit[]): PlacedItem[] {
  const found: PlacedItem[] = [];
  for (const unit of units) {
    if (found.length > most) break;
    if (unit.block.kind === "row") addRow(found, unit);
    else
      for (const [index, item] of unit.evidence.entries())
        if (isMarked(unit, item) && !isOneOfSeveral(unit, index)) addItem(found, unit, item);
  }
  return found;
}

/** Written as code; what is only shaped like a name may be a word. */
const isMarked = ({ text }: ReadingUnit, { start, range, isPlain }: Evidence): boolean =>
  text[start] === "`" && range === undefined && !isPlain;

function addItem(found: PlacedItem[], unit: ReadingUnit, item: Evidence): void {
  const next = unit.numbers.find(({ start }) => start >= item.end);
  if (next && isTied(unit, item, next)) {
    if (!next.vague && !goesOn(unit, next)) found.push({ unit, item, range: next, isBare: false });
    return;
  }
  const above = unit.numbers.findLast(({ end }) => end <= item.start);
  if (above && isLeading(unit, item, above)) {
    found.push({ unit, item, range: above, isBare: false });
    return;
  }
  const behind = unit.text.slice(item.end, item.end + 32);
  const bare = bracketed.exec(behind) ?? besideIt.exec(behind);
  if (!bare) return;
  const [first, last] = [Number(bare[1]), Number(bare[2] ?? bare[1])];
  const [start, end] = [item.end, item.end + bare[0].length];
  const range = { first, last, start, end, weight: 3, vague: false, open: false };
  found.push({ unit, item, range, isBare: true });
}

const bracketed = /^\s?\((\d{1,5})(?:[-–](\d{1,5}))?\)/;
/** "`foo` 266, `bar` 300", "`foo`, 170", "`foo` at 89", "`foo` :42"; what is counted has a word behind it. */
const besideIt =
  /^(?:\/\d)?(?:,|:|\sat)?\s:?(\d{2,5})(?:[-–](\d{2,5}))?(?=\s?(?:[,;:)\]/→(]|->|[.]\s|[.]?$|\n)|(?<=\sat\s\S+)\s)/u;
const tying = /^(?:\/\d)?[\s`*_]*(?:[([,:@–—-]\s*)?[\p{L}\s]*[([]?[`*_]*$/u;

/** Nothing but words such as "is defined at" between the two. */
function isTied(unit: ReadingUnit, item: Evidence, range: NumberedLines): boolean {
  const gap = unit.text.slice(item.end, range.start);
  if (gap.length > longestGap || !tying.test(gap)) return false;
  // "…of `decode`, lines 33-36 equal lines 14-17": a sentence of its own begins at the comma.
  if (/^[`*_]*,/.test(gap) && !closes.test(unit.text.slice(range.end, range.end + 8))) return false;
  const words = gap.match(/\p{L}+/gu) ?? [];
  return words.every((word) => joins.has(word.toLowerCase()) || alsoTies.has(word.toLowerCase()));
}

/** "line 45: `foo`", at the start of a text or of one of its parts. */
const isLeading = (
  { text }: ReadingUnit,
  item: Evidence,
  { start, end, vague }: NumberedLines,
): boolean =>
  !vague &&
  /(?:^[\s*_+-]*|[,;]\s)$/.test(text.slice(0, start)) &&
  /^[*_]*:?\s$/.test(text.slice(end, item.start));

const closes = /^[`*_]*\s?(?:[^\p{L}\s]|$|\n|and\s|und\s|in\s|of\s|行)/u;
const longestGap = 32;
const alsoTies = new Set("called starts begins sits set comes itself auf ab en à 在".split(" "));
const andAnother = /^\s?(?:,|and|&|\/|und|y|et|и)\s?(?:lines?\s)?:?L?\d/;

/** "(lines 33 and 36)": which of them is whose cannot be told. */
const goesOn = ({ text }: ReadingUnit, { end }: NumberedLines): boolean =>
  andAnother.test(text.slice(end, end + 16));

/** "`a` and `b` (line 5)", "`a`/`b`". */
function isOneOfSeveral({ text, evidence }: ReadingUnit, index: number): boolean {
  const [before, item, after] = [evidence[index - 1], evidence[index]!, evidence[index + 1]];
  const isListed = (left: Evidence, right: Evidence): boolean =>
    listed.test(text.slice(left.end, right.start));
  return (before && isListed(before, item)) || (after && isListed(item, after)) || false;
}

const listed = /^\s?(?:,|and|or|&|\/|\+|und|y|et|и|→|->)\s?$/;

/** A row gives the name in one cell, with little else, and the line in another, alone or behind its file. */
function addRow(found: PlacedItem[], unit: ReadingUnit): void {
  const { block, numbers, evidence, mentions } = unit;
  const named = evidence.filter((item) => isKeyCell(block, item));
  const [item] = named;
  if (!item || named.length > 1 || !isMarked(unit, item)) return;
  const placed = mentions.filter((mention) => mention.ranges.length > 0);
  const [range] = placed.length === 0 ? numbers : placed[0]!.ranges;
  const count =
    placed.length === 0 ? numbers.length : placed.flatMap(({ ranges }) => ranges).length;
  if (!range || count > 1 || range.vague) return;
  if (cellAt(block, item.start) === cellAt(block, range.start)) return;
  const place = { unit, item, range, isBare: false };
  if (placed.length === 0) found.push(place);
  else if (placed[0]!.kind === "file" && isKeyCell(block, placed[0]!))
    found.push({ ...place, path: placed[0]!.paths[0]! });
}
