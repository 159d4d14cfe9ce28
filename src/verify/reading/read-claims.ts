// From a document to its claims: every mention of a file with the numbers and the evidence around it.
import { limits } from "../../base/limits.ts";
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import { sharedDocument } from "../../markdown/shared-document.ts";
import { claimUnit } from "./places/claim-unit.ts";
import type { Claim } from "./claim.ts";
import type { Mention } from "./paths/find-mentions.ts";
import { settleForeignRoots } from "./paths/foreign-roots.ts";
import { addNumbersBeside } from "./places/numbers-beside.ts";
import { preferSpelledOut } from "./paths/prefer-spelled-out.ts";
import { readFence } from "./fence/read-fence.ts";
import { readUnit, type Context, type Reader, type ReadingUnit } from "./read-unit.ts";
import { joinSoleRecords } from "./sole-record.ts";
import { shareEvidence } from "./share-evidence.ts";
import { weighEvidence } from "./weigh-evidence.ts";
import { weights } from "./weights.ts";

/** `units`: the blocks that they were read from. */
type Claims = { claims: Claim[]; units: ReadingUnit[]; truncated: boolean };

export function readClaims(report: string, reader: Reader): Claims {
  const units: ReadingUnit[] = [];
  const byBlock = new Map<MarkdownBlock, ReadingUnit>();
  const context: Context = { units, byBlock, reader, report };
  let count = 0;
  for (const block of sharedDocument(report).blocks) {
    const unit = readUnit(block, reader);
    if (block.kind === "fence") readFence(unit, context);
    else {
      claimUnit(unit, context);
      weighEvidence(unit);
      shareEvidence(unit, context);
    }
    units.push(unit);
    byBlock.set(block, unit);
    if (unit.claims.length > 1 && unit.claims.length <= mostBeside)
      for (const claim of unit.claims) claim.beside = unit.claims;
    count += unit.claims.length;
    if (count > limits.verify.references) break;
  }
  const claims = units
    .flatMap((unit) => unit.claims)
    .sort((a, b) => a.start - b.start || a.end - b.end);
  settleForeignRoots(claims, reader.repo);
  preferSpelledOut(claims, reader.place.document === undefined);
  addNumbersBeside(units);
  addRivals(claims);
  if (reader.place.document === undefined) joinSoleRecords(units);
  dropFirstLines(claims);
  for (const claim of claims) claim.document = reader.place.document;
  const truncated = count > limits.verify.references;
  const kept = truncated ? claims.slice(0, limits.verify.references) : claims;
  return { claims: kept, units, truncated };
}

const isFirstLine = ({ range }: Claim): boolean => range?.first === 1 && range.last === 1;

/** Where a document gives the first line of several files, `x.ts:1` is its way to name a file. */
function dropFirstLines(claims: readonly Claim[]): void {
  const first = claims.filter(isFirstLine);
  if (first.length < habit || new Set(first.map(({ mention }) => mention.path)).size < habit)
    return;
  for (const claim of first) Object.assign(claim, { maybe: claim.range, range: null });
}

const habit = 4;

const mostRivals = 40;
const mostBeside = 24;

/** A number apart from its path may belong to any file that the document names: enough for doubt. */
function addRivals(claims: readonly Claim[]): void {
  const isLoose = ({ binding }: Claim): boolean => binding < weights.binding.tight;
  if (!claims.some(isLoose)) return;
  const named = new Map<string, Mention>();
  for (const { mention } of claims)
    if (mention.kind === "file" && named.size < mostRivals) named.set(mention.paths[0]!, mention);
  const all = [...named.values()];
  for (const claim of claims) if (isLoose(claim)) claim.doubts = all;
}
