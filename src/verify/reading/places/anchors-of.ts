// The files that a number may be a line of: those of its own sentence, of what it stands under, of the
// blocks before it, of its section.
import type { MarkdownBlock } from "../../../markdown/markdown-block.ts";
import type { Mention } from "../paths/find-mentions.ts";
import type { NumberedLines } from "../spelled-numbers.ts";
import { cellAt, isKeyCell, sectionOf, type Context, type ReadingUnit } from "../read-unit.ts";
import { countWords } from "../weigh-evidence.ts";
import { weights } from "../weights.ts";

export type NumberAnchor = { mention: Mention; weight: number; unit: ReadingUnit };

const field = /^[\s*_`[\]]*[\p{L}][\p{L} ]{1,40}[*_`]*\s*[:=]/u;
/** "Line: 45", "**Symbol:** `foo`": one field of a record. */
export const isField = ({ text }: ReadingUnit): boolean => text.length < 160 && field.test(text);

/** Likeliest first. */
export function anchorsOf(
  range: NumberedLines,
  unit: ReadingUnit,
  context: Context,
): NumberAnchor[] {
  const { alone, before, tight } = weights.binding;
  const found: NumberAnchor[] = [];
  const put = (from: ReadingUnit | undefined, weight: number): void => {
    if (from) found.push(...anchorsIn(from, { range, weight, isOwn: from === unit, found }));
  };
  put(unit, alone);
  const said =
    unit.mentions.length > 0 ? "" : unit.text.slice(Math.max(0, range.start - 60), range.start);
  if (sameFile.test(said)) put(lastNamed(unit, context), tight);
  if (unit.mentions.length === 0) found.push(...echoOf(range, unit, context));
  putParents(unit, context, put);
  put(labelAbove(unit, context), tight);
  if (!unit.block.apart || isField(unit) || unit.block.kind === "row") {
    const isColumn = unit.block.kind === "row" && range.weight === weights.number.column;
    const weight = isColumn ? alone : before + (isField(unit) ? 1 : 0);
    for (const other of besides(unit, context))
      put(other, isColumn && isField(other) ? tight : weight);
  }
  for (let up = unit.block.heading; up; up = up.heading) putSection(up, { context, found, put });
  return found.slice(0, 12);
}

/** A range that begins with the line just given for a file goes on from there. */
function echoOf(
  { first, last }: NumberedLines,
  { block }: ReadingUnit,
  { units }: Context,
): NumberAnchor[] {
  if (first === last) return [];
  const own = units
    .slice(-mostItems)
    .filter((other) => sectionOf(other.block) === sectionOf(block));
  const unit = own.findLast(({ claims }) => claims.some(({ range }) => range));
  const claim = unit?.claims.findLast(({ range }) => range);
  return unit && claim?.range?.first === first
    ? [{ mention: claim.mention, weight: weights.binding.tight, unit }]
    : [];
}

function putParents({ block }: ReadingUnit, { byBlock }: Context, put: Section["put"]): void {
  const { parent, tight } = weights.binding;
  for (let up = block.parent; up; up = up.parent) {
    const above = byBlock.get(up);
    put(above, above && namesOnlyFile(above) ? tight : parent);
  }
}

/** The line above a list that is nothing but a file: the items without a file of their own are of that file. */
function labelAbove({ block, mentions }: ReadingUnit, { units }: Context): ReadingUnit | undefined {
  if (block.kind !== "item" || mentions.length > 0) return undefined;
  const above = units
    .slice(-mostItems)
    .findLast((other) => other.block.kind !== "item" || other.mentions.length > 0);
  const isLabel = above?.block.kind === "text" && namesOnlyFile(above);
  return isLabel && sectionOf(above.block) === sectionOf(block) ? above : undefined;
}

const mostItems = 12;

/** An item or a title that is a file: what stands under it is of that file. */
function namesOnlyFile({ text, mentions }: ReadingUnit): boolean {
  const [mention] = mentions;
  if (!mention || mentions.length > 1 || mention.kind === "folder") return false;
  return countWords(`${text.slice(0, mention.start)} ${text.slice(mention.end)}`) <= 1;
}

const sameFile = /\bsame file\b|\bselben? Datei\b|\bmême fichier\b/i;

/** The last text of the section that names a file. */
const lastNamed = ({ block }: ReadingUnit, { units }: Context): ReadingUnit | undefined =>
  units.findLast(
    (other) => other.mentions.length > 0 && sectionOf(other.block) === sectionOf(block),
  );

type Section = {
  context: Context;
  found: NumberAnchor[];
  put: (from: ReadingUnit | undefined, weight: number) => void;
};

/** The file in a heading, then those of the text under it. */
function putSection(up: MarkdownBlock, { context, found, put }: Section): void {
  const { alone, tight, heading, context: loose } = weights.binding;
  const files = filesUnder(up, context);
  const title = context.byBlock.get(up);
  const isSole =
    title?.mentions.length === 1 &&
    files.every(({ mention }) => mention.path === title.mentions[0]!.path);
  put(title, isSole ? (namesOnlyFile(title) ? tight : alone) : heading);
  const isOnly = new Set(files.map(({ mention }) => mention.path)).size === 1;
  for (const { mention, unit: from } of files.slice(-4).toReversed())
    if (!found.some((anchor) => anchor.mention.path === mention.path))
      found.push({ mention, unit: from, weight: isOnly && found.length === 0 ? heading : loose });
}

type Setting = {
  range: NumberedLines;
  weight: number;
  isOwn: boolean;
  found: readonly NumberAnchor[];
};

/** The nearest mention first; one without a line of its own before those that have one. */
function anchorsIn(from: ReadingUnit, { range, weight, isOwn, found }: Setting): NumberAnchor[] {
  const close =
    from.mentions.length < 64
      ? from.mentions
      : closeTo(from.mentions, isOwn ? range.start : Infinity);
  const usable = close.filter(({ kind }) => kind !== "folder");
  const near = isOwn
    ? usable.toSorted((a, b) => nearness(from, a, range) - nearness(from, b, range))
    : usable.toReversed();
  const free = near.filter(({ ranges }) => ranges.length === 0);
  const ordered = [...free, ...near.filter(({ ranges }) => ranges.length > 0)];
  const { nearest, parent, tight, glued } = weights.binding;
  const isNumbered = isOwn && usable.some(({ ranges }) => ranges.length > 0);
  const alone = isOwn ? Math.min(weight, parent) : weight;
  const sure = usable.length === 1 && !isNumbered ? alone : Math.min(weight, nearest);
  const isRow = (mention: Mention): boolean =>
    isOwn && usable.length === 1 && isInCells(from, mention, range);
  const weightOf = (mention: Mention): number => {
    if (isRow(mention)) return glued;
    return isOwn && isTight(from, mention, range) ? tight : sure;
  };
  return ordered
    .filter(({ path }) => !found.some(({ mention }) => mention.path === path))
    .map((mention) => ({ mention, unit: from, weight: weightOf(mention) }));
}

/** A row gives the file in one cell, with little else, and the number in another. */
function isInCells({ block }: ReadingUnit, mention: Mention, range: NumberedLines): boolean {
  if (block.kind !== "row") return false;
  const cell = cellAt(block, mention.start);
  return cell !== cellAt(block, range.start) && isKeyCell(block, range);
}

/** In a text with very many mentions only the nearest are looked at. */
function closeTo(mentions: readonly Mention[], at: number): readonly Mention[] {
  let [low, high] = [0, mentions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (mentions[middle]!.start < at) low = middle + 1;
    else high = middle;
  }
  return mentions.slice(Math.max(0, low - 8), low + 8);
}

/** "`x.ts` (line 45)", "line 45 of `x.ts`": nothing but a word or two between them. */
function isTight({ text }: ReadingUnit, mention: Mention, range: NumberedLines): boolean {
  if (mention.ranges.length > 0) return false;
  const gap = text.slice(Math.min(mention.end, range.end), Math.max(mention.start, range.start));
  // What stands before the name of a file belongs to it only by a word such as "of".
  if (mention.start >= range.end) return ofFile.test(gap);
  if (/[.!?;]\s/.test(gap)) return false;
  const words = gap.match(/[\p{L}\p{N}]+/gu) ?? [];
  const isNamed = words.some((word) => /^[\p{Lu}]/u.test(word));
  return gap.length < 30 && words.length <= 4 && !isNamed && !/[`.;|=<>&+]/.test(gap.slice(1));
}

const ofFile =
  /^[\s`*_]*(?:of|in|from|von|aus|de|du|des|di|do|da)\s(?:(?:the\s)?(?:file|fichier|datei)\s)?[\s`*_]*$/i;

/** A mention that is joined to the number comes before one that merely stands nearer. */
const nearness = (from: ReadingUnit, mention: Mention, range: NumberedLines): number =>
  distance(mention, range) + (isTight(from, mention, range) ? 0 : 40);

const distance = (mention: Mention, range: NumberedLines): number =>
  mention.end <= range.start ? range.start - mention.end : mention.start - range.end + 1;

/** The blocks directly above it in its section, its title apart; a row looks past its table. */
function besides({ block }: ReadingUnit, { units }: Context): ReadingUnit[] {
  const from =
    block.kind === "row"
      ? units.findLastIndex((other) => other.block.kind !== "row") + 1
      : units.length;
  return units
    .slice(Math.max(0, from - 3), from)
    .filter((other) => other.block !== block.heading && other.block.kind !== "fence")
    .filter((other) => sectionOf(other.block) === sectionOf(block))
    .toReversed();
}

/** What the text right under a heading has named so far, from the last 60 blocks. */
function filesUnder(
  heading: MarkdownBlock,
  { units }: Context,
): { mention: Mention; unit: ReadingUnit }[] {
  const from = units.slice(-60);
  const start = from.findIndex(({ block }) => block === heading);
  const own = from.slice(start + 1).filter(({ block }) => block.heading === heading);
  return own.flatMap((unit) =>
    unit.mentions
      .slice(-8)
      .filter(({ kind }) => kind === "file")
      .map((mention) => ({ mention, unit })),
  );
}

/** "Line: 45" below "File: x.ts" gives that path its line. */
export function upgradeClaim(
  { mention, unit }: NumberAnchor,
  range: NumberedLines,
  { text }: ReadingUnit,
): boolean {
  const claim = unit.claims.find((item) => item.mention === mention && item.range === null);
  // "**Lines 5-9:**" alone is a label as well as "Lines: 5-9".
  const isAlone = countWords(text.slice(0, range.start) + text.slice(range.end)) === 0;
  if (!claim || !isAlone || !namesOnlyFile(unit)) return false;
  claim.range = range;
  claim.binding = weights.binding.glued;
  return true;
}
