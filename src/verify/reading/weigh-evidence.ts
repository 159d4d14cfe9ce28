// How surely each name and quotation of a text speaks of a place in it: by what stands between them.
import { isCodeShaped } from "./code-names.ts";
import { nameEvidence, weighed, type Evidence } from "./find-evidence.ts";
import { isBehindNegation, isPlannedColumn, isUnderPlan } from "./modality.ts";
import { cellAt, isKeyCell, otherCell, wordsBeside, type ReadingUnit } from "./read-unit.ts";
import { weights } from "./weights.ts";

export const tells =
  /\b(?:reads?|contains?|says|shows?|states?|has|code|match(?:es)?|snippet|quote|evidence|content|actual|current)\b/i;
/** In the languages in which a line is called one. */
const definesThere = new RegExp(
  String.raw`\b(?:defin(?:ed|es|ition|iert|ida|ido)|declar(?:ed|es|ation|ada|ado)|deklariert|` +
    String.raw`d[ée]fini[et]?|(?:begins?|starts?)\s(?:at|on|in))\b|定义|定義`,
  "i",
);

type Claim = ReadingUnit["claims"][number];

/** Gives the claims of a unit the evidence of the same text. */
export function weighEvidence(unit: ReadingUnit): void {
  const { block, text, claims } = unit;
  // A single place needs nobody to say whose a name is.
  const owners = claims.length > 1 ? ownersOf(unit) : undefined;
  for (const claim of claims) {
    const start = claim.start - block.start;
    const end = claim.end - block.start;
    for (const item of within(unit.evidence, start - reach, end + reach)) {
      if (item.range && item.range !== claim.range) continue;
      const isLess = item.isPlain && !(isCodeShaped(item.name) && isTouching(unit, claim, item));
      const loss = isLess ? plainLoss(unit, item) : 0;
      const setApart = !isWithin(item, start, end) && isApart(unit, item);
      const owner = owners?.get(item);
      const weight = weightFor(claim, item, { unit, owner, setApart }) - loss;
      const given = weighed(item, weight, item.isTold ?? isTold(unit, item));
      given.isAside = setApart || isUnderPlan(text.slice(end, item.start));
      claim.evidence.push(given);
    }
    if (claim.evidence.length > most)
      claim.evidence = claim.evidence.toSorted((a, b) => b.weight - a.weight).slice(0, most);
    addSymbol(claim, start, end);
    claim.defines =
      definesThere.test(text.slice(Math.max(0, start - 60), start)) ||
      definesThere.test(text.slice(end, end + 40));
  }
}

const isWithin = (item: Evidence, start: number, end: number): boolean =>
  item.start >= start && item.end <= end;

/** `x.py::name`. */
function addSymbol({ mention, evidence }: Claim, start: number, end: number): void {
  if (!mention.symbol) return;
  const named = nameEvidence(mention.symbol, { start, end }, false);
  evidence.push(weighed(named, weights.evidence.told, true));
}

/** The place that each name touches; it speaks of no other. */
function ownersOf(unit: ReadingUnit): Map<Evidence, Claim> {
  const { block, claims, evidence } = unit;
  const owners = new Map<Evidence, Claim>();
  for (const claim of claims) {
    const [from, to] = [claim.start - block.start - 8, claim.end - block.start + 8];
    for (const item of within(evidence, from, to))
      if (!owners.has(item) && isTouching(unit, claim, item)) owners.set(item, claim);
  }
  return owners;
}

function weightFor(
  claim: Claim,
  item: Evidence,
  { unit, owner, setApart }: { unit: ReadingUnit; owner: Claim | undefined; setApart: boolean },
): number {
  const start = claim.start - unit.block.start;
  const end = claim.end - unit.block.start;
  if (isWithin(item, start, end)) return weights.evidence.touching;
  if (owner !== undefined && owner.mention !== claim.mention) return weights.evidence.other;
  return setApart ? weights.evidence.far : gapWeight(unit, { start, end }, item);
}

/** "`name` (x.ts:45)": a name in brackets behind a place, or one right before a place in brackets, is that place's. */
const atPlace = /^[`*_]*(?:\/\d)?\s(?:at|in|@|—|–|-)\s[`*_[]*$/;

function isTouching({ block, text }: ReadingUnit, claim: Claim, { start, end }: Evidence): boolean {
  const from = claim.start - block.start;
  const to = claim.end - block.start;
  if (start >= to) return start - to < 4 && /^[`*_]*\s?\([`*_]*$/.test(text.slice(to, start));
  const gap = from >= end && from - end < 10 ? text.slice(end, from) : "-";
  return /^[`*_]*\s?\([`*_]*$/.test(gap) || atPlace.test(gap);
}

/** So many names and quotations are tried for one place. */
const most = 8;
/** What stands further away than this is not about the place. */
const reach = 320;

/** The items of an ordered list that overlap [from, to], found by halving; a few more may be among them. */
function within<Item extends { start: number; end: number }>(
  items: readonly Item[],
  from: number,
  to: number,
): readonly Item[] {
  if (items.length < 32) return items;
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.start < from - reach) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < items.length && items[end]!.start <= to) end++;
  return items.slice(low, end);
}

/** A plain word in brackets or between marks is as good as code; one in a sentence is a word. */
function plainLoss({ block, text }: ReadingUnit, { start, end }: Evidence): number {
  const isCell = (cell: { start: number; end: number }): boolean =>
    cell.start === block.start + start && cell.end === block.start + end;
  if (block.kind === "row" && block.cells.some(isCell)) return 0;
  const before = text.slice(Math.max(0, start - 12), start);
  const isMarked = /[*_]$/.test(before) && /^(?:\(\))?[*_]/.test(text.slice(end, end + 4));
  if (text[start] === "`" || isMarked || /(?:^|\n)\s*at $|:\s*"$|: $/.test(before)) return 0;
  const isAlone = /[([]\s*$/.test(before) && /^(?:\(\))?\s*[)\],]/.test(text.slice(end, end + 6));
  return isAlone ? 0 : 1;
}

function isTold({ block, text }: ReadingUnit, item: Evidence): boolean {
  if (item.lines.length === 0) return false;
  if (block.kind !== "row") return tells.test(text.slice(Math.max(0, item.start - 40), item.start));
  return tells.test(columnOf(block, item.start));
}

type Span = { start: number; end: number };

function gapWeight(unit: ReadingUnit, place: Span, item: Evidence): number {
  const { text, claims, evidence, block } = unit;
  const { same, far } = weights.evidence;
  const gap = gapBetween(place, item);
  const between = text.slice(gap.start, gap.end);
  if (gap.end === place.start && isAboveEntry(text, place, between)) return same;
  const isParted = partsGap(unit, gap);
  const isCrowded = claims.length > 1;
  if (block.kind === "row" && between.includes("|"))
    return isParted && isCrowded ? far : cellWeight(unit, { place, item, isParted });
  if (sentenceEnd.test(between) || between.length > 300) return far;
  if (isParted) return isCrowded ? far : same;
  const isParting = isBracketedOff(text, place, item);
  const most = isParting ? same : weights.evidence.touching;
  return Math.min(most, wordsWeight(between, item, isSole(claims, evidence)));
}

const what = /^\W*what\W*$/i;

type AcrossCells = { place: Span; item: Evidence; isParted: boolean };

/** A name alone in its cell, beside a place alone in its cell. */
function cellWeight(unit: ReadingUnit, { place, item, isParted }: AcrossCells): number {
  const { block } = unit;
  const column = columnOf(block, item.start);
  const isOther = otherCell.test(column) && !(what.test(column) && wordsBeside(block, item) === 0);
  const isNamed = isKeyCell(block, item) && !isParted && !isOther;
  return isNamed && isPlaceCell(unit, place) ? weights.evidence.cell : weights.evidence.same;
}

/** A place that begins a line, as the entries of a list without marks do: what stands above it belongs to another. */
const isAboveEntry = (text: string, { start }: Span, between: string): boolean =>
  between.includes("\n") && /\n[ \t]*[`*_]*$/.test(text.slice(Math.max(0, start - 60), start));

const sentenceEnd = /[.!?;][)\]*_"'`]*\s/;
/** Words right before a name by which it is not said to stand there: a denial, a likeness, a wish, a neighbour. */
const setsApart = new RegExp(
  String.raw`(?:^|[\s(,])(?:no|not|without|ohne|sans|sem|sin|senza|без|lacks?|like|` +
    String.raw`e\.g\.,?|such as|similar to|same as|unlike|instead of|` +
    String.raw`after|before|below|above|between|add(?:s|ing|ed)?|introduc\w+|creat\w+|new|` +
    String.raw`(?<!\b(?:start|begin)s?\s)with)` +
    String.raw`\s(?:an?\s|the\s)?[\x60*_"'(]*$`,
  "i",
);
/** "identical branching to `x`", "never references `x`": a name that is only compared or denied. */
const likeness = "identical|similar|equal|equivalent|same|compar\\w+|analogous";
const comparesTo = new RegExp(
  String.raw`\b(?:(?:${likeness})\b[^.;|]{0,40}\s(?:to|as|with)|never\s\w+|not\s\w+)\s[\x60*_"'(]*$`,
  "i",
);
const arrow = /^[`*_]*\s*(?:→|->|=>|➜|⟶)\s*[`*_]*$/;

/** A name that is denied, wished for, one side of a change, or of a column of proposals. */
export function isApart({ text, block, evidence }: ReadingUnit, item: Evidence): boolean {
  const before = text.slice(Math.max(0, item.start - 24), item.start);
  if (comparesTo.test(text.slice(Math.max(0, item.start - 70), item.start))) return true;
  if (isBehindNegation(text, item.start)) return true;
  if (setsApart.test(before)) return true;
  if (block.kind === "row" && isPlannedColumn(columnOf(block, item.start))) return true;
  return within(evidence, item.start - 8, item.end + 8).some((other) => {
    if (other === item) return false;
    const gap = gapBetween(item, other);
    return (
      gap.end - gap.start < 9 && gap.end > gap.start && arrow.test(text.slice(gap.start, gap.end))
    );
  });
}

const columnOf = ({ start, cells, columns }: ReadingUnit["block"], at: number): string =>
  columns[cells.findIndex((cell) => cell.start <= start + at && start + at < cell.end)]?.text ?? "";

/** A cell that gives one place, with little else. */
function isPlaceCell({ block, claims }: ReadingUnit, place: Span): boolean {
  const cell = cellAt(block, place.start);
  const isShared =
    claims.filter(({ start }) => cellAt(block, start - block.start) === cell).length > 1;
  return !isShared && isKeyCell(block, place);
}

const isBracketed = (text: string, { start, end }: Span): boolean =>
  /\([^()|]*$/.test(text.slice(Math.max(0, start - 80), start)) &&
  /^[^()|]*\)/.test(text.slice(end, end + 80));

/** A place in brackets belongs to what stands right before them, not to what follows or to words far before. */
function isBracketedOff(text: string, place: Span, item: Evidence): boolean {
  if (!isBracketed(text, place)) return false;
  const { start, end } = gapBetween(place, item);
  const between = text.slice(start, end);
  if (place.end <= item.start)
    return between.includes(")") && !/^[^()]*\)[`*_]*\s?[:=—–-]/.test(between);
  return between.includes("(") && countWords(between.slice(between.lastIndexOf("(") + 1)) > 1;
}

/** Words that tie a name to its place. */
export const joins = new Set(
  (
    "is are was which that in at on of from by see the a an same defined declared implemented located found lives " +
    "stands handled symbol function method class struct type file line lines defines declares has have " +
    "hold holds contain contains implements exports " +
    "ist steht in von der die das definiert deklariert enthält funktion methode klasse datei zeile " +
    "est dans la le de définit définie déclare fonction méthode classe fichier ligne"
  ).split(" "),
);

/** Words that say more than that a thing is at a place. */
export const countWords = (text: string): number =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !joins.has(word.toLowerCase())).length;

/** The fewer words between them, the surer they belong together. */
function wordsWeight(between: string, item: Evidence, isOnly: boolean): number {
  const { touching, tight, near, same } = weights.evidence;
  const words = countWords(between);
  const isSaid = words <= 3 && item.lines.length > 0 && tells.test(between);
  if (words === 0 || isSaid) return touching;
  if (words <= 5) return tight;
  return words <= 10 || isOnly ? near : same;
}

const gapBetween = (place: Span, item: Span): Span =>
  place.end <= item.start
    ? { start: place.end, end: item.start }
    : { start: item.end, end: place.start };

/** Whether another place or name stands in the gap. */
function partsGap({ claims, evidence, block }: ReadingUnit, gap: Span): boolean {
  const isIn = (start: number, end: number): boolean =>
    start >= gap.start && end <= gap.end && end > start;
  const shift = block.start;
  return (
    within(claims, shift + gap.start, shift + gap.end).some((other) =>
      isIn(other.start - shift, other.end - shift),
    ) || within(evidence, gap.start, gap.end).some((other) => isIn(other.start, other.end))
  );
}

/** One place and one name in a sentence belong together however many words are between them. */
const isSole = (claims: readonly unknown[], evidence: readonly Evidence[]): boolean =>
  claims.length === 1 &&
  evidence.length < 32 &&
  evidence.filter((item) => !item.isPlain).length === 1;
