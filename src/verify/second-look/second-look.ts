// A second look at what a document is accused or suspected of, once all its references are judged: each gets a
// likelihood from what is known of it; one that is less likely than flags of its kind must be is an abstention.
import type { Judgement } from "../judgement.ts";
import type { PastVersion } from "../../source/reader.ts";
import type { Repository } from "../../source/repository.ts";
import type { Claim } from "../reading/claim.ts";
import { isFlagged } from "../verdict.ts";
import { commitFor } from "./commits-of.ts";
import { flagFeatures, flagKind, movedWithOthers, type Features } from "./flag-features.ts";
import { flagWeights, leastScore, type FlagHead } from "./flag-weights.ts";
import { stale } from "./held-before.ts";
import { isSettled, showsChange } from "./is-settled.ts";
import { judgedDocument, type JudgedClaim, type JudgedDocument } from "./judged-document.ts";

/** The judgements in the same order; a flag that is too doubtful becomes an abstention that says why. */
export function secondLook(
  all: readonly JudgedClaim[],
  { before, ...setting }: Setting,
): Judgement[] {
  const past = all.map(({ claim }) => before(claim));
  const isAccused = all.some(({ judged }, index) => past[index] ?? accusationOf(judged));
  if (!isAccused) return all.map(({ judged }) => judged);
  const document = judgedDocument(all, setting);
  return all.map((one, index) => settled(one, { document, past: past[index] }));
}

type Setting = {
  report: string;
  repo: Repository;
  /** The version of its file in which a place was right. */
  before: (claim: Claim) => PastVersion | undefined;
};

/** What is held against a reference, surely or by a doubtful reading. */
export function accusationOf(judged: Judgement): Judgement | undefined {
  const { verdict, suspected } = judged;
  if (verdict === "stale" || verdict === "outside_root") return undefined;
  return isFlagged(verdict) ? judged : suspected;
}

type Known = { document: JudgedDocument; past: PastVersion | undefined };

function settled({ claim, judged }: JudgedClaim, { document, past }: Known): Judgement {
  const accused = accusationOf(judged);
  const { report } = document;
  const isChange = past && showsChange({ report, block: claim.block, start: claim.start });
  if (past && !isChange && disclaimed({ claim, judged }, document) === undefined)
    return stale({ claim, judged: accused ?? judged }, past, document.repo);
  if (!accused) return judged;
  const one = { claim, judged: accused };
  // Words that say where a name is defined mean that very line.
  const isMeant = claim.defines && accused === judged;
  const why = disclaimed(one, document) ?? (isMeant ? undefined : doubtOf(one, document));
  if (why === undefined) return accused;
  if (accused !== judged) return judged;
  const { trial: _, suggestion: _other, unique: _unique, ...rest } = judged;
  const isHere = claim.mention.kind === "file";
  return {
    ...rest,
    verdict: isHere ? "exists_only" : "unverifiable",
    doubted: true,
    reason: `${rest.reason}; but ${why}, so it could not be told whether that is meant`,
  };
}

/** Whether the document says for itself that no place of it, or not this one, is one of the tree. */
export function disclaimed({ claim }: JudgedClaim, document: JudgedDocument): string | undefined {
  if (document.isPattern) return "the document shows places as a pattern of what to write";
  const commit = document.commits && commitFor(claim.block, document.commits);
  if (commit !== undefined) return `this part of the document speaks of commit ${commit}`;
  if (document.isPast) return "the document says that what it speaks of is over";
  if (
    isSettled({ report: document.report, block: claim.block, start: claim.start }, document.settled)
  )
    return "what was found there was dealt with since";
  return /blob\/[\da-f]{10,}/.test(document.report.slice(claim.start, claim.end))
    ? "its address names a commit of its own"
    : undefined;
}

/** Which numbers weigh a flag; a moved path and a doubtful reading are decided by a rule. */
export function headOf(one: JudgedClaim): FlagHead | undefined {
  const kind = flagKind(one);
  if (kind === "range") return "lines";
  const isSure = (one.judged.against ?? []).length === 0;
  return isSure && (kind === "name" || kind === "quote") ? "content" : undefined;
}

/** Why too little speaks for the flag; undefined where it is told. */
export function doubtOf(one: JudgedClaim, document: JudgedDocument): string | undefined {
  const kind = flagKind(one);
  if (kind === undefined) return document.isPlan ? doubts.plan : mostlyWrong;
  const head = headOf(one);
  if (head) return doubtByWeight(flagFeatures(one, document), { head, least: leastScore[kind] });
  if (kind === "path") return doubtOfPath(one, document);
  return document.isPlan || !movedWithOthers(one, document) ? doubtfulReading : undefined;
}

/** A path whose first folder is not here is shortened, or another project's. */
function doubtOfPath({ claim }: JudgedClaim, { repo }: JudgedDocument): string | undefined {
  const parts = claim.mention.path.replace(/^\//, "").split("/");
  return parts.length > 1 && repo.kindOf(parts[0]!) === "directory"
    ? undefined
    : "the path may be shortened, or that of another project";
}

type Weighing = { head: FlagHead; least: number | undefined };

/** What speaks most against the flag, where its score is too low. */
function doubtByWeight(features: Features, { head, least }: Weighing): string | undefined {
  if (least === undefined) return mostlyWrong;
  const { bias, weights } = flagWeights[head];
  let [score, doubt, most] = [bias, otherwise, 0];
  for (const [name, [weight, usual]] of Object.entries(weights)) {
    const part = weight * ((features[name] ?? 0) - usual);
    score += part;
    if (part < most && name in doubts) [doubt, most] = [doubts[name as keyof typeof doubts], part];
  }
  return score >= least ? undefined : doubt;
}

const mostlyWrong = "in documents such a thing is often said of something else";
const doubtfulReading = "no other place of the file moved by as many lines";
const otherwise = "too little speaks for it";

/** What a number that speaks against a flag means. */
const doubts = {
  plan: "the document plans work, and it may be meant as it was before",
  weak: "it is not sure that the number belongs to the file",
  binding: "it is not sure that the number belongs to the file",
  alone: "nothing else that is said of the file fails",
  file_failed: "little else that is said of the file fails",
  document_failed: "little else that the document says fails",
  fits_there: "the words around it fit no better where it was found",
  below: "it was found above the place",
  rivals: "several names may be meant",
};
