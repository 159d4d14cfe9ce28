// What a trust word stands for: the counts of what was looked at, by kind, and the word that they
// allow. A text without a form is judged by what could be checked in it; nothing is no stamp at all.
import { counted } from "../../base/text/grouped.ts";
import type { Trust } from "../../contract/axes.ts";
import { caps, trustOf, type GradedClaim, type GradedFinding } from "../../contract/grades.ts";
import { binds, classOf } from "../../contract/trust/verdict-classes.ts";
import { isUnproven, type AssessedCheck, type CheckTally } from "../assessment.ts";
import { isFlagged } from "../verdict.ts";

const undecided = new Set(["ambiguous", "unverifiable", "not_judged"]);
/** Nothing could be compared: an address, a file of another project, one of several files. */
export const isUndecided = ({ verdict }: Pick<AssessedCheck, "verdict">): boolean =>
  undecided.has(verdict);
const isPlace = ({ kind }: AssessedCheck): boolean =>
  kind === "path" || kind === "location" || kind === "symbol" || kind === "quote";
const holds = ({ verdict, corrected }: AssessedCheck): boolean =>
  verdict === "verified" || verdict === "weakened" || corrected !== undefined;
/** Compared with something that could have spoken against it. */
const isDecided = (check: AssessedCheck): boolean =>
  !isUndecided(check) && check.verdict !== "countered" && !isUnproven(check);

export function tallyOf(
  checks: readonly AssessedCheck[],
  unchecked: readonly string[],
): CheckTally {
  const places = { of: 0, hold: 0, corrected: 0, exist: 0 };
  const results = { of: 0, onRecord: 0 };
  const deeds = { of: 0, onRecord: 0 };
  let [countered, weakened, notTested] = [0, 0, unchecked.length];
  for (const check of checks) {
    if (isPlace(check)) countPlace(places, check);
    else if (isDecided(check)) {
      const kind = check.kind === "file_claim" ? deeds : results;
      kind.of += 1;
      if (holds(check)) kind.onRecord += 1;
    }
    if (check.corrected !== undefined) places.corrected += 1;
    if (check.verdict === "countered") countered += 1;
    if (check.verdict === "weakened") weakened += 1;
    if (isUndecided(check) || isUnproven(check)) notTested += 1;
  }
  return { places, results, deeds, countered, weakened, notTested };
}

function countPlace(places: CheckTally["places"], check: AssessedCheck): void {
  const isHeld = holds(check);
  if (isHeld) places.hold += 1;
  if (isHeld || isFlagged(check.verdict)) places.of += 1;
  if (check.verdict === "exists_only") places.exist += 1;
}

/** Whether the reader gets the text with its corrections in it, or the text as it was written. */
export type Corrections = "made" | "offered";

/** `places 4 of 4 hold · results 2 of 2 on record · 9 statements not tested` */
export function tallyWords(tally: CheckTally, corrections: Corrections): string {
  const { places, results, deeds, countered, weakened, notTested } = tally;
  const parts = [
    ...(places.of > 0 ? [placeWords(places, corrections)] : []),
    ...(places.exist > 0 ? [`${counted(places.exist, "place")} only named`] : []),
    ...(results.of > 0 ? [`results ${results.onRecord} of ${results.of} on record`] : []),
    ...(deeds.of > 0 ? [`deeds ${deeds.onRecord} of ${deeds.of}`] : []),
    ...(weakened > 0 ? [`${counted(weakened, "result")} weakened`] : []),
    ...(countered > 0 ? [`counter-evidence to ${counted(countered, "statement")}`] : []),
    ...(notTested > 0 ? [`${counted(notTested, "statement")} not tested`] : []),
  ];
  return parts.length === 0 ? "nothing to check" : parts.join(" · ");
}

function placeWords({ of, hold, corrected }: CheckTally["places"], given: Corrections): string {
  if (corrected === 0) return `places ${hold} of ${of} hold`;
  return given === "made"
    ? `places ${hold} of ${of} hold (${corrected} corrected)`
    : `places ${hold - corrected} of ${of} hold (${corrected} more with --fix)`;
}

export const isNothing = ({ places, results, deeds, countered }: CheckTally): boolean =>
  places.of + places.exist + results.of + deeds.of + countered === 0;

/** Unsupported claims are held against an agent where their class binds. */
export function regraded(check: AssessedCheck): AssessedCheck {
  if (check.verdict !== "unsupported") return check;
  // What the report itself calls uncertain is no claim to support.
  if (check.grade === "E0") return { ...check, verdict: "not_judged" };
  const name = classOf(check);
  return { ...check, grade: name !== null && binds(name) ? "X" : "E0" };
}

export type Stamped = {
  checks: readonly AssessedCheck[];
  findings: readonly GradedFinding[];
  claims: readonly GradedClaim[];
  tally: CheckTally;
  is_free: boolean;
  /** A part was left out, something was changed and not declared, or a deed or result has no proof. */
  isIncomplete: boolean;
};

export function trustWord({
  checks,
  findings,
  claims,
  tally,
  is_free,
  isIncomplete,
}: Stamped): Trust | null {
  const word = is_free ? freeTrust(checks, tally) : trustOf(findings, claims);
  const isDoubted = isIncomplete || tally.countered > 0 || tally.weakened > 0;
  return word === "VERIFIED" && isDoubted ? "MIXED" : word;
}

/** Counter-evidence caps a report like a claim that nothing supports. */
export const cappedBy = (cap: number, { countered }: CheckTally): number =>
  countered > 0 ? Math.min(cap, caps.E0) : cap;

/** By the share of what could be decided; a false deed or result outweighs every place that holds. */
function freeTrust(checks: readonly AssessedCheck[], tally: CheckTally): Trust | null {
  // A deed that nothing on record shows is told, though nothing can decide it.
  const isDeed = ({ kind, verdict }: AssessedCheck): boolean =>
    kind === "file_claim" && verdict === "not_judged";
  if (isNothing(tally) && !checks.some(isDeed)) return null;
  const wrong = checks.filter(({ grade }) => grade === "X");
  const isDeedFalse = wrong.some((check) => !isPlace(check));
  if (isDeedFalse || (tally.places.of > 0 && tally.places.hold === 0)) return "CONTRADICTED";
  const isFlaw = ({ verdict, grade, corrected }: AssessedCheck): boolean =>
    isFlagged(verdict) && corrected === undefined && (verdict !== "unsupported" || grade === "X");
  if (checks.some(isFlaw)) return "MIXED";
  const { places, results, deeds } = tally;
  const held = places.hold + results.onRecord + deeds.onRecord;
  // A statement that something speaks against was looked at too.
  const all = places.of + places.exist + results.of + deeds.of + tally.countered;
  return all > 0 && held / all >= 0.8 ? "VERIFIED" : "UNVERIFIED";
}
