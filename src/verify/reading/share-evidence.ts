// What a text takes from the texts around it: a place without a name the name above it, a name without a
// place the place above it, a caption the code above it.
import { isField } from "./places/anchors-of.ts";
import { quoteEvidence, weighed, type Evidence } from "./find-evidence.ts";
import { isUnderPlan } from "./modality.ts";
import { sectionOf, type Context, type ReadingUnit } from "./read-unit.ts";
import { countWords, tells } from "./weigh-evidence.ts";
import { weights } from "./weights.ts";

/** A place without a name of its own is about what stands above it; a name without a place about the place above it. */
export function shareEvidence(unit: ReadingUnit, context: Context): void {
  if (unit.claims.length > 0) inherit(unit, context);
  else give(unit, context);
  caption(unit, context);
}

function inherit(unit: ReadingUnit, context: Context): void {
  const { block, claims } = unit;
  if (unit.evidence.some((item) => !item.isPlain)) return;
  const last = context.units.at(-1);
  const said = block.quoted && claims.length === 1 && last && isQuotation(last) ? last.text : "";
  if (said !== "") {
    const quote = quoteEvidence(linesOf(said), 0, said.length);
    claims[0]!.evidence.push(weighed(quote, weights.evidence.tight, true));
    return;
  }
  inheritNames(unit, context);
}

/** Of a footnote, the item, the line or the heading above. */
function inheritNames(unit: ReadingUnit, context: Context): void {
  const { claims, text } = unit;
  const key = /^\s*\[\^?([\w-]{1,20})\]:?\s/.exec(text)?.[1];
  const note = key === undefined ? undefined : noteEvidence(key, context);
  const { names, from } = note
    ? { names: [note.name], from: undefined }
    : namesAbove(unit, context);
  const isSure = names.length === 1 && claims.length === 1;
  const sure = note
    ? weights.evidence[note.isMarked ? "touching" : "tight"]
    : weightBelow(unit, from, isSure ? names[0] : undefined);
  const isTitle = from?.block.kind === "heading";
  const weight = isSure ? sure : weights.evidence[isTitle ? "title" : "far"];
  for (const claim of claims) for (const item of names) claim.evidence.push(weighed(item, weight));
}

/** How surely the one name of a text above is said of the one place of a unit. */
function weightBelow(
  unit: ReadingUnit,
  from: ReadingUnit | undefined,
  name: Evidence | undefined,
): number {
  const { parent, tight, touching, title } = weights.evidence;
  if (!from || !name) return title;
  const isTitle = from.block.kind === "heading";
  // Nothing but a name above, nothing but its place here.
  const isRecord =
    isAlone(from, name) && (isField(unit) || isAlone(unit, unit.claims[0]!, unit.block.start));
  if (isRecord) return isTitle ? tight : touching;
  if (isAnswer(unit, from)) return touching;
  if (isTitle) return title;
  return parent + Number(isField(unit));
}

/** "Where is `name` defined?", and right below it the answer: a place, whatever the words around it. */
const isAnswer = ({ block }: ReadingUnit, from: ReadingUnit): boolean =>
  isQuestion.test(from.text) && block.start - from.block.end < 8;

const isQuestion = /[?？][\s*_"']*$/;

/** Whether a text has no words besides an item of it. */
function isAlone({ text }: ReadingUnit, { start, end }: Span, shift = 0): boolean {
  return countWords(text.slice(0, start - shift) + text.slice(end - shift)) === 0;
}

type Span = { start: number; end: number };

const isQuotation = ({ block, claims }: ReadingUnit): boolean =>
  block.quoted && claims.length === 0;

/** Names of the item, the line or the heading above, where that names no file itself. */
function namesAbove(
  unit: ReadingUnit,
  { byBlock, units }: Context,
): { names: Evidence[]; from: ReadingUnit | undefined } {
  const { block } = unit;
  const last = units.at(-1);
  // The field above is one of the same record, not of one below it.
  const isRecord = (block.kind === "text" || isField(unit)) && last?.block.parent === block.parent;
  const above = [
    block.parent ? byBlock.get(block.parent) : undefined,
    isRecord && !block.apart ? last : undefined,
    block.heading ? byBlock.get(block.heading) : undefined,
  ];
  for (const other of above) {
    const names = other?.claims.length === 0 ? other.evidence.filter((item) => !item.isPlain) : [];
    // A title says what a section is about; where its places are is another question.
    if (names.length > 0) return { names, from: other };
  }
  return { names: [], from: undefined };
}

/** Without the marks of code around a whole line. */
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => /^\s*(`+) ?(.+?) ?\1\s*$/.exec(line)?.[2] ?? line.trim())
    .filter(Boolean);

type Note = { name: Evidence; isMarked: boolean };

/** The name that stands before the mark of a footnote; `isMarked`: right before it. */
function noteEvidence(key: string, { units }: Context): Note | undefined {
  for (const unit of units.slice(-40).toReversed()) {
    const at = Math.max(unit.text.lastIndexOf(`[^${key}]`), unit.text.lastIndexOf(`[${key}]`));
    const found = at < 0 ? undefined : unit.evidence.findLast((item) => item.end <= at + 1);
    if (found) return { name: found, isMarked: at - found.end < 2 };
  }
  return undefined;
}

/** Names and quotations below a place, without a place of their own, speak of it. */
function give(unit: ReadingUnit, context: Context): void {
  const { block, text } = unit;
  if (unit.evidence.length === 0 && !block.quoted) return;
  const host = receiver(unit, context);
  if (!host) return;
  const isSaid = block.quoted && /:\s*[*_`]*$/.test(host.text);
  const isGiven = gives.test(text.slice(0, 40));
  const isSure = host.claims.length === 1 && (isGiven || block.quoted);
  const { child, far, touching } = weights.evidence;
  const sure = isGiven ? touching : child + Number(isSaid);
  for (const claim of host.claims)
    for (const item of evidenceIn(unit, isSaid)) {
      const before = text.slice(0, item.start);
      const isTold = isSaid || isGiven || tells.test(before);
      const given = weighed(item, isSure && !item.isPlain ? sure : far, isTold);
      given.isAside = isUnderPlan(before);
      claim.evidence.push(given);
    }
}

/** Fields of a record that tell what stands there; "Fix:", "Status:" and "Impact:" tell something else. */
const giving =
  "symbol|function|method|class|name|code|evidence|snippet|quote|content|actual|current|reads?";
const gives = new RegExp(String.raw`^[\s*_\x60[\]]*(?:${giving})\b[^:=]{0,32}[:=]`, "i");

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
  const { touching, near } = weights.evidence;
  const weight = fence.isLed ? near : touching;
  for (const item of fence.loose) claim.evidence.push(weighed(item, weight));
}
