// How many of the lines that a message gives are right in each file that it names: a file of which it gives several
// rightly is what it speaks of.
import type { SourceFile } from "../../../source/source-file.ts";
import { holds } from "../../judgement.ts";
import { tryEvidence } from "../../judging/try-evidence.ts";
import type { Claim } from "../../reading/claim.ts";
import { lastPart } from "../../reading/code-names.ts";
import type { JudgedClaim } from "../../second-look/judged-document.ts";
import { messageClaim, type NamedFile } from "../named-files.ts";
import type { PlacedItem } from "./placed-items.ts";

/** `holders`: the files that have it at its line. */
export type JudgedItem = PlacedItem & { claim: Claim; holders: readonly NamedFile[] };

export type PlacedTally = {
  /** Several lines of it are given rightly, or no other file is named. */
  isHome: (one: NamedFile) => boolean;
  /** Several lines of it are given rightly. */
  isRight: (one: NamedFile) => boolean;
  /** So are numbers beside names that nothing calls lines. */
  isList: (one: NamedFile) => boolean;
  /** The same of fewer lines: enough for a name that nothing else defines. */
  isShortList: (one: NamedFile) => boolean;
  /** Nearly everything that has a line in the message is there. */
  isOnly: (path: string) => boolean;
  /** Numbers beside names are lines nearly always. */
  isOftenRight: boolean;
};

const leastRight = 2;
const leastInList = 3;

type Given = { files: readonly NamedFile[]; placed: readonly PlacedItem[] };

export function tallyPlaced(
  judged: readonly JudgedClaim[],
  { files, placed: items }: Given,
): { placed: JudgedItem[]; tally: PlacedTally } {
  const placed = items.map((one) => {
    const claim = placedClaim(one, files);
    const own = files.filter(({ file }) => one.path === undefined || file.path === one.path);
    return { ...one, claim, holders: own.filter(({ file }) => holdsIn(claim, file)) };
  });
  const right = rightLines(judged, placed);
  const bare = placed.filter(({ isBare }) => isBare);
  const bareRight = bare.filter(({ holders }) => holders.length > 0).length;
  const isHeld = (path: string) => (one: JudgedItem) =>
    one.holders.some(({ file }) => file.path === path);
  const rightIn = (path: string): number => right.get(path)?.size ?? 0;
  return {
    placed,
    tally: {
      isHome: ({ file }) => files.length === 1 || rightIn(file.path) >= leastRight,
      isRight: ({ file }) => rightIn(file.path) >= leastRight,
      isList: ({ file }) => rightIn(file.path) >= leastInList && bare.some(isHeld(file.path)),
      isShortList: ({ file }) => rightIn(file.path) >= leastRight && bare.some(isHeld(file.path)),
      isOnly: (path) => {
        const held = placed.filter(isHeld(path)).length;
        return held >= leastInList && held * 4 >= placed.length * 3;
      },
      isOftenRight: bareRight >= leastInList && bareRight * 4 >= bare.length * 3,
    },
  };
}

function placedClaim({ unit, item, range }: PlacedItem, files: readonly NamedFile[]): Claim {
  const claim = messageClaim(unit, item, files);
  claim.end = Math.max(claim.end, unit.block.start + range.end);
  claim.range = range;
  return claim;
}

function holdsIn(claim: Claim, file: SourceFile): boolean {
  if (claim.range!.last > file.lineCount + 1) return false;
  const { holds, half } = tryEvidence(claim.evidence[0]!, claim, file);
  return holds || (half && isTellingHalf(claim, file));
}

/** `self.pending` at a line with a `self`: of a member that no line has a holder that is everywhere tells nothing. */
function isTellingHalf({ evidence: [item] }: Claim, file: SourceFile): boolean {
  const [, holder] = item!.name.split(/\.|::|->|#/).toReversed();
  if (!holder || file.linesWith(lastPart(item!.name)).length > 0) return true;
  return file.linesWith(holder).length <= fewLines;
}

const fewLines = 5;

/** The lines that the message gives rightly, by file. */
function rightLines(
  judged: readonly JudgedClaim[],
  placed: readonly JudgedItem[],
): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>();
  const put = (path: string, line: number): void => {
    lines.set(path, (lines.get(path) ?? new Set()).add(line));
  };
  for (const { claim, judged: one } of judged)
    if (holds(one) && claim.range && one.path !== undefined) put(one.path, claim.range.first);
  for (const { holders, range } of placed)
    for (const { file } of holders) put(file.path, range.first);
  return lines;
}
