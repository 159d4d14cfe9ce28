// A path that no file here has: a slip of one that is here, a file that was moved, or none of ours.
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../repository.ts";
import type { ClaimKind, Place } from "../verdict.ts";
import type { Claim } from "../reading/claim.ts";
import { thresholds, weights } from "../reading/weights.ts";
import { contentPlaces, mayReplace } from "./content-places.ts";
import { tryEvidence } from "./try-evidence.ts";

export function judgeUnknown(claim: Claim, repo: Repository, kind: ClaimKind): Judgement {
  const { mention, range, modality } = claim;
  const alike = repo.near(mention.path);
  const near = alike.length > 0 ? alike : repo.misspelt(mention.path);
  const slip = near.find((path) => isSlipOf(mention.path, path));
  const scope = repo.complete ? "" : " among the files that were listed";
  const reason = `there is no ${mention.path}${scope}`;
  const isAsserted = asserts(claim);
  const isHere = isAsserted && (isPlace(claim) || isOurs(mention.path, repo, range !== null));
  const [place, ...others] = isAsserted ? placesOf(claim, near, { repo, isHere }) : [];
  if (place) {
    const told = `${reason}; the same content stands at ${place.path}:${place.line}`;
    return {
      verdict: "relocated",
      kind,
      reason: told,
      suggestion: place,
      unique: others.length === 0,
    };
  }
  const guess = slip ?? near[0];
  const nearest = guess === undefined ? reason : `${reason}; the nearest is ${guess}`;
  if (!isHere && (slip === undefined || modality !== "said"))
    return { verdict: "unverifiable", kind, reason: `${nearest}; nothing says that it is here` };
  const judged: Judgement = { verdict: "missing", kind, reason: nearest };
  return guess === undefined
    ? judged
    : {
        ...judged,
        suggestion: { path: guess, line: range?.first ?? 1 },
        unique: near.length === 1,
      };
}

/** Lines are given of files that exist; without them the words must say that something is in it. */
function asserts(claim: Claim): boolean {
  const { range, modality, binding, isLocated, evidence } = claim;
  // A plan gives lines of what is there, too.
  if (range !== null && isPlace(claim)) return modality !== "denied";
  if (modality !== "said") return false;
  if (evidence.some(({ gutter }) => gutter.length > 0)) return true;
  if (range !== null) return Math.min(range.weight, binding) >= thresholds.missing_path;
  return (
    isLocated ||
    evidence.some(({ isTold, weight }) => isTold === true && weight >= thresholds.missing_path)
  );
}

/** `src/auth.ts:45` in a sentence can hardly mean a file of another project. */
const isPlace = ({ mention, binding, range }: Claim): boolean =>
  range !== null && /^[^/]+\//.test(mention.path) && binding >= weights.binding.glued;

/** With lines, the folder that it begins with is here, or a file is called nearly so; without, its own folder is. */
function isOurs(path: string, repo: Repository, hasLines: boolean): boolean {
  const slash = hasLines ? path.indexOf("/", 1) : path.lastIndexOf("/");
  if (slash > 0) return repo.foldersEndingIn(path.slice(0, slash).replace(/^\//, "")).length > 0;
  return hasLines && (repo.near(path).length > 0 || repo.misspelt(path).length > 0);
}

/** Same folder, and a name that differs by a letter, case, look-alikes or the ending. */
function isSlipOf(path: string, other: string): boolean {
  const folder = (name: string): string => name.slice(0, name.lastIndexOf("/") + 1);
  return path.includes("/") && folder(path) === folder(other);
}

/** Where the claim's content stands: in a file of a near name at the claimed lines, else anywhere. */
function placesOf(
  claim: Claim,
  near: readonly string[],
  { repo, isHere }: { repo: Repository; isHere: boolean },
): Place[] {
  const evidence = claim.evidence.filter(({ weight }) => weight >= thresholds.missing_path);
  const fits = near.slice(0, 50).flatMap((path): Place[] => {
    if (!mayReplace(path, claim.mention.path)) return [];
    const state = repo.open(path);
    const held = state.ok
      ? evidence.map((item) => tryEvidence(item, claim, state.file)).find(({ holds }) => holds)
      : undefined;
    return held ? [{ path, line: claim.range?.first ?? held.line ?? 1 }] : [];
  });
  if (fits.length > 0 || !isHere) return fits;
  for (const item of evidence) {
    const found = contentPlaces(
      item,
      { path: claim.mention.path, line: claim.range?.first ?? 0, near },
      repo,
    );
    if (found.length > 0) return found;
  }
  return [];
}
