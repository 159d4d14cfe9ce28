// Paths with folders that a message names without a line and that no file here has: missing where the words
// say that the file is there, else not to be told.
import { posix } from "node:path";
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import type { Repository } from "../../source/repository.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import type { JudgedClaim } from "../second-look/judged-document.ts";
import { isPlainlySaid, tellsAbsent, type MessageFrame } from "./fact-features.ts";
import { factScore, pathFeatures } from "./fact-score.ts";

type Setting = { units: readonly ReadingUnit[]; repo: Repository; frame: MessageFrame };

/** To be told; and for what a label or a name beside it tells already. */
const [leastScore, leastKept] = [1.5, 0];

/** The same judgements; those of such paths by what is said of them. */
export function strangePaths(
  judged: readonly JudgedClaim[],
  { units, repo, frame }: Setting,
): readonly JudgedClaim[] {
  if (!judged.some(({ claim }) => claim.mention.kind === "unknown")) return judged;
  const byBlock = new Map(units.map((unit) => [unit.block, unit]));
  return judged.map((one) => {
    const features = pathNowhere(one, { byBlock, repo, frame });
    if (!features || isTypo(one, byBlock)) return one;
    const score = features === "meant otherwise" ? -Infinity : factScore(features);
    if (one.judged.verdict === "missing")
      return score < leastKept && !isSlipSaid(one, byBlock, frame) ? settled(one, false) : one;
    return score < leastScore && !isSlipSaid(one, byBlock, frame) ? one : settled(one, true);
  });
}

/** A letter of the name is another one: whatever is said of the file, it is the one that is here. */
function isTypo({ claim, judged }: JudgedClaim, byBlock: Blocks["byBlock"]): boolean {
  const { mention, block, start, end } = claim;
  const other = judged.suggestion?.path;
  const unit = byBlock.get(block);
  if (judged.verdict !== "missing" || judged.unique !== true || !other || !unit) return false;
  const ending = (path: string): string => path.slice(path.lastIndexOf("."));
  const isSame =
    posix.dirname(other) === posix.dirname(mention.path) && ending(other) === ending(mention.path);
  return isSame && !tellsAbsent(unit, { start: start - block.start, end: end - block.start });
}

/** A file of its folder has nearly this name, and nothing around it says that this one is not here. */
function isSlipSaid(
  { claim, judged }: JudgedClaim,
  byBlock: Blocks["byBlock"],
  frame: MessageFrame,
): boolean {
  const { mention, block, start, end } = claim;
  const other = judged.suggestion?.path;
  const unit = byBlock.get(block);
  if (!other || !unit || posix.dirname(other) !== posix.dirname(mention.path)) return false;
  return isPlainlySaid(unit, { start: start - block.start, end: end - block.start }, frame);
}

function settled({ claim, judged }: JudgedClaim, isSaid: boolean): JudgedClaim {
  const told = judged.reason.replace(nothingSays, "");
  return isSaid
    ? { claim, judged: { ...judged, verdict: "missing", reason: told } }
    : {
        claim,
        judged: { verdict: "unverifiable", kind: judged.kind, reason: `${told}${nothingSays}` },
      };
}

const nothingSays = "; nothing says that it is here";

type Blocks = {
  byBlock: ReadonlyMap<MarkdownBlock, ReadingUnit>;
  repo: Repository;
  frame: MessageFrame;
};

/** What is known of a path that no file here has; undefined for all else. */
export function pathNowhere(
  { claim, judged: { verdict } }: JudgedClaim,
  { byBlock, repo, frame }: Blocks,
): Record<string, number> | "meant otherwise" | undefined {
  const { mention, block } = claim;
  const unit = byBlock.get(block);
  const isOpen = verdict === "missing" || verdict === "unverifiable";
  if (!unit || mention.kind !== "unknown" || !isOpen) return undefined;
  // Lines are given of files that are there: only words that say otherwise count.
  if (hasOwnLine(claim)) {
    const span = { start: claim.start - block.start, end: claim.end - block.start };
    return tellsAbsent(unit, span) ? "meant otherwise" : undefined;
  }
  // A line of another text repeats a path that is judged there; a row says by its columns what is there.
  if (!unit.mentions.includes(mention) || block.kind === "row") return undefined;
  if (!mention.path.includes("/")) return undefined;
  // An address says itself whose it is.
  const isAddress = unit.text.slice(mention.start, mention.end).includes("://");
  if (isAddress || !isRooted(mention.path, repo)) return "meant otherwise";
  return pathFeatures(unit, mention, frame) ?? "meant otherwise";
}

/** Written onto it, or the only number of its part of the text. */
const hasOwnLine = ({ mention, range, isSole }: JudgedClaim["claim"]): boolean =>
  mention.ranges.length > 0 || (range !== null && isSole);

/** It begins in a folder that is here, and that nothing is built or logged into. */
function isRooted(path: string, repo: Repository): boolean {
  const [root] = path.replace(/^\//, "").split("/") as [string];
  const isHere = repo.kindOf(root) === "directory" || repo.foldersEndingIn(root).length > 0;
  return isHere && !made.test(root);
}

/** Folders of what is built, kept or logged. */
const made = /^(?:tmp|dist|build|node_modules|target|out|coverage|logs?|\..+)$/i;
