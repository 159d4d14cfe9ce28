// A second look at the flags of a document, once all its references are judged: each gets a likelihood from
// what is known of it, and one that is less likely than flags of its kind must be becomes an abstention.
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";
import {
  disclaimed,
  flagFeatures,
  judgedDocument,
  flagKind,
  type JudgedDocument,
  type JudgedClaim,
} from "./flag-features.ts";
import { flagWeights, leastScore } from "./flag-weights.ts";

/** The judgements in the same order; a flag that is too doubtful becomes an abstention that says why. */
export function secondLook(
  all: readonly JudgedClaim[],
  setting: { report: string; repo: Repository },
): Judgement[] {
  const isLookedAt = ({ judged: { verdict } }: JudgedClaim): boolean =>
    isFlagged(verdict) && verdict !== "stale" && verdict !== "outside_root";
  const document = all.some(isLookedAt) ? judgedDocument(all, setting) : undefined;
  return all.map((one) => (document && isLookedAt(one) ? settled(one, document) : one.judged));
}

function settled(one: JudgedClaim, document: JudgedDocument): Judgement {
  // Words that say where a name is defined mean that very line.
  const why = disclaimed(one, document) ?? (one.claim.defines ? undefined : doubtOf(one, document));
  if (why === undefined) return one.judged;
  const { trial: _, suggestion: _other, unique: _unique, ...rest } = one.judged;
  const isHere = one.claim.mention.kind === "file";
  return {
    ...rest,
    verdict: isHere ? "exists_only" : "unverifiable",
    doubted: true,
    reason: `${rest.reason}; but ${why}, so it could not be told whether that is meant`,
  };
}

/** What speaks most against the flag, where too little speaks for it. */
function doubtOf(one: JudgedClaim, document: JudgedDocument): string | undefined {
  const kind = flagKind(one);
  const least = leastScore[kind];
  if (least === undefined) return mostlyWrong;
  const features = flagFeatures(one, document);
  const { bias, weights } = flagWeights[kind === "range" ? kind : "content"];
  let [score, doubt, most] = [bias, "", 0];
  for (const [name, [weight, usual]] of Object.entries(weights)) {
    const part = weight * ((features[name] ?? 0) - usual);
    score += part;
    if (part < most) [doubt, most] = [name, part];
  }
  return score >= least ? undefined : (doubts[doubt] ?? otherwise);
}

const mostlyWrong = "in documents such a thing is often said of something else";
const otherwise = "too little speaks for it";

/** What a number that speaks against a flag means. */
const doubts: Record<string, string> = {
  binding: "it is not sure that the number belongs to the file",
  longer: "the path is longer than that of the file here",
  slight: "the end of the range may be counted roughly",
  far: "the file may be another, or may have been divided since",
  several: "it is not sure which lines of which file are meant",
  failing: "nearly all else that the document says holds",
  file_failed: "nothing else that is said of the file fails",
  located: "the words do not say that it is there",
  fits_not: "what stands there fits the words around it",
  fits_there: "the words around it fit no better where it was found",
  below: "it was found above the place",
  inside: "it was found inside what stands there",
};
