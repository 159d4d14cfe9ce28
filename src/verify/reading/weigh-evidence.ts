// How surely each name and quotation speaks of a place: by what stands between them in the same text,
// or by being above or below it.
import { isField } from "./anchors-of.ts";
import { quoteEvidence, type Evidence } from "./find-evidence.ts";
import { sectionOf, type Context, type ReadingUnit } from "./read-unit.ts";
import { weights } from "./weights.ts";

const tells =
  /\b(?:reads?|contains?|says|shows?|states?|has|code|match(?:es)?|snippet|quote|evidence|content|actual|current)\b/i;
const definesThere =
  /\b(?:defin(?:ed|es|ition)|declar(?:ed|es|ation)|begins?|starts?)\b|定义|定義/i;

type Claim = ReadingUnit["claims"][number];

/** Gives the claims of a unit the evidence of the same text. */
export function weighEvidence(unit: ReadingUnit): void {
  const { block, text } = unit;
  const owners = ownersOf(unit);
  for (const claim of unit.claims) {
    const [start, end] = [claim.start - block.start, claim.end - block.start];
    for (const item of within(unit.evidence, start - reach, end + reach)) {
      if (item.range && item.range !== claim.range) continue;
      const loss = item.isPlain ? plainLoss(unit, item) : 0;
      claim.evidence.push({
        ...item,
        weight: weightFor(claim, item, { unit, owner: owners.get(item) }) - loss,
        isTold: item.isTold ?? isTold(unit, item),
      });
    }
    if (claim.evidence.length > most)
      claim.evidence = claim.evidence.toSorted((a, b) => b.weight - a.weight).slice(0, most);
    addSymbol(claim, start, end);
    claim.defines =
      definesThere.test(text.slice(Math.max(0, start - 60), start)) ||
      definesThere.test(text.slice(end, end + 40));
  }
}

/** `x.py::name`. */
function addSymbol({ mention, range, evidence }: Claim, start: number, end: number): void {
  if (!mention.symbol || range !== null) return;
  const named = { ...quoteEvidence([], start, end), name: mention.symbol };
  evidence.push({ ...named, weight: weights.evidence.told, isTold: true });
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
  { unit, owner }: { unit: ReadingUnit; owner: Claim | undefined },
): number {
  const [start, end] = [claim.start - unit.block.start, claim.end - unit.block.start];
  if (item.start >= start && item.end <= end) return weights.evidence.tight;
  if (owner !== undefined && owner.mention !== claim.mention) return weights.evidence.far;
  return gapWeight(unit, { start, end }, item);
}

/** "`name` (x.ts:45)": a name in brackets behind a place, or one right before a place in brackets, is that place's. */
function isTouching({ block, text }: ReadingUnit, claim: Claim, { start, end }: Evidence): boolean {
  const from = claim.start - block.start;
  const to = claim.end - block.start;
  if (start >= to) return start - to < 4 && /^[`*_]*\s?\([`*_]*$/.test(text.slice(to, start));
  return from >= end && from - end < 6 && /^[`*_]*\s?\([`*_]*$/.test(text.slice(end, from));
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
  return /[([]\s*$/.test(before) && /^(?:\(\))?\s*[)\],]/.test(text.slice(end, end + 6)) ? 0 : 2;
}

function isTold({ block, text }: ReadingUnit, item: Evidence): boolean {
  if (item.lines.length === 0) return false;
  if (block.kind !== "row") return tells.test(text.slice(Math.max(0, item.start - 40), item.start));
  const at = block.start + item.start;
  return tells.test(
    block.columns[block.cells.findIndex((cell) => cell.start <= at && at < cell.end)]?.text ?? "",
  );
}

type Span = { start: number; end: number };

function gapWeight(unit: ReadingUnit, place: Span, item: Evidence): number {
  const { text, claims, evidence, block } = unit;
  const { same, far, cell } = weights.evidence;
  const gap = gapBetween(place, item);
  const between = text.slice(gap.start, gap.end);
  const isParted = partsGap(unit, gap);
  const isCrowded = claims.length > 1;
  if (block.kind === "row" && between.includes("|")) {
    if (isParted && isCrowded) return far;
    return isKeyCell(block, item) ? cell : same;
  }
  if (/[.!?]\s+\S/.test(between) || between.length > 300) return far;
  if (isParted) return isCrowded ? far : same;
  return wordsWeight(between, item, isSole(claims, evidence));
}

/** The fewer words between them, the surer they belong together. */
function wordsWeight(between: string, item: Evidence, isOnly: boolean): number {
  const { touching, tight, near, same } = weights.evidence;
  const words = between.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
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

/** A cell with little but the name says what the row is about; one with a sentence describes it. */
function isKeyCell(block: ReadingUnit["block"], { start, end }: Evidence): boolean {
  const at = block.start + start;
  const cell = block.cells.find((other) => other.start <= at && at < other.end);
  const rest = cell
    ? cell.text.slice(0, at - cell.start) + cell.text.slice(end - start + at - cell.start)
    : "";
  return (rest.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= 3;
}

/** One place and one name in a sentence belong together however many words are between them. */
const isSole = (claims: readonly unknown[], evidence: readonly Evidence[]): boolean =>
  claims.length === 1 &&
  evidence.length < 32 &&
  evidence.filter((item) => !item.isPlain).length === 1;

/** A place without a name of its own is about what stands above it; a name without a place about the place above it. */
export function shareEvidence(unit: ReadingUnit, context: Context): void {
  if (unit.claims.length > 0) inherit(unit, context);
  else give(unit, context);
  caption(unit, context);
}

function inherit(unit: ReadingUnit, context: Context): void {
  const { block, claims, text } = unit;
  if (unit.evidence.some((item) => !item.isPlain)) return;
  const last = context.units.at(-1);
  if (block.quoted && claims.length === 1 && last && isQuotation(last)) {
    const quote = quoteEvidence(linesOf(last.text), 0, last.text.length);
    claims[0]!.evidence.push({ ...quote, weight: weights.evidence.tight, isTold: true });
    return;
  }
  const key = /^\s*\[\^?([\w-]{1,20})\]:?\s/.exec(text)?.[1];
  const note = key === undefined ? undefined : noteEvidence(key, context);
  const given = note ? [note] : namesAbove(unit, context);
  const sure = weights.evidence.parent + (isField(unit) || note ? 1 : 0);
  const weight = given.length === 1 && claims.length === 1 ? sure : weights.evidence.far;
  for (const claim of claims) claim.evidence.push(...given.map((item) => ({ ...item, weight })));
}

const isQuotation = ({ block, claims }: ReadingUnit): boolean =>
  block.quoted && claims.length === 0;

/** Names of the item, the line or the heading above, where that names no file itself. */
function namesAbove(unit: ReadingUnit, { byBlock, units }: Context): Evidence[] {
  const { block } = unit;
  const isRecord = block.kind === "text" || isField(unit);
  const above = [
    block.parent ? byBlock.get(block.parent) : undefined,
    isRecord && !block.apart ? units.at(-1) : undefined,
    block.heading ? byBlock.get(block.heading) : undefined,
  ];
  for (const other of above) {
    const names =
      other?.mentions.length === 0 ? other.evidence.filter((item) => !item.isPlain) : [];
    if (names.length > 0) return names;
  }
  return [];
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** The name that stands before the mark of a footnote. */
function noteEvidence(key: string, { units }: Context): Evidence | undefined {
  for (const unit of units.slice(-40).toReversed()) {
    const at = Math.max(unit.text.lastIndexOf(`[^${key}]`), unit.text.lastIndexOf(`[${key}]`));
    const found = at < 0 ? undefined : unit.evidence.findLast((item) => item.end <= at + 1);
    if (found) return found;
  }
  return undefined;
}

/** Names and quotations below a place, without a place of their own, speak of it. */
function give(unit: ReadingUnit, context: Context): void {
  const { block, text } = unit;
  const host = receiver(unit, context);
  if (!host) return;
  const isSaid = block.quoted && /:\s*[*_`]*$/.test(host.text);
  const isSure = host.claims.length === 1 && (isField(unit) || block.quoted);
  const { child, far } = weights.evidence;
  const sure = child + Number(isSaid || isField(unit));
  for (const claim of host.claims)
    for (const item of evidenceIn(unit, isSaid))
      claim.evidence.push({
        ...item,
        weight: isSure && !item.isPlain ? sure : far,
        isTold: isSaid || tells.test(text.slice(0, item.start)),
      });
}

/** What leads to it with a colon; else the item that it belongs to; else the place above. */
function receiver(unit: ReadingUnit, { units, byBlock }: Context): ReadingUnit | undefined {
  const { block } = unit;
  const parent = block.parent ? byBlock.get(block.parent) : undefined;
  const above = beside(unit, units);
  const isLed = above !== undefined && above === units.at(-1) && /:\s*[*_`]*$/.test(above.text);
  return parent?.claims.length && !isLed ? parent : above;
}

/** The names and quotations of a block; a block quote without any is a quotation as a whole. */
function evidenceIn({ block, evidence, text }: ReadingUnit, isSaid: boolean): readonly Evidence[] {
  const isWhole = isSaid || (block.quoted && evidence.length === 0);
  if (!isWhole || text.trim() === "") return evidence;
  return [quoteEvidence(linesOf(text), 0, text.length)];
}

/** The block with a place directly above: fields of its record, items of its list, a quotation of it. */
function beside(unit: ReadingUnit, units: readonly ReadingUnit[]): ReadingUnit | undefined {
  const { block } = unit;
  if (!isField(unit) && !block.quoted && block.kind !== "item") return undefined;
  const from = units.slice(-4).toReversed();
  const host = from.find((other) => other.claims.length > 0);
  const isRecord = isField(unit) && (tells.test(unit.text.slice(0, 40)) || (host && isField(host)));
  if (block.kind === "item" && !isRecord) return undefined;
  if (!host || host.block.kind === "fence" || sectionOf(host.block) !== sectionOf(block))
    return undefined;
  return !block.apart || host === units.at(-1) ? host : undefined;
}

const captionWord =
  /^(?:source|from|in|see|file|path|code|snippet|listing|figure|fig|excerpt|at|taken|lines?|l|the|above|and|to|\d+)$/i;

/** "*x.ts:45*" directly below a fence says where its code stands. */
function caption(unit: ReadingUnit, { units }: Context): void {
  const fence = units.at(-1);
  const [claim] = unit.claims;
  if (!fence?.loose || unit.claims.length !== 1 || !claim || /:\s*[*_`]*$/.test(unit.text)) return;
  const [start, end] = [claim.start - unit.block.start, claim.end - unit.block.start];
  const rest = unit.text.slice(0, start) + unit.text.slice(end);
  if (!(rest.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => captionWord.test(word))) return;
  for (const item of fence.loose) claim.evidence.push({ ...item, weight: weights.evidence.near });
}
