// A path that no file here has: a slip of one that is here, a file that was moved, or none of ours.
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../../source/repository.ts";
import type { ClaimKind, Place } from "../verdict.ts";
import { mayComeAbout, type Claim } from "../reading/claim.ts";
import { isCodeShaped, isStrongCode } from "../reading/code-names.ts";
import { thresholds, weights } from "../reading/weights.ts";
import { contentPlaces, mayReplace } from "./content-places.ts";
import { tryEvidence } from "./try-evidence.ts";

export function judgeUnknown(claim: Claim, repo: Repository, kind: ClaimKind): Judgement {
  const { mention, range } = claim;
  const alike = repo.near(mention.path);
  const near = alike.length > 0 ? alike : repo.misspelt(mention.path);
  const slip = near.find((path) => isSlipOf(claim, path));
  const scope = repo.complete ? "" : " among the files that were listed";
  const reason = `there is no ${mention.path}${scope}`;
  const isAsserted = asserts(claim);
  const isHere = isAsserted && isMeantHere(claim, repo);
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
  if (!isHere && !isSlip(claim, slip))
    return { verdict: "unverifiable", kind, reason: `${nearest}; nothing says that it is here` };
  const judged: Judgement = { verdict: "missing", kind, reason: nearest };
  if (guess === undefined) return judged;
  const suggestion = { path: guess, line: range?.first ?? 1 };
  return { ...judged, suggestion, unique: near.length === 1 };
}

/** A document names files of any time: without a line it says too little. */
const isSlip = ({ range, document, modality }: Claim, slip: string | undefined): boolean =>
  slip !== undefined &&
  (modality === "said" || (modality === "advised" && document === undefined)) &&
  (range !== null || document === undefined);

/** Lines are given of files that exist; without them the words must say that something is in it. */
function asserts(claim: Claim): boolean {
  const { range, modality, binding, isLocated, evidence } = claim;
  // A plan gives lines of what is there, too.
  if (range !== null && isPlace(claim)) return modality !== "denied" && !mayComeAbout(claim);
  if (modality !== "said") return false;
  if (evidence.some(({ gutter }) => gutter.length > 0)) return true;
  if (isNamedInMessage(claim)) return true;
  if (range !== null && binding < weights.binding.alone) return false;
  if (range !== null) return range.weight >= thresholds.missing_path;
  // A document names files of any time and place.
  if (claim.document !== undefined) return false;
  return (
    isLocated ||
    evidence.some(
      ({ isTold, isBlock, weight }) =>
        isTold === true && !isBlock && weight >= thresholds.missing_path,
    )
  );
}

/** Whoever has just looked at the tree names a path with its folders as one that is there. */
function isNamedInMessage({ mention, range, binding, block, start, document }: Claim): boolean {
  if (document !== undefined || block.kind === "fence" || !mention.path.includes("/")) return false;
  // A number that only stands nearby belongs to another file; one of another text repeats its path.
  if (range !== null && binding >= weights.binding.alone) return false;
  if (!block.text.includes(mention.path.slice(mention.path.lastIndexOf("/")))) return false;
  const at = start - block.start;
  const around = block.text.slice(Math.max(0, at - 160), at + 240);
  return !comesAbout.test(around.replace(/`[^`]*`/g, " "));
}

/** A file that is made, gone, or one of several that may be there. */
const comesAbout =
  /\b(?:new|add(?:ed|s)?|creat\w+|writ\w+|generat\w+|propos\w+|example|if|or|optional\w*)\b/i;

/** `src/auth.ts:45` in a sentence can hardly mean a file of another project. */
const isPlace = ({ mention, binding, range, isSole }: Claim): boolean =>
  range !== null && /^[^/]+\//.test(mention.path) && (isSole || binding >= weights.binding.glued);

/** Whoever reports on a tree means its files; a document may speak of any project. */
const isMeantHere = (claim: Claim, repo: Repository): boolean =>
  (claim.document === undefined && isPlace(claim)) ||
  isOurs(claim.mention.path, repo, claim.range !== null);

/** Its folder is here; with lines, the root of its path is enough, and a bare name must nearly be one of ours. */
function isOurs(path: string, repo: Repository, hasLines: boolean): boolean {
  const parts = path.replace(/^\//, "").split("/");
  const folders = parts.slice(0, -1);
  if (folders.length === 0) return hasLines && isNearlyOurs(path, repo);
  const ending = endingOf(path).toLowerCase();
  const folder = folders.join("/");
  // A single name such as `commands` is a folder of many projects.
  const known = repo.foldersEndingIn(folder);
  const holders =
    folders.length > 1 || known.length === 1 ? known : known.filter((path) => path === folder);
  if (holders.some((folder) => repo.namesIn(folder).some((name) => endingOf(name) === ending)))
    return true;
  if (!hasLines) return false;
  if (repo.kindOf(folders[0]!) === "directory" && (ending === "" || repo.hasExtension(ending)))
    return true;
  // Its folders were moved: the rest of the path is here.
  return parts.length > 3 && repo.endingIn(parts.slice(-3).join("/")).length > 0;
}

/** Another ending is another file. */
const isNearlyOurs = (name: string, repo: Repository): boolean =>
  [...repo.near(name), ...repo.misspelt(name)].some(
    (path) => endingOf(path) === endingOf(name).toLowerCase(),
  );

const endingOf = (path: string): string => /\.([^./]*)$/.exec(path)?.[1] ?? "";

/** Same folder, and a name that differs by a letter, case, look-alikes or the ending. */
function isSlipOf({ mention: { path }, range, isSole }: Claim, other: string): boolean {
  const folder = (name: string): string => name.slice(0, name.lastIndexOf("/") + 1);
  return (path.includes("/") || (range !== null && isSole)) && folder(path) === folder(other);
}

/** Where the claim's content stands: in a file of a near name at the claimed lines, else anywhere. */
function placesOf(
  claim: Claim,
  near: readonly string[],
  { repo, isHere }: { repo: Repository; isHere: boolean },
): Place[] {
  // Weak evidence is enough for a file of nearly the same name: it only picks the correction.
  const fits = near.slice(0, 50).flatMap((path): Place[] => {
    if (!mayReplace(path, claim.mention.path)) return [];
    const state = repo.open(path);
    const held = state.ok
      ? claim.evidence
          .map((item) => tryEvidence(item, claim, state.file))
          .find(({ holds }) => holds)
      : undefined;
    return held ? [{ path, line: claim.range?.first ?? held.line ?? 1 }] : [];
  });
  if (fits.length > 0) return fits;
  const evidence = claim.evidence.filter(({ weight }) => weight >= thresholds.missing_path);
  // What is quoted stands in this tree: then the path is meant here, whatever it is called.
  const telling = evidence.filter(({ lines, name }) =>
    lines.length > 0 ? lines.some(isStrongCode) : name.length > 7 && isCodeShaped(name),
  );
  const known = isHere
    ? telling
    : telling.filter(({ isTold, lines }) => isTold && lines.length > 0);
  for (const item of known) {
    const found = contentPlaces(
      item,
      { path: claim.mention.path, line: claim.range?.first ?? 0, near, document: claim.document },
      repo,
    );
    if (found.length > 0) return found;
  }
  return [];
}
