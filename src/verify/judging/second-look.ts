// A second look at the flags of a document, once all its references are judged: what made flags wrong in
// documents that were read by hand speaks against a flag, in points, and too many points take it back.
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../../source/repository.ts";
import type { Claim } from "../reading/claim.ts";
import { doubtPoints, mostDoubt } from "../reading/weights.ts";
import { isFlagged } from "../verdict.ts";
import { fitsPlace } from "./fits-place.ts";

type Judged = { claim: Claim; judged: Judgement };

type Doubt = keyof typeof doubtPoints;
type Looked = Judged & { kind: keyof typeof mostDoubt; mates: readonly Judged[]; setting: Setting };
type Setting = {
  report: string;
  repo: Repository;
  isPattern: boolean;
  /** Names of which nothing holds, in a document that holds otherwise. */
  strangers: ReadonlySet<string>;
};

/** The judgements in the same order; a flag that is too doubtful becomes an abstention that says why. */
export function secondLook(
  all: readonly Judged[],
  { report, repo }: { report: string; repo: Repository },
): Judgement[] {
  const byPath = new Map<string, Judged[]>();
  for (const one of all) {
    const { path } = one.judged;
    const mates = path === undefined || !one.claim.range ? undefined : byPath.get(path);
    if (mates && mates.length < mostMates) mates.push(one);
    else if (path !== undefined && !mates) byPath.set(path, [one]);
  }
  const document = all[0]?.claim.document;
  const setting = {
    report,
    repo,
    isPattern: isPattern(report, document),
    strangers: strangersOf(all),
  };
  return all.map((one) => {
    const { verdict, path } = one.judged;
    if (!isFlagged(verdict) || verdict === "stale" || verdict === "outside_root") return one.judged;
    const mates = byPath.get(path ?? "") ?? [];
    return doubted({ ...one, kind: kindOf(one), mates, setting });
  });
}

/** A name without a folder whose lines all fail, while most of the document holds, is another project's file. */
function strangersOf(all: readonly Judged[]): Set<string> {
  const held = new Set<string>();
  const failed = new Map<string, number>();
  let [good, bad] = [0, 0];
  for (const { claim, judged } of all) {
    const { path } = claim.mention;
    if (judged.verdict === "verified") held.add(path);
    if (judged.verdict === "verified") good++;
    else if (isFlagged(judged.verdict)) {
      bad++;
      failed.set(path, (failed.get(path) ?? 0) + 1);
    }
  }
  const isStrange = ([path, count]: [string, number]): boolean =>
    count > 1 && !path.includes("/") && !held.has(path) && good > 2 * (bad - count);
  return new Set([...failed].filter(isStrange).map(([path]) => path));
}

/** So many places of one file are compared with each other. */
const mostMates = 200;

function kindOf({ claim, judged }: Judged): Looked["kind"] {
  const { verdict, trial, suggestion, path } = judged;
  if (claim.mention.kind !== "file") return "path";
  if (verdict === "out_of_range") return "range";
  if (verdict === "altered") return "altered";
  if (trial?.isQuote && verdict === "relocated") return "quote";
  return verdict === "missing" || suggestion?.path !== path ? "strange" : "name";
}

/** The definition of an agent, a skill or a command shows places as a pattern of what to write. */
const isPattern = (report: string, document: string | undefined): boolean => {
  const front = /^---\r?\n([\s\S]{0,3000}?)\n---/.exec(report)?.[1] ?? "";
  const isDefinition = /^name:/m.test(front) && /^description:/m.test(front);
  return isDefinition || patterns.test(document ?? "");
};
const patterns = /(?:^|\/)(?:agents|skills|commands|prompts|templates|examples)\//i;

function doubted(one: Looked): Judgement {
  const { judged, claim, kind } = one;
  const found = (Object.keys(doubtPoints) as Doubt[]).filter((doubt) => holds[doubt](one));
  const points = found.reduce((sum, doubt) => sum + doubtPoints[doubt], 0);
  if (points < mostDoubt[kind]) return judged;
  const { trial: _, suggestion: _other, unique: _unique, ...rest } = judged;
  const why = words[found.toSorted((a, b) => doubtPoints[b] - doubtPoints[a])[0]!];
  const isHere = claim.mention.kind === "file";
  return {
    ...rest,
    verdict: isHere ? "exists_only" : "unverifiable",
    reason: `${judged.reason}; but ${why}, so it could not be told whether that is meant`,
  };
}

/** It accuses by a name or a quotation. */
const isAbout = ({ kind }: Looked): boolean => kind !== "path" && kind !== "range";

/** What each doubt is. */
const holds: Record<Doubt, (one: Looked) => boolean> = {
  pattern: ({ setting }) => setting.isPattern,
  fits: (one) => {
    const { claim, judged, setting } = one;
    const state = isAbout(one) && judged.path ? setting.repo.open(judged.path) : undefined;
    const name = judged.trial?.evidence.name ?? "";
    return state?.ok === true && fitsPlace(claim, name, { ...setting, file: state.file });
  },
  short: ({ kind, judged }) =>
    kind === "quote" && (judged.trial?.evidence.lines.join(" ").length ?? 0) < shortest,
  dated: ({ claim, setting }) =>
    /blob\/[\da-f]{10,}/.test(setting.report.slice(claim.start, claim.end)),
  bareName: ({ kind, claim }) =>
    (kind === "range" || kind === "path") && !claim.mention.path.includes("/"),
  stranger: ({ kind, claim, setting }) =>
    kind === "range" && setting.strangers.has(claim.mention.path),
  amongHeld: (one) => isAbout(one) && one.mates.filter((mate) => isNearHeld(one, mate)).length > 1,
  strange: ({ kind }) => kind === "strange",
  unknown: ({ kind, judged }) =>
    kind === "strange" && judged.verdict === "missing" && judged.trial?.isQuote !== true,
  rivals: (one) => {
    const own = one.judged.trial?.evidence;
    return isAbout(one) && one.claim.evidence.some((item) => item !== own && !item.isPlain);
  },
  crowd: ({ claim }) => claim.beside.length > 2,
  row: (one) => one.claim.block.kind === "row" && (isAbout(one) || one.kind === "path"),
  altered: ({ kind }) => kind === "altered",
  planned: ({ claim }) => claim.modality === "planned",
  bare: ({ claim }) => claim.range === null,
  drift: (one) => one.mates.some((mate) => driftsAlike(one, mate)),
};

const shortest = 15;

/** Another place of the same lines of the file holds: the document knows them. */
const isNearHeld = ({ claim: { range } }: Looked, { claim, judged }: Judged): boolean =>
  judged.verdict === "verified" &&
  range !== null &&
  claim.range !== null &&
  claim.range.first !== range.first &&
  Math.abs(claim.range.first - range.first) <= nearby;

const nearby = 60;

/** Something else of the file moved the same way: the file has changed since. */
function driftsAlike(one: Looked, mate: Judged): boolean {
  const [own, other] = [driftOf(one), driftOf(mate)];
  if (own === 0 || other === 0 || one.claim.range!.first === mate.claim.range!.first) return false;
  return (
    Math.sign(own) === Math.sign(other) && Math.abs(own - other) <= Math.max(5, 0.3 * Math.abs(own))
  );
}

function driftOf({ claim, judged }: Judged): number {
  const { suggestion, path, verdict } = judged;
  const isMoved = isFlagged(verdict) && suggestion !== undefined && suggestion.path === path;
  return isMoved && claim.range ? suggestion.line - claim.range.first : 0;
}

const words: Record<Doubt, string> = {
  pattern: "the document shows places as a pattern of what to write",
  fits: "what stands there fits the words around it",
  short: "a quotation so short stands in many places",
  dated: "its address names a commit of its own",
  bareName: "the name alone does not say which file it is",
  stranger: "nothing that the document says of that name holds",
  amongHeld: "other places right beside it hold",
  strange: "the file does not have the name at all",
  unknown: "nothing here has that name, which may be another project's",
  rivals: "something else named beside it may be meant",
  crowd: "several places stand in the same text",
  row: "a row gives more than one thing",
  altered: "the quotation may be shortened",
  planned: "its part speaks of a plan",
  bare: "no line is given",
  drift: "other places of the file moved alike",
};
