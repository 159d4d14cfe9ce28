// What is known of a flag of a document once all its references are judged, as numbers: how surely it was
// read, what speaks against the reading, how the rest of the document stands, and what is at the place.
import type { SourceFile } from "../../source/source-file.ts";
import { fitsPlace } from "../judging/fits-place.ts";
import { isUnique, type Trial } from "../judging/trial.ts";
import type { Claim } from "../reading/claim.ts";
import {
  comparedPath,
  countOutcomes,
  type JudgedClaim,
  type JudgedDocument,
} from "./judged-document.ts";

/**
 * What a flag says: a name that stands elsewhere in the file, in another file, nowhere; a quotation
 * likewise; a quotation that differs; lines that the file has not; a path that is not here, or is moved.
 */
export type FlagKind =
  | "name"
  | "name_away"
  | "name_nowhere"
  | "quote"
  | "quote_away"
  | "quote_nowhere"
  | "altered"
  | "range"
  | "path"
  | "path_moved";

export type Features = Record<string, number>;

export function flagKind({ claim, judged }: JudgedClaim): FlagKind {
  const { verdict, trial, suggestion, path } = judged;
  if (claim.mention.kind !== "file") return verdict === "relocated" ? "path_moved" : "path";
  if (verdict === "out_of_range") return "range";
  if (verdict === "altered") return trial && trial.likeness > 0 ? "altered" : "quote_nowhere";
  if (verdict === "missing") return trial?.isQuote ? "quote_nowhere" : "name_nowhere";
  const isAway = suggestion?.path !== path;
  if (trial?.isQuote) return isAway ? "quote_away" : "quote";
  return isAway ? "name_away" : "name";
}

/** Of few the share tells little: it begins at a half. */
const shareOf = (some: number, others: number): number => (some + 1) / (some + others + 2);

/** All numbers of one flag; what does not apply to its kind is zero or left out. */
export function flagFeatures(one: JudgedClaim, document: JudgedDocument): Features {
  const { claim, judged } = one;
  const { report, repo, isPlan, isReview } = document;
  const { against = [] } = judged;
  const state = judged.path === undefined ? undefined : repo.open(judged.path);
  return {
    [flagKind(one)]: 1,
    plan: Number(isPlan),
    review: Number(isReview),
    ...claimFeatures(claim),
    strength: judged.strength ?? 0,
    doubts: against.length,
    ...Object.fromEntries(against.map((why) => [why, 1])),
    ...mateFeatures(one, document),
    ...(claim.mention.kind === "file" ? {} : pathFeatures(one, document)),
    ...(state?.ok && judged.trial ? trialFeatures(judged.trial, state.file) : {}),
    ...(state?.ok ? placeFeatures(one, { report, file: state.file }) : {}),
  };
}

/** How the place is written. */
function claimFeatures(claim: Claim): Features {
  const { range, evidence, block } = claim;
  return {
    binding: claim.binding / 6,
    located: Number(claim.isLocated),
    longer: Number(isLonger(claim)),
    long_range: Math.log1p(range ? Math.max(0, range.last - range.first) : 0),
    under_plan: Number(["planned", "advised"].includes(claim.modality)),
    wished: Number(claim.isWished),
    rivals: Math.log1p(evidence.filter(({ isPlain }) => !isPlain).length),
    row: Number(block.kind === "row"),
  };
}

/** The path as it is written is longer than that of the file here: it may be another project's. */
function isLonger({ mention: { path, paths } }: Claim): boolean {
  const resolved = paths[0] ?? "";
  return resolved !== "" && path.length > resolved.length && path.endsWith(resolved);
}

/** How the other references of the document, the block and the file stand. */
function mateFeatures(one: JudgedClaim, document: JudgedDocument): Features {
  const { byPath, byBlock, lined, isPlan } = document;
  const failing = shareOf(lined.failed, lined.held);
  const isOther = ({ claim }: JudgedClaim): boolean => claim.start !== one.claim.start;
  const failedIn = (mates: readonly JudgedClaim[] = []): number =>
    Math.log1p(countOutcomes(mates.filter(isOther)).failed);
  return {
    failing,
    failing_plan: isPlan ? failing : 0,
    file_failed: failedIn(byPath.get(comparedPath(one))),
    beside_failed: failedIn(byBlock.get(one.claim.block)),
  };
}

/** What of a path that is not here the tree has, and what the document says of it. */
function pathFeatures({ claim, judged }: JudgedClaim, { report, repo }: JudgedDocument): Features {
  const { path } = claim.mention;
  const parts = path.replace(/^\//, "").split("/");
  const folder = parts.slice(0, -1).join("/");
  const comesAt = (at: number): boolean =>
    comesOrGoes.test(report.slice(Math.max(0, at - 160), at + 200));
  return {
    folder_here: Number(folder !== "" && repo.foldersEndingIn(folder).length > 0),
    root_here: Number(folder !== "" && repo.kindOf(parts[0]!) === "directory"),
    namesake: Number(repo.endingIn(parts.at(-1)!).length === 1),
    content_found: Number(judged.verdict === "relocated"),
    comes_here: Number(comesAt(claim.start)),
    comes_anywhere: Number(placesOf(report, path).some(comesAt)),
  };
}

const mostPlaces = 30;

function placesOf(report: string, path: string): number[] {
  const places: number[] = [];
  for (let at = report.indexOf(path); at >= 0; at = report.indexOf(path, at + path.length))
    if (places.push(at) >= mostPlaces) break;
  return places;
}

/** Words of a file that is made or gone. */
const comesOrGoes = new RegExp(
  String.raw`\b(?:new|add(?:ed|s|ing)?|creat\w+|generat\w+|propos\w+|delet\w+|remov\w+|renam\w+|mov(?:ed?|ing)|` +
    String.raw`extract\w*|split|missing|absent|example|will|should|would|not exist|old|legacy|former\w*)\b|[├└]`,
  "i",
);

/** What the name or quotation is that fails. */
function trialFeatures(trial: Trial, file: SourceFile): Features {
  const { evidence, isQuote, isDefined, likeness } = trial;
  return {
    weight: evidence.weight / 5,
    told: Number(evidence.isTold === true),
    block: Number(evidence.isBlock),
    letters: Math.log1p(isQuote ? evidence.lines.join("").length : evidence.name.length),
    defined: Number(isDefined && !isQuote),
    unique: Number(trial.line !== undefined && isUnique(trial, file)),
    likeness,
  };
}

type Compared = { report: string; file: SourceFile };

/** What stands at the lines, and whether the words around the place fit them or the place that was found. */
function placeFeatures({ claim, judged }: JudgedClaim, { report, file }: Compared): Features {
  const { range } = claim;
  const { suggestion, verdict } = judged;
  if (!range) return {};
  if (verdict === "out_of_range") return endFeatures(claim, file);
  const name = judged.trial?.evidence.name ?? "";
  const size = Math.min(longest, range.last - range.first);
  const fitting = (line: number): number =>
    fitsPlace(claim, { name, report, file }, [line, line + size]);
  const fits = fitting(range.first);
  const isMoved = suggestion !== undefined && suggestion.path === judged.path;
  return {
    fits_not: Number(fits === 0),
    blank: Number(file.line(range.first).trim() === ""),
    ...(isMoved ? moveFeatures(range.first, suggestion.line, file) : {}),
    ...(isMoved ? { fits_there: fitting(suggestion.line) - fits } : {}),
  };
}

/** Lines beyond the end: a few are a slip in counting, many times the file are another file or another state. */
function endFeatures({ range, mention }: Claim, { lineCount }: SourceFile): Features {
  const { first, last } = range!;
  return {
    far: Number(last > 2 * lineCount),
    several: Number(mention.paths.length > 1 || last < first),
  };
}

/** How what was found in the file stands to the lines that were named. */
function moveFeatures(first: number, found: number, file: SourceFile): Features {
  const [upper, lower] = found > first ? [first, found] : [found, first];
  return {
    apart: Math.log1p(lower - upper),
    below: Number(found > first),
    inside: Number(upper !== lower && file.extentOf(upper) >= lower),
  };
}

/** Of a longer range the first lines tell what it is. */
const longest = 60;
