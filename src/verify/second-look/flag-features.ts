// What is known of a flag of a document once all its references are judged, as numbers: how surely it was
// read, how the rest of the document and of the file stands, and what is at the place.
import { isComment } from "../../source/definitions.ts";
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import { fitsPlace } from "../judging/fits-place.ts";
import type { Judgement } from "../judgement.ts";
import type { Claim } from "../reading/claim.ts";
import { lastPart } from "../reading/code-names.ts";
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
  /** Marks of the document itself. */
  marks: Features;
  kinds: ReadonlyMap<FlagKind, number>;
  whole: Tally;
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
  const kinds = new Map<FlagKind, number>();
  for (const one of all) {
    const mates = byPath.get(pathOf(one));
    if (!mates) byPath.set(pathOf(one), [one]);
    else if (one.claim.range && mates.length < mostMates) mates.push(one);
    if (isFlagged(one.judged.verdict))
      kinds.set(flagKind(one), (kinds.get(flagKind(one)) ?? 0) + 1);
  }
  return {
    report,
    repo,
    marks: marksOf(report, all[0]?.claim.document ?? ""),
    kinds,
    whole: tallyOf(all),
    lined: tallyOf(all.filter(({ claim }) => claim.range)),
    byPath,
  };
}

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

/** The definition of an agent, a skill or a command shows places as a pattern of what to write. */
function marksOf(report: string, document: string): Features {
  const front = /^---\r?\n([\s\S]{0,3000}?)\n---/.exec(report)?.[1] ?? "";
  const isDefinition = /^name:/m.test(front) && /^description:/m.test(front);
  return {
    pattern: Number(isDefinition || patterns.test(document)),
    pinned: Number(commit.test(report.slice(0, 3_000))),
    day: Number(/20\d\d[-.]?\d\d[-.]?\d\d/.test(document)),
  };
}

const patterns = /(?:^|\/)(?:agents|skills|commands|prompts|templates|examples)\//i;
const commit = /\b(?:commit|sha|revision|base|HEAD|at)\b\W{0,6}`?[\da-f]{7,40}\b/i;

/** All numbers of one flag; what does not apply to its kind is zero or left out. */
export function flagFeatures(one: JudgedClaim, document: JudgedDocument): Features {
  const { claim, judged } = one;
  const { report, marks, repo } = document;
  const around = report.slice(claim.block.start, claim.block.end);
  const item = judged.trial?.evidence;
  const state = judged.path === undefined ? undefined : repo.open(judged.path);
  return {
    ...marks,
    dated: Number(/blob\/[\da-f]{10,}/.test(report.slice(claim.start, claim.end))),
    number: (claim.range?.weight ?? 0) / 5,
    binding: claim.binding / 6,
    evidence: (item?.weight ?? 0) / 5,
    likeness: judged.trial?.likeness ?? 0,
    crowd: Math.log1p(claim.beside.length),
    row: Number(claim.block.kind === "row"),
    commented: Number(item?.lines.some((line) => isComment(line)) ?? false),
    test_file: Number(testPath.test(claim.mention.path)),
    work: Number(work.test(around)),
    done: Number(done.test(around)),
    ...pathFeatures(one, repo),
    ...mateFeatures(one, document),
    ...(state?.ok ? placeFeatures(one, { report, file: state.file }) : {}),
  };
}

/** Where work on the place is told, it may be told of as it was before. */
const work =
  /\b(?:delete|remove|extract|move|replace|rename|split|insert|add|refactor|rewrite|change|update)[sd]?\b/i;
const done = /\[x\]|✅|\b(?:completed?|done|fixed|resolved|implemented|shipped|removed)\b/i;
const testPath = /(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)/i;

/** Whether the path as it is written can hardly be another project's. */
function pathFeatures({ claim: { mention, binding } }: JudgedClaim, repo: Repository): Features {
  const { path, paths, kind } = mention;
  const parts = path.split("/");
  if (kind !== "file")
    return {
      unknown: 1,
      deep: Number(parts.length > 2 && repo.kindOf(parts[0]!) === "directory"),
    };
  const resolved = paths[0] ?? "";
  return {
    folder: Number(parts.length > 1),
    longer: Number(path.length > resolved.length && path.endsWith(resolved)),
    bound: binding / 6,
  };
}

/** How the other references of the document and of the file stand. */
function mateFeatures(one: JudgedClaim, { byPath, lined, whole, kinds }: JudgedDocument): Features {
  const { range, start, mention } = one.claim;
  const mates = byPath.get(pathOf(one)) ?? [];
  const others = mates.filter(({ claim }) => claim.range && claim.start !== start);
  const own = tallyOf(others);
  const sameKind = kinds.get(flagKind(one)) ?? 1;
  const rest = { held: lined.held - own.held, failed: lined.failed - own.failed };
  const isSame = ({ claim }: JudgedClaim): boolean =>
    claim.range?.first === range?.first && claim.range?.last === range?.last;
  return {
    held: shareOf(lined.held, lined.failed),
    file_held: shareOf(own.held, own.failed),
    file_open: Math.log1p(own.open),
    same_held: Number(others.some((mate) => mate.judged.verdict === "verified" && isSame(mate))),
    same_kind: shareOf(sameKind - 1, whole.failed - sameKind),
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
  const { range, block } = claim;
  const { suggestion } = judged;
  const name = judged.trial?.evidence.name ?? "";
  const word = lastPart(name);
  const words = {
    test_name: Number(/test/i.test(word)),
    called: Number(word !== "" && report.slice(block.start, block.end).includes(`${word}(`)),
  };
  if (!range) return words;
  const size = Math.min(longest, range.last - range.first);
  const fitting = (line: number): number =>
    fitsPlace(claim, { name, report, file }, [line, line + size]);
  const fits = fitting(range.first);
  const line = file.line(range.first);
  const isMoved = suggestion !== undefined && suggestion.path === judged.path;
  return {
    ...words,
    fits,
    fits_not: Number(fits === 0),
    blank: Number(line.trim() === ""),
    closes: Number(/^(?:[\])};,]+|end)$/.test(line.trim())),
    defines: Number(definition.test(line)),
    ...(isMoved ? moveFeatures(range.first, suggestion.line, file) : {}),
    ...(isMoved ? { fits_there: fitting(suggestion.line) - fits } : {}),
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

const definition =
  /\b(?:function|def|fn|func|class|struct|interface|type|enum|impl|trait|const)\s+\w/;
