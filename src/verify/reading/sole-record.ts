// A part of a message with one file, one line number and one name or quotation: there is one way to read it,
// whatever words, marks or blocks stand between them.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import type { Claim } from "./claim.ts";
import { weighed, type Evidence } from "./find-evidence.ts";
import type { Mention } from "./paths/find-mentions.ts";
import { bareNumber } from "./places/numbers-beside.ts";
import { sectionOf, type ReadingUnit } from "./read-unit.ts";
import type { NumberedLines } from "./spelled-numbers.ts";
import { countWords, isApart } from "./weigh-evidence.ts";
import { weights } from "./weights.ts";

/** Ties together what stands alone in a section, else in an entry of it. */
export function joinSoleRecords(units: readonly ReadingUnit[]): void {
  for (const section of grouped(units, sectionKey))
    if (!joinRecord(section, true))
      for (const entry of grouped(section, entryKey)) joinRecord(entry, false);
}

const sectionKey = ({ block }: ReadingUnit): MarkdownBlock | null =>
  block.kind === "heading" && block.level <= 6 ? block : sectionOf(block);

/** A row, a text, an item with all that stands under it. */
function entryKey({ block }: ReadingUnit): MarkdownBlock {
  let top = block;
  while (top.parent) top = top.parent;
  return top;
}

function grouped(
  units: readonly ReadingUnit[],
  keyOf: (unit: ReadingUnit) => MarkdownBlock | null,
): ReadingUnit[][] {
  const groups = new Map<MarkdownBlock | null, ReadingUnit[]>();
  for (const unit of units) {
    const key = keyOf(unit);
    const group = groups.get(key);
    if (group) group.push(unit);
    else groups.set(key, [unit]);
  }
  return [...groups.values()];
}

type Said = { item: Evidence; unit: ReadingUnit };

/** Whether the units are one record. */
function joinRecord(units: readonly ReadingUnit[], isWhole: boolean): boolean {
  const claims = units.flatMap((unit) => unit.claims);
  if (claims.length === 0) return true;
  const fullest = oneFile(claims);
  if (!fullest || !isShort(units)) return false;
  const own = claims.filter((claim) => isNamedIn(claim, units));
  const given = distinct(units.flatMap(rangesIn), ({ first, last }) => `${first}-${last}`);
  const ranges = given.length === 2 ? endsOf(given, units) : given;
  const [range] = ranges;
  if (!range) holdAgainstNumber(own, units);
  if (own.length === 0 || !range || ranges.length > mostPlaces) return false;
  const { alone, tight } = weights.binding;
  for (const one of claims) if (one.range) bind(one, ranges.length > 1 ? alone : tight, isWhole);
  if (ranges.length === 1) settle(own, { range, fullest, units });
  return true;
}

type Record = { range: NumberedLines; fullest: Mention; units: readonly ReadingUnit[] };

/** The one place of a record, with the one name or quotation that is said in it. */
function settle(own: readonly Claim[], { range, fullest, units }: Record): void {
  const claim = own.find((one) => one.range?.first === range.first);
  if (!claim) return;
  claim.range = range;
  claim.isSole = true;
  // A short name is that of the path which the record spells out.
  if (claim.mention.path !== fullest.path) claim.mention = fullest;
  const said = distinct(units.flatMap(evidenceIn), ({ item }) => item.name + item.lines.join("\n"));
  const [only] = said;
  if (said.length !== 1 || isApart(only!.unit, only!.item)) return;
  const others = claim.evidence.filter(({ isPlain }) => isPlain);
  claim.evidence = [...others, weighed(only!.item, weights.evidence.touching)];
}

/** A number that nobody reads may be the line that is meant: what stands elsewhere in the file proves nothing. */
function holdAgainstNumber(claims: readonly Claim[], units: readonly ReadingUnit[]): void {
  const found = units.flatMap((unit) => (isOnlyNumber(unit) ? (bareNumber(unit) ?? []) : []))[0];
  if (found) for (const claim of claims) claim.maybe ??= found;
}

/** Besides its code the text is hardly more than a number. */
const isOnlyNumber = ({ text }: ReadingUnit): boolean =>
  countWords(text.replace(/`[^`]*`/g, " ")) <= 2;

/** "It begins at x.ts:5 and ends on line 9" gives one range. */
function endsOf(
  ranges: readonly NumberedLines[],
  units: readonly ReadingUnit[],
): readonly NumberedLines[] {
  const [from, to] = ranges as [NumberedLines, NumberedLines];
  const isPair = from.first === from.last && to.first === to.last;
  const texts = units.flatMap(({ block }) =>
    block.kind === "fence" ? block.lines.map(({ text }) => text) : block.text,
  );
  const said = texts.join("\n").replace(/`[^`]*`/g, " ");
  return isPair && starts.test(said) && ends.test(said) ? [{ ...from, last: to.first }] : ranges;
}

const starts = new RegExp(
  String.raw`(?<!\p{L})(?:start|beg[iau]n|first|from|opens|inicio|empieza|comienza|começa|início|` +
    String.raw`début|commence|anfang)|начин|开始|起|開始|始`,
  "iu",
);
const ends = new RegExp(
  String.raw`(?<!\p{L})(?:end|last|until|through|clos|stop|termina|final|fin|bis|ende)|` +
    "заканч|конч|结束|止|終",
  "iu",
);

/** Its file is named in the record itself. */
const isNamedIn = ({ mention, block, start }: Claim, units: readonly ReadingUnit[]): boolean =>
  block.kind === "fence"
    ? block.start + mention.start <= start
    : units.some((unit) => unit.mentions.includes(mention));

/** Of a whole section no other file of the message is meant. */
function bind(claim: Claim, weight: number, isWhole: boolean): void {
  claim.binding = Math.max(claim.binding, weight);
  if (!isWhole) return;
  claim.rivals = [];
  claim.doubts = [];
}

/** It says little else. */
function isShort(units: readonly ReadingUnit[]): boolean {
  let count = 0;
  for (const { block, text } of units) {
    if ((block.kind !== "fence" && block.cells !== block.columns) || block.kind === "text")
      count += countWords(text.replace(/`[^`]*`/g, " "));
    if (count > mostWords) return false;
  }
  return true;
}

const mostWords = 24;
const mostPlaces = 3;

/** The one file that all of them name, by its path or by a short name of it; the longest mention of it. */
function oneFile(claims: readonly Claim[]): Mention | undefined {
  let longest = claims[0]!.mention;
  for (const { mention } of claims)
    if (mention.path.length > longest.path.length) longest = mention;
  const isSame = claims.every(
    ({ mention: { path, paths } }) =>
      `/${longest.path}`.endsWith(`/${path}`) ||
      (paths.length === 1 && paths[0] === longest.paths[0]),
  );
  return isSame ? longest : undefined;
}

const rangesIn = ({ mentions, numbers, claims, evidence }: ReadingUnit): NumberedLines[] => [
  ...mentions.flatMap(({ ranges }) => ranges),
  ...numbers,
  ...claims.flatMap((claim: Claim) => claim.range ?? []),
  ...evidence.flatMap((item) => item.range ?? []),
];

function evidenceIn(unit: ReadingUnit): Said[] {
  const { block, claims, evidence, loose } = unit;
  const own = block.kind === "fence" ? claims.flatMap((claim) => claim.evidence) : evidence;
  return [...own.filter(({ isPlain }) => !isPlain), ...(loose ?? [])].map((item) => ({
    item,
    unit,
  }));
}

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const known = new Map<string, Item>();
  for (const item of items) if (!known.has(keyOf(item))) known.set(keyOf(item), item);
  return [...known.values()];
}
