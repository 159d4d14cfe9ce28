// From a document to its claims: every mention of a file with the numbers and the evidence around it.
import { limits } from "../../base/limits.ts";
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import { sharedDocument } from "../../markdown/shared-document.ts";
import { claimUnit } from "./places/claim-unit.ts";
import type { Claim } from "./claim.ts";
import type { Mention } from "./paths/find-mentions.ts";
import { plannedParts } from "./modality.ts";
import { settleForeignRoots } from "./paths/foreign-roots.ts";
import { addNumbersBeside } from "./places/numbers-beside.ts";
import { preferSpelledOut } from "./paths/prefer-spelled-out.ts";
import { denyToldAbsent } from "./paths/told-absent.ts";
import { readFence } from "./fence/read-fence.ts";
import { readUnit, sectionOf, type Context, type Reader, type ReadingUnit } from "./read-unit.ts";
import { joinSoleRecords } from "./sole-record.ts";
import { shareEvidence } from "./share-evidence.ts";
import { weighEvidence } from "./weigh-evidence.ts";
import { weights } from "./weights.ts";

/** `units`: the blocks that they were read from. */
export type Claims = { claims: Claim[]; units: ReadingUnit[]; truncated: boolean };

/** In the order of their places; `truncated` where there were more than the limit. */
/** "H1", "M12", "L16": numbers of findings by how grave they are. */
const isGrade = /^L\d{1,3}\b(?!\s?[-–]\s?L?\d)/;
const grades = ["H", "M", "L"].map(
  (letter) => new RegExp(String.raw`(?:^|[[|*#\s])${letter}\d{1,2}(?=[\]|*:.\s])`, "m"),
);
const countsByGrade = (report: string): boolean => grades.every((grade) => grade.test(report));

export function readClaims(report: string, reader: Reader): Claims {
  const units: ReadingUnit[] = [];
  const byBlock = new Map<MarkdownBlock, ReadingUnit>();
  const context: Context = { units, byBlock, reader, report };
  const hasGrades = countsByGrade(report);
  let count = 0;
  for (const block of sharedDocument(report).blocks) {
    const unit = readUnit(block, reader);
    if (hasGrades)
      unit.numbers = unit.numbers.filter(({ start }) => !isGrade.test(unit.text.slice(start)));
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
  markStrangers(units);
  addRivals(claims);
  if (reader.place.document === undefined) joinSoleRecords(units);
  dropFirstLines(claims);
  // What an agent reports of its own work excuses no path of it.
  if (reader.place.document !== undefined) denyToldAbsent(claims, report);
  const isPlanned = plannedParts(report);
  for (const claim of claims) {
    claim.document = reader.place.document;
    if (claim.modality === "said" && isPlanned?.(claim.start)) claim.modality = "planned";
  }
  const truncated = count > limits.verify.references;
  const kept = truncated ? claims.slice(0, limits.verify.references) : claims;
  return { claims: kept, units, truncated };
}

/** Of a document whose files are here, a section of files that are not is about another project. */
function markStrangers(units: readonly ReadingUnit[]): void {
  if (!units.some(({ claims }) => claims.some(({ mention }) => mention.kind === "unknown"))) return;
  const sections = new Map<MarkdownBlock | null, Claim[]>();
  for (const { block, claims } of units) {
    const section = block.kind === "heading" ? block : sectionOf(block);
    const own = sections.get(section) ?? [];
    sections.set(section, own);
    for (const claim of claims) own.push(claim);
  }
  const counts = [...sections.values()].map((claims) => ({ claims, ...countPaths(claims) }));
  const sum = (of: "here" | "strange"): number =>
    counts.reduce((total, count) => total + count[of], 0);
  const [here, strange] = [sum("here"), sum("strange")];
  for (const own of counts)
    if (own.strange > 2 && own.strange >= 2 * own.here && here - own.here > strange - own.strange)
      for (const claim of own.claims) claim.isAmongStrangers = true;
}

function countPaths(claims: readonly Claim[]): { here: number; strange: number } {
  const of = (kind: string): number =>
    new Set(
      claims.filter(({ mention }) => mention.kind === kind).map(({ mention }) => mention.path),
    ).size;
  return { here: of("file"), strange: of("unknown") };
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
