// The claims of one text: each file that it names, with each number that may be a line of it.
import { anchorsOf, upgradeClaim, type NumberAnchor } from "./anchors-of.ts";
import { plainClaim, type Claim } from "../claim.ts";
import type { Evidence } from "../find-evidence.ts";
import { clauseModality, sectionModality, sentenceModality } from "../modality.ts";
import type { Mention } from "../paths/find-mentions.ts";
import type { Context, ReadingUnit } from "../read-unit.ts";
import type { NumberedLines } from "../spelled-numbers.ts";
import { weights } from "../weights.ts";

type Place = Pick<Claim, "mention" | "range"> & {
  /** What else the number may belong to, where it stands apart from the path. */
  loose?: Pick<Claim, "binding" | "rivals" | "doubts">;
};

/** Adds the claims of the files that a unit names. */
export function claimUnit(unit: ReadingUnit, context: Context): void {
  const { mentions, numbers, evidence, claims } = unit;
  const taken = new Set<Mention>();
  for (const mention of mentions)
    for (const range of mention.ranges)
      claims.push(claimAt({ mention, range }, unit, range === mention.ranges[0] ? mention : range));
  for (const range of numbers) {
    const anchors = anchorsOf(range, unit, context);
    const [first] = anchors;
    if (!first || (first.unit !== unit && upgradeClaim(first, range, unit))) continue;
    taken.add(first.mention);
    const span = first.unit === unit ? joinedSpan(first.mention, range, unit) : range;
    claims.push(claimAt(placeOf(anchors, range), unit, span));
  }
  for (const item of evidence) claimNamed(item, unit, { context, taken });
  for (const mention of mentions)
    if (mention.ranges.length === 0 && !taken.has(mention))
      claims.push(claimAt({ mention, range: null }, unit, mention));
  if (claims.length < 2) return;
  claims.sort((a, b) => a.start - b.start);
  markGroups(unit);
}

const listed = /^[\s`*_,;&/)(]*(?:and|und|et|y|or|plus)?[\s`*_([]*$/i;

/** Places with nothing but commas between them. */
function markGroups({ claims, text, block }: ReadingUnit): void {
  for (const [index, claim] of claims.entries()) {
    const next = claims[index + 1];
    if (!next || next.start < claim.end || next.start - claim.end > 16) continue;
    if (!listed.test(text.slice(claim.end - block.start, next.start - block.start))) continue;
    claim.isGrouped = true;
    next.isGrouped = true;
  }
}

/** `foo:45`: a name with a line of its own. */
function claimNamed(
  { range, name, start, end }: Evidence,
  unit: ReadingUnit,
  { context, taken }: { context: Context; taken: Set<Mention> },
): void {
  const anchors = range && name ? anchorsOf(range, unit, context) : [];
  if (!anchors[0] || !range) return;
  taken.add(anchors[0].mention);
  const place = placeOf(anchors, range);

  unit.claims.push(claimAt(place, unit, { start, end }));
}

function placeOf([first, ...others]: NumberAnchor[], range: NumberedLines): Required<Place> {
  const { mention, unit: own, weight: binding } = first!;
  // A place that is plainly the number's own leaves nothing to a file that is named far away.
  const least = binding >= weights.binding.tight ? weights.binding.heading : 0;
  const doubts = others.filter(({ unit, weight }) => unit !== own && weight >= least);
  const rivals = others.filter(
    ({ weight }) => binding < weights.binding.alone && weight >= binding - 1,
  );
  const mentionsOf = (anchors: NumberAnchor[]): Mention[] => anchors.map((one) => one.mention);
  return {
    mention,
    range,
    loose: { binding, doubts: mentionsOf(doubts), rivals: mentionsOf(rivals) },
  };
}

type Span = { start: number; end: number };

function claimAt({ mention, range, loose }: Place, unit: ReadingUnit, span: Span): Claim {
  const { block, text } = unit;
  const { start, end } = span;
  const claim = plainClaim(block, mention, block.start + start);
  claim.end = block.start + end;
  claim.range = range;
  if (loose) {
    claim.binding = loose.binding;
    claim.rivals = loose.rivals;
    claim.doubts = loose.doubts;
  }
  const isBareRow = block.kind === "row" && range === null;
  const isOld = becomes.test(text.slice(end, end + 24));
  const own = isBareRow ? sentenceModality(text) : clauseModality(text, span);
  const modality = isOld ? "denied" : own;
  claim.modality = modality === "said" ? sectionModality(block) : modality;
  claim.isWished = modality === "planned" || modality === "advised";
  claim.isLocated = isLocated(unit, start);
  return claim;
}

/** ":45 → :52": what was, beside what is. */
const becomes = /^[`*_)\s]*(?:→|->|=>|➜|⟶)[`*_(\s]*(?:lines?\s)?[:#L]{0,2}\d/;

const located =
  /(?:\b(?:files?|location|path|source|module|where|(?:found|defined|located) in)[*_`]*\s*:?|` (?:in|at))[\s*_`(]*$/i;

/** By the words before it, or by the header of its column. */
function isLocated({ block, text }: ReadingUnit, start: number): boolean {
  if (isNew.test(text.slice(Math.max(0, start - 160), start + 160))) return false;
  if (block.kind !== "row") return located.test(text.slice(Math.max(0, start - 40), start));
  const at = block.start + start;
  const column = block.cells.findIndex((cell) => cell.start <= at && at < cell.end);
  return /^[\s*_]*(?:files?|path|location|where|source|module)\b/i.test(
    block.columns[column]?.text ?? "",
  );
}

const isNew = /\b(?:new|added|creat\w+|propos\w+|example)\b/i;

/** A path and its number as one place where nothing but a few words stands between them. */
function joinedSpan(mention: Mention, range: NumberedLines, { text, block }: ReadingUnit): Span {
  const gap = text.slice(Math.min(mention.end, range.end), Math.max(mention.start, range.start));
  if (gap.length > 40 || gap.includes("`") || (block.kind === "row" && gap.includes("|")))
    return range;
  return { start: Math.min(mention.start, range.start), end: Math.max(mention.end, range.end) };
}
