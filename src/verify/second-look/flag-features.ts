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
  /** Its name or its title says that it plans work. */
  plan: number;
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
  return /blob\/[\da-f]{10,}/.test(document.report.slice(claim.start, claim.end))
    ? "its address names a commit of its own"
    : undefined;
}

/** The definition of an agent, a skill or a command shows places as a pattern of what to write. */
function documentMarks(
  report: string,
  document: string,
): Pick<JudgedDocument, "isPattern" | "plan"> {
  const front = /^---\r?\n([\s\S]{0,3000}?)\n---/.exec(report)?.[1] ?? "";
  const isDefinition = /^name:/m.test(front) && /^description:/m.test(front);
  const name = document.slice(document.lastIndexOf("/") + 1);
  const title = /^#\s+(.{0,200})/m.exec(report)?.[1] ?? "";
  return {
    isPattern: isDefinition || patterns.test(document),
    plan: Number(plans.test(`${name} ${title}`)),
  };
}

const patterns = /(?:^|\/)(?:agents|skills|commands|prompts|templates|examples)\//i;
const plans = /plan|todo|roadmap|refactor|implementation|tasks?\b|migration/i;

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
  const { report, plan, repo } = document;
  const around = report.slice(claim.block.start, claim.block.end);
  const state = judged.path === undefined ? undefined : repo.open(judged.path);
  return {
    plan,
    binding: claim.binding / 6,
    behind: Number(isNamedBehind(one)),
    crowd: Math.log1p(claim.beside.length),
    row: Number(claim.block.kind === "row"),
    located: Number(claim.isLocated),
    test_file: Number(testPath.test(claim.mention.path)),
    done: Number(done.test(around)),
    ...pathFeatures(one, repo),
    ...mateFeatures(one, document),
    ...(state?.ok ? placeFeatures(one, { report, file: state.file }) : {}),
  };
}

/** "`x.ts:5` calls `name`": a name behind the place is oftener told of something else than one before it. */
function isNamedBehind({ claim, judged: { trial } }: JudgedClaim): boolean {
  if (!trial || trial.isQuote || trial.evidence.isBlock) return false;
  const { start, end } = trial.evidence;
  return end > start && start >= claim.end - claim.block.start;
}

const done = /\[x\]|✅|\b(?:completed?|done|fixed|resolved|implemented|shipped|removed)\b/i;
const testPath = /(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)/i;

/** Whether the path as it is written can hardly be another project's. */
function pathFeatures({ claim, judged }: JudgedClaim, repo: Repository): Features {
  const { path, paths, kind } = claim.mention;
  const parts = path.split("/");
  if (kind !== "file")
    return {
      deep: Number(parts.length > 2 && repo.kindOf(parts[0]!) === "directory"),
      parent: Number(parts.length > 1 && repo.kindOf(parts.slice(0, -1).join("/")) === "directory"),
      namesake: Number(judged.suggestion?.path.endsWith(`/${parts.at(-1)}`) ?? false),
    };
  const resolved = paths[0] ?? "";
  return { longer: Number(path.length > resolved.length && path.endsWith(resolved)) };
}

/** How the other references of the document and of the file stand. */
function mateFeatures(one: JudgedClaim, { byPath, lined }: JudgedDocument): Features {
  const { range, start, mention } = one.claim;
  const mates = byPath.get(pathOf(one)) ?? [];
  const others = mates.filter(({ claim }) => claim.range && claim.start !== start);
  const own = tallyOf(others);
  const rest = { held: lined.held - own.held, failed: lined.failed - own.failed };
  const isSame = ({ claim }: JudgedClaim): boolean =>
    claim.range?.first === range?.first && claim.range?.last === range?.last;
  return {
    held: shareOf(lined.held, lined.failed),
    file_failed: Math.log1p(own.failed),
    same_held: Number(others.some((mate) => mate.judged.verdict === "verified" && isSame(mate))),
    // A name without a folder of which nothing holds, in a document that holds otherwise.
    stranger: Number(
      !mention.path.includes("/") &&
        own.failed > own.held &&
        shareOf(rest.held, rest.failed) > 2 / 3,
    ),
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
