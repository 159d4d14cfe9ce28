// A path that no file here has: a slip of one that is here, a file that was moved, or none of ours.
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../repository.ts";
import type { ClaimKind, Place } from "../verdict.ts";
import type { Claim } from "../reading/claim.ts";
import { thresholds } from "../reading/weights.ts";
import { contentPlaces } from "./content-places.ts";
import { tryEvidence } from "./try-claim.ts";

export function judgeUnknown(claim: Claim, repo: Repository, kind: ClaimKind): Judgement {
  const { mention, range, modality } = claim;
  const alike = repo.near(mention.path);
  const near = alike.length > 0 ? alike : repo.misspelt(mention.path);
  const slips = near.filter((path) => isSlipOf(mention.path, path));
  const reason = repo.complete
    ? `there is no ${mention.path}`
    : `there is no ${mention.path} among the files that were listed`;
  const strong = claim.evidence.filter(({ weight }) => weight >= thresholds.missing_path);

  // Nobody gives lines of a file that is yet to be made.
  const asserts =
    range !== null
      ? modality !== "denied" && Math.min(range.weight, claim.binding) >= thresholds.missing_path
      : modality === "said" &&
        hasFolder(mention.path, repo) &&
        (claim.isLocated || strong.some(({ isTold }) => isTold === true));
  if (asserts || slips.length > 0) {
    const found = placesOf(claim, near, repo);
    if (found.length > 0 && asserts)
      return {
        verdict: "relocated",
        kind,
        reason: `${reason}; the same content stands at ${found[0]!.path}:${found[0]!.line}`,
        suggestion: found[0]!,
        unique: found.length === 1,
      };
  }
  const guess = slips[0] ?? near[0];
  const suggestion =
    guess === undefined
      ? {}
      : { suggestion: { path: guess, line: range?.first ?? 1 }, unique: near.length === 1 };
  const nearest = guess === undefined ? reason : `${reason}; the nearest is ${guess}`;
  if (asserts || (slips.length > 0 && modality === "said"))
    return { verdict: "missing", kind, reason: nearest, ...suggestion };
  return { verdict: "unverifiable", kind, reason: `${nearest}; nothing says that it is here` };
}

/** The folder is here, so the file should be. */
const hasFolder = (path: string, repo: Repository): boolean =>
  path.includes("/") && repo.foldersEndingIn(path.slice(0, path.lastIndexOf("/"))).length > 0;

/** Same folder, and a name that differs by a letter, case, look-alikes or the ending. */
function isSlipOf(path: string, other: string): boolean {
  const folder = (name: string): string => name.slice(0, name.lastIndexOf("/") + 1);
  return path.includes("/") && folder(path) === folder(other);
}

/** Where the claim's content stands: in a file of a near name at the claimed lines, else anywhere. */
function placesOf(claim: Claim, near: readonly string[], repo: Repository): Place[] {
  const evidence = claim.evidence.filter(({ weight }) => weight >= thresholds.missing_path);
  const fits = near.slice(0, 50).flatMap((path): Place[] => {
    const state = repo.open(path);
    const held = state.ok
      ? evidence.map((item) => tryEvidence(item, claim, state.file)).find(({ holds }) => holds)
      : undefined;
    return held ? [{ path, line: claim.range?.first ?? held.line ?? 1 }] : [];
  });
  if (fits.length > 0) return fits;
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
