// A second look at the flags of a document, once all its references are judged: each gets a likelihood from
// what is known of it, and one that is less likely than flags of its kind must be becomes an abstention.
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";
import {
  flagFeatures,
  judgedDocument,
  flagKind,
  type Features,
  type FlagKind,
  type JudgedClaim,
} from "./flag-features.ts";
import { flagWeights, leastScore } from "./flag-weights.ts";

/** The judgements in the same order; a flag that is too doubtful becomes an abstention that says why. */
export function secondLook(
  all: readonly JudgedClaim[],
  setting: { report: string; repo: Repository },
): Judgement[] {
  // Words that say where a name is defined mean that very line.
  const isLookedAt = ({ claim, judged: { verdict } }: JudgedClaim): boolean =>
    isFlagged(verdict) && verdict !== "stale" && verdict !== "outside_root" && !claim.defines;
  const document = all.some(isLookedAt) ? judgedDocument(all, setting) : undefined;
  return all.map((one) =>
    document && isLookedAt(one) ? settled(one, flagFeatures(one, document)) : one.judged,
  );
}

function settled(one: JudgedClaim, features: Features): Judgement {
  const kind = flagKind(one);
  const least = leastScore[kind];
  const { score, doubt } = weighed(kind, features);
  if (least !== undefined && score >= least) return one.judged;
  const { trial: _, suggestion: _other, unique: _unique, ...rest } = one.judged;
  const why = least === undefined ? mostlyWrong : (doubts[doubt] ?? otherwise);
  const isHere = one.claim.mention.kind === "file";
  return {
    ...rest,
    verdict: isHere ? "exists_only" : "unverifiable",
    doubted: true,
    reason: `${rest.reason}; but ${why}, so it could not be told whether that is meant`,
  };
}

/** The weight of the evidence that the flag is right, and what speaks most against it. */
function weighed(kind: FlagKind, features: Features): { score: number; doubt: string } {
  const { bias, weights } = flagWeights[isPlace(kind) ? "place" : "content"];
  let [score, doubt, most] = [bias, "", 0];
  for (const [name, [weight, usual]] of Object.entries(weights)) {
    const part = weight * ((features[name] ?? 0) - usual);
    score += part;
    if (part < most) [doubt, most] = [name, part];
  }
  return { score, doubt };
}

/** It accuses by the path or the number alone. */
const isPlace = (kind: FlagKind): boolean =>
  kind === "range" || kind === "path" || kind === "path_moved";

const mostlyWrong = "in documents such a thing is often said of something else";
const otherwise = "too little speaks for it";

/** What a number that speaks against a flag means. */
const doubts: Record<string, string> = {
  pattern: "the document shows places as a pattern of what to write",
  pinned: "the document names the commit that it speaks of",
  dated: "its address names a commit of its own",
  number: "it is not sure that the number is a line",
  binding: "it is not sure that the number belongs to the file",
  bound: "it is not sure that the number belongs to the file",
  evidence: "what is said may not be said of the place",
  likeness: "the quotation may be shortened",
  crowd: "several places stand in the same text",
  row: "a row gives more than one thing",
  commented: "the quotation is explained by its writer",
  test_file: "tests are often told as a whole",
  test_name: "a test is named beside what it tests",
  folder: "the name alone does not say which file it is",
  longer: "the path is longer than that of the file here",
  deep: "the path may be another project's",
  unknown: "the path may be another project's",
  stranger: "nothing that the document says of that name holds",
  held: "most of the document holds",
  file_held: "other places of the file hold",
  same_held: "something else is said of the same lines, and holds",
  same_kind: "the document fails in this way throughout",
  fits: "what stands there fits the words around it",
  fits_not: "what stands there fits the words around it",
  fits_there: "the words around it fit no better where it was found",
  below: "it was found above the place",
  defines: "something is defined there",
  work: "work on that place is told, and it may be meant as it was before",
  done: "work on that place is told, and it may be meant as it was before",
};
