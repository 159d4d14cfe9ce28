// What is known of a flag of a document once all its references are judged, as numbers: how surely it was
// read, how the rest of the document and of the file stands, and what is at the place.
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import { fitsPlace } from "../judging/fits-place.ts";
import type { Judgement } from "../judgement.ts";
import type { Claim } from "../reading/claim.ts";
import { isFlagged } from "../verdict.ts";

export type JudgedClaim = { claim: Claim; judged: Judgement };

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

/** A document with all that was found in it, put in order once for all its flags. */
export type JudgedDocument = {
  report: string;
  repo: Repository;
  /** It shows places as a pattern of what to write. */
  isPattern: boolean;
  /** Its folder, its name or its title says that it plans work. */
  isPlan: boolean;
  lined: Tally;
  byPath: ReadonlyMap<string, readonly JudgedClaim[]>;
};

type Tally = { held: number; failed: number; open: number };

/** So many places of one file are compared with each other. */
const mostMates = 200;

export function judgedDocument(
  all: readonly JudgedClaim[],
  { report, repo }: { report: string; repo: Repository },
): JudgedDocument {
  const byPath = new Map<string, JudgedClaim[]>();
  for (const one of all) {
    const mates = byPath.get(pathOf(one));
    if (!mates) byPath.set(pathOf(one), [one]);
    else if (one.claim.range && mates.length < mostMates) mates.push(one);
  }
  return {
    report,
    repo,
    ...documentMarks(report, all[0]?.claim.document ?? ""),
    lined: tallyOf(all.filter(({ claim }) => claim.range)),
    byPath,
  };
}

/** Whether the document says for itself that no place of it, or not this one, is one of the tree. */
export function disclaimed({ claim }: JudgedClaim, document: JudgedDocument): string | undefined {
  if (document.isPattern) return "the document shows places as a pattern of what to write";
  // What a plan says of the code is over once it is carried out.
  if (document.isPlan) return "the document plans work, and it may be meant as it was before";
  return /blob\/[\da-f]{10,}/.test(document.report.slice(claim.start, claim.end))
    ? "its address names a commit of its own"
    : undefined;
}

/** The definition of an agent, a skill or a command shows places as a pattern of what to write. */
function documentMarks(
  report: string,
  document: string,
): Pick<JudgedDocument, "isPattern" | "isPlan"> {
  const front = /^---\r?\n([\s\S]{0,3000}?)\n---/.exec(report)?.[1] ?? "";
  const isDefinition = /^name:/m.test(front) && /^description:/m.test(front);
  const name = document.slice(document.lastIndexOf("/") + 1);
  const title = /^#\s+(.{0,200})/m.exec(report)?.[1] ?? "";
  return {
    isPattern: isDefinition || patterns.test(document),
    isPlan: plans.test(`${name} ${title}`) || planFolders.test(document),
  };
}

const patterns = /(?:^|\/)(?:agents|skills|commands|prompts|templates|examples)\//i;
const plans = /(?<![a-z])(?:plan|todo|roadmap|refactor|implementation|tasks?\b|migration)/i;
const planFolders =
  /(?:^|[/._-])(?:plan\w*|todos?|phases?|specs?|changes|tasks?|prds?|rfcs?|proposals?|research)\//i;

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

const pathOf = ({ claim, judged }: JudgedClaim): string => judged.path ?? claim.mention.path;

function tallyOf(list: readonly JudgedClaim[]): Tally {
  const tally = { held: 0, failed: 0, open: 0 };
  for (const { judged } of list)
    tally[judged.verdict === "verified" ? "held" : isFlagged(judged.verdict) ? "failed" : "open"]++;
  return tally;
}

/** Of few the share tells little: it begins at a half. */
const shareOf = (some: number, others: number): number => (some + 1) / (some + others + 2);

/** All numbers of one flag; what does not apply to its kind is zero or left out. */
export function flagFeatures(one: JudgedClaim, document: JudgedDocument): Features {
  const { claim, judged } = one;
  const { report, repo } = document;
  const state = judged.path === undefined ? undefined : repo.open(judged.path);
  return {
    binding: claim.binding / 6,
    located: Number(claim.isLocated),
    longer: Number(isLonger(claim)),
    ...mateFeatures(one, document),
    ...(state?.ok ? placeFeatures(one, { report, file: state.file }) : {}),
  };
}

/** The path as it is written is longer than that of the file here: it may be another project's. */
function isLonger({ mention: { path, paths } }: Claim): boolean {
  const resolved = paths[0] ?? "";
  return path.length > resolved.length && path.endsWith(resolved);
}

/** How the other references of the document and of the file stand. */
function mateFeatures(one: JudgedClaim, { byPath, lined }: JudgedDocument): Features {
  const mates = byPath.get(pathOf(one)) ?? [];
  const own = tallyOf(mates.filter(({ claim }) => claim.range && claim.start !== one.claim.start));
  return {
    failing: shareOf(lined.failed, lined.held),
    file_failed: Math.log1p(own.failed),
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
    slight: Number(first <= lineCount && last <= lineCount + 3),
    far: Number(last > 2 * lineCount),
    several: Number(mention.paths.length > 1 || last < first),
  };
}

/** How what was found in the file stands to the lines that were named. */
function moveFeatures(first: number, found: number, file: SourceFile): Features {
  const [upper, lower] = found > first ? [first, found] : [found, first];
  return {
    below: Number(found > first),
    inside: Number(upper !== lower && file.extentOf(upper) >= lower),
  };
}

/** Of a longer range the first lines tell what it is. */
const longest = 60;
