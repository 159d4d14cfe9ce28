// What is known of a flag of a document once all its references are judged, as numbers: how surely it was
// read, how many other places of the file and the document fail, and what stands at the place.
import type { SourceFile } from "../../source/source-file.ts";
import { fitsPlace } from "../judging/fits-place.ts";
import {
  comparedPath,
  countOutcomes,
  type JudgedClaim,
  type JudgedDocument,
} from "./judged-document.ts";

/** A name or quotation stands elsewhere in the file; it has no such lines; a path was moved. */
export type FlagKind = "name" | "quote" | "range" | "path";

export type Features = Record<string, number>;

/**
 * Undefined for what is never told of a document, because it is said of something else too often: a path that is
 * nowhere, a quotation that differs, a name or quotation that the file does not have, the end of a range that was
 * counted roughly.
 */
export function flagKind({ claim, judged }: JudgedClaim): FlagKind | undefined {
  const { verdict, trial, suggestion, path } = judged;
  if (claim.mention.kind !== "file") return verdict === "relocated" ? "path" : undefined;
  if (verdict === "out_of_range") return judged.against?.includes("rough") ? undefined : "range";
  const isMoved = verdict === "relocated" || verdict === "wrong_symbol";
  if (!isMoved || suggestion?.path !== path) return undefined;
  return trial?.isQuote ? "quote" : "name";
}

/** All numbers of one flag; what does not apply to its kind is zero or left out. */
export function flagFeatures(one: JudgedClaim, document: JudgedDocument): Features {
  const { claim, judged } = one;
  const { report, repo, isPlan } = document;
  const { against = [], trial } = judged;
  const state = judged.path === undefined ? undefined : repo.open(judged.path);
  const { binding, evidence } = claim;
  return {
    plan: Number(isPlan),
    binding: binding / 6,
    rivals: Math.log1p(evidence.filter(({ isPlain }) => !isPlain).length),
    strength: judged.strength ?? 0,
    weight: (trial?.evidence.weight ?? 0) / 5,
    weak: Number(against.includes("weak")),
    ...mateFeatures(one, document),
    ...(state?.ok ? moveFeatures(one, { report, file: state.file }) : {}),
  };
}

/** So many other wrong places of the file, and of the document, say all that more would. */
const mostOfFile = 4;
const mostOfDocument = 8;

/** What is wrong in company is outdated; what is wrong alone was often misread. */
function mateFeatures(one: JudgedClaim, document: JudgedDocument): Features {
  const file = document.byPath.get(comparedPath(one)) ?? [];
  const ofFile = countOutcomes(othersThan(one, file)).failed;
  const itself = countOutcomes(file).failed - ofFile;
  const ofDocument = document.lined.failed - itself;
  return {
    alone: Number(ofFile === 0),
    file_failed: Math.log1p(Math.min(mostOfFile, ofFile)),
    document_failed: Math.log1p(Math.min(mostOfDocument, ofDocument)),
  };
}

const othersThan = (one: JudgedClaim, all: readonly JudgedClaim[]): JudgedClaim[] =>
  all.filter(({ claim }) => claim.start !== one.claim.start);

/** Another place of the same file moved by about as many lines. */
export function movedWithOthers(one: JudgedClaim, { byPath }: JudgedDocument): boolean {
  const shift = shiftOf(one);
  if (shift === undefined) return false;
  const slack = Math.max(3, Math.abs(shift) / 4);
  return othersThan(one, byPath.get(comparedPath(one)) ?? []).some((other) => {
    const its = shiftOf(other);
    return its !== undefined && Math.abs(its - shift) <= slack;
  });
}

/** How far a name or quotation stands from the lines that were named for it. */
function shiftOf({ claim, judged }: JudgedClaim): number | undefined {
  const { suggestion, path, verdict } = judged;
  if (!claim.range || !suggestion || suggestion.path !== path || verdict === "out_of_range")
    return undefined;
  const { first, last } = claim.range;
  return suggestion.line > last ? suggestion.line - last : suggestion.line - first;
}

type Compared = { report: string; file: SourceFile };

/** Whether it stands below the place, and whether the words around it fit better there. */
function moveFeatures({ claim, judged }: JudgedClaim, { report, file }: Compared): Features {
  const { range } = claim;
  const { suggestion, verdict } = judged;
  if (!range || verdict === "out_of_range" || suggestion?.path !== judged.path) return {};
  const name = judged.trial?.evidence.name ?? "";
  const size = Math.min(longest, range.last - range.first);
  const fitting = (line: number): number =>
    fitsPlace(claim, { name, report, file }, [line, line + size]);
  return {
    below: Number(suggestion!.line > range.first),
    fits_there: fitting(suggestion!.line) - fitting(range.first),
  };
}

/** Of a longer range the first lines tell what it is. */
const longest = 60;
