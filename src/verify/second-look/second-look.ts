// A second look at what a document is accused or suspected of, once all its references are judged: each gets a
// likelihood from what is known of it; one that is less likely than flags of its kind must be is an abstention.
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";
import { commitFor, isSettled } from "./commits-of.ts";
import { flagFeatures, flagKind } from "./flag-features.ts";
import { flagWeights, leastScore, type FlagHead } from "./flag-weights.ts";
import {
  judgedDocument,
  comparedPath,
  countOutcomes,
  type JudgedClaim,
  type JudgedDocument,
} from "./judged-document.ts";

/** The judgements in the same order; a flag that is too doubtful becomes an abstention that says why. */
export function secondLook(
  all: readonly JudgedClaim[],
  setting: { report: string; repo: Repository },
): Judgement[] {
  const isAccused = all.some(({ judged }) => accusationOf(judged));
  const document = isAccused ? judgedDocument(all, setting) : undefined;
  return all.map((one) => (document ? settled(one, document) : one.judged));
}

/** What is held against a reference, surely or by a doubtful reading. */
export function accusationOf(judged: Judgement): Judgement | undefined {
  const { verdict, suspected } = judged;
  if (verdict === "stale" || verdict === "outside_root") return undefined;
  return isFlagged(verdict) ? judged : suspected;
}

function settled({ claim, judged }: JudgedClaim, document: JudgedDocument): Judgement {
  const accused = accusationOf(judged);
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
  if (isSettled(claim.block)) return "what was found there was dealt with since";
  return /blob\/[\da-f]{10,}/.test(document.report.slice(claim.start, claim.end))
    ? "its address names a commit of its own"
    : undefined;
}

/**
 * What is weighed by the same numbers: lines, paths, and what is said of a place, surely or doubtfully. Where one place
 * of a file is surely wrong, its lines have moved, and a doubtful one is likely wrong as well; alone it is not weighed.
 */
export function headOf(one: JudgedClaim, document: JudgedDocument): FlagHead | undefined {
  const kind = flagKind(one);
  if (kind === "range") return "lines";
  if (kind === "path" || kind === "path_moved") return kind;
  if ((one.judged.against ?? []).length === 0) return "content";
  const { isPlan, byPath } = document;
  const mates = (byPath.get(comparedPath(one)) ?? []).filter(({ claim }) => claim !== one.claim);
  return !isPlan && countOutcomes(mates).failed > 0 ? "doubtful" : undefined;
}

/** What speaks most against the flag, where too little speaks for it. */
function doubtOf(one: JudgedClaim, document: JudgedDocument): string | undefined {
  const head = headOf(one, document);
  const least = head && leastScore[head][flagKind(one)];
  if (head === undefined || least === undefined) return document.isPlan ? doubts.plan : mostlyWrong;
  const features = flagFeatures(one, document);
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
const otherwise = "too little speaks for it";

/** What a number that speaks against a flag means. */
const doubts = {
  plan: "the document plans work, and it may be meant as it was before",
  failing_plan: "the document plans work, and it may be meant as it was before",
  rough: "the end of the range may be counted roughly",
  altered: mostlyWrong,
  binding: "it is not sure that the number belongs to the file",
  longer: "the path is longer than that of the file here",
  far: "the file may be another, or may have been divided since",
  several: "it is not sure which lines of which file are meant",
  failing: "nearly all else that the document says holds",
  file_failed: "nothing else that is said of the file fails",
  located: "the words do not say that it is there",
  fits_not: "what stands there fits the words around it",
  fits_there: "the words around it fit no better where it was found",
  below: "it was found above the place",
  inside: "it was found inside what stands there",
  rivals: "several names may be meant",
  comes_here: "the words tell of a file that is made or gone",
  comes_anywhere: "the document tells of a file that is made or gone",
};
