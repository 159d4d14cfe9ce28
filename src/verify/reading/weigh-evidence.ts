// How surely each name and quotation speaks of a place: by what stands between them in the same text,
// or by being above or below it.
import { isField } from "./bind-numbers.ts";
import type { Evidence } from "./find-evidence.ts";
import { quoteEvidence } from "./find-evidence.ts";
import type { Context } from "./read-claims.ts";
import type { Unit } from "./read-unit.ts";
import { weights } from "./weights.ts";

const tells =
  /\b(?:reads?|contains?|says|shows?|states?|has|code|match(?:es)?|snippet|quote|evidence|content|line is|looks like|actual|current|verbatim)\b/i;
const definesThere =
  /\b(?:defin(?:ed|es|ition)|declar(?:ed|es|ation)|begins?|starts?)\b|定义|定義/i;

/** Gives the claims of a unit the evidence of the same text. */
export function weighEvidence(unit: Unit): void {
  const { block, text } = unit;
  for (const claim of unit.claims) {
    const [start, end] = [claim.start - block.start, claim.end - block.start];
    for (const item of unit.evidence) {
      if (item.range && item.range !== claim.range) continue;
      const isInside = item.start >= start && item.end <= end;
      const weight = isInside ? weights.evidence.tight : gapWeight(unit, { start, end }, item);
      const loss = item.isPlain && block.kind !== "row" ? plainLoss(text, item) : 0;
      claim.evidence.push({
        ...item,
        weight: weight - loss,
        isTold: item.isTold ?? isTold(unit, item),
      });
    }
    const { symbol } = claim.mention;
    if (symbol && claim.range === null)
      claim.evidence.push({
        ...quoteEvidence([], start, end),
        name: symbol,
        weight: weights.evidence.told,
        isTold: true,
      });
    claim.defines =
      definesThere.test(text.slice(Math.max(0, start - 60), start)) ||
      definesThere.test(text.slice(end, end + 40));
  }
}

/** A plain word in brackets or between marks is as good as code; one in a sentence is a word. */
function plainLoss(text: string, { start, end }: Evidence): number {
  const before = text.slice(Math.max(0, start - 12), start);
  if (text[start] === "`" || /[*_]$|(?:^|\n)\s*at $|:\s*"$|: $/.test(before)) return 0;
  return /[([]\s*$/.test(before) && /^(?:\(\))?\s*[)\],]/.test(text.slice(end, end + 6)) ? 0 : 2;
}

function isTold({ block, text }: Unit, item: Evidence): boolean {
  if (item.lines.length === 0) return false;
  if (block.kind !== "row") return tells.test(text.slice(Math.max(0, item.start - 40), item.start));
  const at = block.start + item.start;
  return tells.test(
    block.columns[block.cells.findIndex((cell) => cell.start <= at && at < cell.end)]?.text ?? "",
  );
}

function gapWeight(
  { text, claims, evidence, block }: Unit,
  place: { start: number; end: number },
  item: Evidence,
): number {
  const { tight, near, same, far, cell } = weights.evidence;
  const [from, to] = place.end <= item.start ? [place.end, item.start] : [item.end, place.start];
  const gap = text.slice(from, to);
  const isBetween = (start: number, end: number): boolean =>
    start >= from && end <= to && end > start;
  const isParted =
    claims.some((other) => isBetween(other.start - block.start, other.end - block.start)) ||
    evidence.some((other) => isBetween(other.start, other.end));
  if (block.kind === "row") {
    if (isParted && claims.length > 1) return far;
    return evidence.filter((other) => !other.isPlain).length <= 2 ? cell : same;
  }
  if (/[.!?]\s+\S/.test(gap) || gap.length > 300) return far;
  if (isParted) return claims.length > 1 ? far : same;
  const words = gap.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return words <= 5 ? tight : words <= 10 ? near : same;
}

/** A place without a name of its own is about what stands above it; a name without a place about the place above it. */
export function shareEvidence(unit: Unit, context: Context): void {
  if (unit.claims.length > 0) inherit(unit, context);
  else give(unit, context);
  caption(unit, context);
}

function inherit(unit: Unit, context: Context): void {
  const { block, claims, text } = unit;
  if (unit.evidence.some((item) => !item.isPlain)) return;
  const key = /^\s*\[\^?([\w-]{1,20})\]:?\s/.exec(text)?.[1];
  const note = key === undefined ? undefined : noteEvidence(key, context);
  const last = context.units.at(-1);
  const isRecord = block.kind !== "item" || isField(unit);
  const above = [
    block.parent && context.byBlock.get(block.parent),
    !block.apart && isRecord && block.kind !== "row" ? last : undefined,
    block.heading && context.byBlock.get(block.heading),
  ];
  const source = above.find(
    (other) => other && other.mentions.length === 0 && other.evidence.some((item) => !item.isPlain),
  );
  const quoted = block.quoted && last?.block.quoted && last.claims.length === 0 ? last : undefined;
  if (quoted && claims.length === 1) {
    const quote = quoteEvidence(linesOf(quoted.text), 0, quoted.text.length);
    claims[0]!.evidence.push({ ...quote, weight: weights.evidence.tight, isTold: true });
    return;
  }
  const given = note ? [note] : (source?.evidence ?? []).filter((item) => !item.isPlain);
  const sure = weights.evidence.parent + (isField(unit) || note ? 1 : 0);
  const weight = given.length === 1 && claims.length === 1 ? sure : weights.evidence.far;
  for (const claim of claims) claim.evidence.push(...given.map((item) => ({ ...item, weight })));
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
function give(unit: Unit, { units, byBlock }: Context): void {
  const { block, text } = unit;
  const isQuote = block.quoted && unit.evidence.length === 0;
  const lines = isQuote
    ? text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean)
    : [];
  const all = isQuote ? [quoteEvidence(lines, 0, text.length)] : unit.evidence;
  if (all.length === 0) return;
  const parent = block.parent && byBlock.get(block.parent);
  const host = parent?.claims.length ? parent : beside(unit, units);
  if (!host) return;
  const isSole = host.claims.length === 1 && (isField(unit) || block.quoted);
  const { child, far } = weights.evidence;
  const isSaid = block.quoted && /:\s*[*_`]*$/.test(host.text);
  for (const claim of host.claims)
    for (const item of all)
      claim.evidence.push({
        ...item,
        weight: isSole && !item.isPlain ? child + (isSaid || isField(unit) ? 1 : 0) : far,
        isTold: isSaid || tells.test(text.slice(0, item.start)),
      });
}

/** The block with a place directly above: fields of its record, items of its list, a quotation of it. */
function beside(unit: Unit, units: readonly Unit[]): Unit | undefined {
  const { block } = unit;
  if (!isField(unit) && !block.quoted && block.kind !== "item") return undefined;
  const from = units.slice(-4).toReversed();
  const host = from.find((other) => other.claims.length > 0);
  if (!host || host.block.kind === "fence" || host.block.heading !== block.heading)
    return undefined;
  return !block.apart || host === units.at(-1) ? host : undefined;
}

const captionWord =
  /^(?:source|from|in|see|file|path|code|snippet|listing|figure|fig|excerpt|at|taken|lines?|l|the|above|and|to|\d+)$/i;

/** "*x.ts:45*" directly below a fence says where its code stands. */
function caption(unit: Unit, { units }: Context): void {
  const fence = units.at(-1);
  const [claim] = unit.claims;
  if (!fence?.loose || unit.claims.length !== 1 || !claim || /:\s*[*_`]*$/.test(unit.text)) return;
  const [start, end] = [claim.start - unit.block.start, claim.end - unit.block.start];
  const rest = unit.text.slice(0, start) + unit.text.slice(end);
  if (!(rest.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => captionWord.test(word))) return;
  for (const item of fence.loose) claim.evidence.push({ ...item, weight: weights.evidence.near });
}
