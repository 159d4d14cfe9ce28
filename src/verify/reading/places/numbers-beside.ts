// Numbers that may be lines of a place without one: whatever is said of the place is held against them,
// so that nothing is called right by standing anywhere in its file.
import type { Claim } from "../claim.ts";
import type { ReadingUnit } from "../read-unit.ts";
import type { NumberedLines } from "../spelled-numbers.ts";
import { weights } from "../weights.ts";

export function addNumbersBeside(units: readonly ReadingUnit[]): void {
  let above: Claim[] = [];
  for (const unit of units) {
    const { block, claims } = unit;
    if (block.kind === "heading") above = [];
    const placed = claims.filter(({ range }) => range !== null);
    for (const claim of claims)
      if (claim.range === null && claim.mention.kind === "file")
        addNumber(claim, unit, [...placed, ...above]);
    if (block.kind === "heading") above = placed;
  }
}

/** Of another place of the same file, in the text or its title; else one behind it that nobody understands. */
function addNumber(claim: Claim, unit: ReadingUnit, placed: readonly Claim[]): void {
  const same = placed.find(({ mention }) => isSameFile(claim, mention.paths));
  const isTitled = same !== undefined && same.block !== claim.block;
  // "x.ts, lines 5-9" as the title, and "File: src/x.ts" below it.
  if (isTitled) {
    claim.range = same.range;
    claim.binding = weights.binding.alone;
  } else claim.maybe = same?.range ?? numberBehind(claim, unit) ?? numberAlong(unit);
}

const saysLines =
  /(?:^|[^\p{L}])(?:lines?|zeilen?|lignes?|l[ií]neas?|linhas?|righ[ae])(?!\p{L})|строк|行/iu;
const counts = /^\s?\p{L}/u;
const bare = /(?<![\w.,#$\x60/+-])\d{1,6}(?![\w%]|[.,:/-]\d)/g;

/** "Two lines matter: 45, where `x` stands": a sentence about lines, with a number that counts nothing. */
function numberAlong({ block, text, numbers }: ReadingUnit): NumberedLines | null {
  if (block.kind === "row" || text.length > 400 || numbers.length > 0) return null;
  return saysLines.test(text) ? bareNumber({ text }) : null;
}

/** The first number of a text, outside of its code, that counts nothing. */
export function bareNumber({ text }: Pick<ReadingUnit, "text">): NumberedLines | null {
  if (!/\d/.test(text)) return null;
  const outside = text.replace(/`[^`]*`/g, (code) => "`".repeat(code.length));
  for (const { 0: written, index } of outside.matchAll(bare)) {
    const end = index + written.length;
    if (!counts.test(outside.slice(end))) return numberAt(Number(written), [index, end]);
  }
  return null;
}

const numberAt = (first: number, [start, end]: [number, number]): NumberedLines => ({
  first,
  last: first,
  start,
  end,
  weight: weights.number.amount,
  vague: false,
  open: false,
});

const isSameFile = ({ mention }: Claim, paths: readonly string[]): boolean =>
  mention.paths.length > 0 && paths.includes(mention.paths[0]!);

const behind =
  /^[`*_]*\s?[([,][^\d;:)\]]{0,16}?(?<![\w.])(\d{1,6})\s?(?:[-–]\s?(\d{1,6})\s?)?[)\],.]/u;

/** "x.ts (стр. 45)": a number in brackets or behind a comma. */
function numberBehind({ end, block }: Claim, { text }: ReadingUnit): NumberedLines | null {
  const match =
    block.kind === "row"
      ? null
      : behind.exec(text.slice(end - block.start, end - block.start + 48));
  if (!match) return null;
  const number = numberAt(Number(match[1]), [end, end + match[0].length]);
  return { ...number, last: Number(match[2] ?? match[1]) };
}
