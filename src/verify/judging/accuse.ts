// What accuses: the surest evidence of a place that fails in every reading. What makes the reading doubtful
// ends the accusation of a message; of a document it is noted, and the second look weighs it.
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { ClaimKind } from "../verdict.ts";
import type { Claim } from "../reading/claim.ts";
import { weights } from "../reading/weights.ts";
import { accuseContent, type Best, type Stops } from "./accuse-content.ts";
import type { Trial } from "./trial.ts";
import { tryEvidence } from "./try-evidence.ts";

/** The trials of a claim's evidence in one file. */
export type Tried = { file: SourceFile; trials: Trial[] };

/** The failed trial whose evidence speaks most surely of the place; of equal ones, one whose content is elsewhere. */
export function strongest(tried: readonly Tried[]): { file: SourceFile; trial: Trial } | undefined {
  let best: { file: SourceFile; trial: Trial; score: number } | undefined;
  for (const { file, trials } of tried)
    for (const trial of trials) {
      const score =
        trial.evidence.weight * 4 +
        (trial.evidence.isPlain ? 0 : 1) +
        (trial.line === undefined ? 0 : 1) +
        (trial.likeness > 0.5 ? 1 : 0);
      if (!best || score > best.score) best = { file, trial, score };
    }
  return best;
}

/** The other files that a name may mean which many files have. */
export function namesakes({ mention }: Claim): string[] {
  const own = `/${mention.path}`;
  const alternates = mention.alternates?.() ?? [];
  if (mention.paths.length > 1) return [...alternates];
  return alternates.filter((path) => `/${path}`.endsWith(own));
}

type Setting = { repo: Repository; kind: ClaimKind };

export function accuse(
  claim: Claim,
  tried: readonly Tried[],
  { repo, kind }: Setting,
): Judgement | undefined {
  const best = strongest(tried);
  if (claim.mention.paths.length > 1 && !claim.mention.paths.includes(claim.mention.path))
    return undefined;
  if (!best || best.trial.holds || mayBeMeantOtherwise(claim, best, tried)) return undefined;
  const { evidence } = best.trial;
  const isFirst = evidence.weight >= weights.evidence.touching;
  if (!isFirst && standsBeside(evidence, claim, repo)) return undefined;
  const { against, stops } = objections(claim);
  if (isLooselySaid(claim, evidence, stops)) return undefined;
  const isSeveral = tried.length > 1 || namesakes(claim).length > 0;
  const isLoose = claim.binding < weights.binding.alone || isSeveral;
  const strength = strengthOf(claim, evidence) - (tried.length > 1 ? 1 : 0);
  const setting = { claim, repo, kind, strength, isLoose, isSeveral, against, stops };
  const judged = accuseContent(best, setting);
  return judged && { ...judged, trial: best.trial, strength, against };
}

/** Of a message the first thing that makes it doubtful ends the accusation. */
function objections({ document }: Claim): { against: string[]; stops: Stops } {
  const against: string[] = [];
  const stops = (why: string, is: boolean): boolean => {
    if (is) against.push(why);
    return is && document === undefined;
  };
  return { against, stops };
}

/** The place is one of several, or neither its number nor what is said stands close to it. */
const isLooselySaid = (claim: Claim, { weight }: Evidence, stops: Stops): boolean =>
  stops("grouped", claim.isGrouped) ||
  stops("listed", claim.mention.ranges.length > 1) ||
  stops("loose", claim.binding < weights.binding.glued && weight <= weights.evidence.near);

/** The weakest part of the reading, less for rival names and for plans. */
function strengthOf(claim: Claim, evidence: Evidence): number {
  const isFirst = evidence.weight >= weights.evidence.touching;
  const parts = Math.min(evidence.weight, claim.range?.weight ?? 5, claim.binding + 1);
  const rivalry = isContested(claim, evidence) ? (isFirst ? 1 : 2) : 0;
  return (
    parts - rivalry - (claim.modality === "said" || claim.defines || evidence.isCurrent ? 0 : 1)
  );
}

/** Something else of the sentence stands there, or the words do not say that it does. */
function mayBeMeantOtherwise(claim: Claim, best: Best, tried: readonly Tried[]): boolean {
  const { half, evidence } = best.trial;
  const isDenied = claim.modality === "denied" || claim.modality === "negated";
  if (half || isDenied || claim.range?.vague) return true;
  const isFirst = evidence.weight >= weights.evidence.touching;
  if (tried.some(({ trials }) => trials.some((trial) => isBesides(trial, isFirst)))) return true;
  return isFromBody(best, tried);
}

/** Code of the body of what the place is given for: "`run` (line 12)", then lines of it. */
const isFromBody = ({ file, trial }: Best, tried: readonly Tried[]): boolean =>
  trial.line !== undefined &&
  trial.isQuote &&
  tried.some(({ trials }) =>
    trials.some(
      ({ holds, isQuote, line }) =>
        holds &&
        !isQuote &&
        line !== undefined &&
        line < trial.line! &&
        file.extentOf(line) >= trial.line!,
    ),
  );

/** Another name or quotation of the sentence stands there: it may be what the place is given for. */
const isBesides = ({ holds, half, evidence }: Trial, isFirst: boolean): boolean =>
  !evidence.isPlain &&
  (holds
    ? evidence.weight >= weights.evidence.far
    : half && !isFirst && evidence.weight >= weights.evidence.same);

/** It stands at another place of the same text: that one is given for it. */
const standsBeside = (evidence: Evidence, claim: Claim, repo: Repository): boolean =>
  claim.beside.some((other) => {
    if (other === claim || !other.range || other.mention.kind !== "file") return false;
    const state = repo.open(other.mention.paths[0]!);
    return state.ok && tryEvidence(evidence, other, state.file).holds;
  });

/** Several names or quotations of the same weight: it is less sure that each is located there. */
const isContested = ({ evidence }: Claim, best: Evidence): boolean =>
  evidence.some(
    (other) =>
      other !== best && other.weight >= best.weight && other.name !== best.name && !other.isPlain,
  );

type Evidence = Trial["evidence"];
