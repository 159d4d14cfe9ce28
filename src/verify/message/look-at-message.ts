// What only the whole of an agent's message tells: it speaks of this very tree, and mostly of the few files
// that it names. So a name, a line or a quotation without a path of its own can be judged, too.
import type { Repository } from "../../source/repository.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import type { JudgedClaim } from "../second-look/judged-document.ts";
import { isFlagged } from "../verdict.ts";
import { alteredQuotes } from "./quotes/altered-quotes.ts";
import { frameOf } from "./fact-features.ts";
import { doubtFlags, namedOnly } from "./doubt-flags.ts";
import { judgePlaced } from "./placed/judge-placed.ts";
import { listedNames } from "./listed-names.ts";
import { listedPaths } from "./listed-paths.ts";
import { locatedNames } from "./located-names.ts";
import { namedFiles } from "./named-files.ts";
import { placedItems } from "./placed/placed-items.ts";
import { strangeNames } from "./strange-names.ts";
import { strangePaths } from "./strange-paths.ts";

export type MessageSetting = { units: readonly ReadingUnit[]; repo: Repository };

/** The judgements with those added that no single reference gives; in the order of their places. */
export function lookAtMessage(
  judged: readonly JudgedClaim[],
  { units, repo }: MessageSetting,
): readonly JudgedClaim[] {
  const files = namedFiles(units, repo);
  const frame = frameOf(units);
  // Of a message that names no file of the tree only what it is told already is weighed.
  if (files.length === 0) {
    const weighed = strangePaths(judged, { units, repo, frame });
    return judged.map((one, at) => (one.judged.verdict === "missing" ? weighed[at]! : one));
  }
  const setting = { units, repo, files, frame, placed: placedItems(units) };
  const found = [
    ...judgePlaced(judged, setting),
    ...strangeNames(setting),
    ...alteredQuotes(setting),
    ...listedPaths(setting),
    ...listedNames(setting),
    ...locatedNames(setting),
  ];
  const doubted = strangePaths(doubtFlags(judged, { ...setting, found }), setting);
  return namedOnly(found.reduce(put, doubted));
}

const open = new Set(["exists_only", "unverifiable", "ambiguous"]);

/** In place of what could not be told of the same words; nothing that was told is changed. */
function put(all: readonly JudgedClaim[], found: JudgedClaim): readonly JudgedClaim[] {
  const { start, end } = found.claim;
  const same = all.filter(({ claim }) => claim.start < end && start < claim.end);
  if (same.some(({ judged }) => !open.has(judged.verdict)) || isTold(found, all)) return all;
  return [...all.filter((one) => !same.includes(one)), found].sort(
    (a, b) => a.claim.start - b.claim.start || a.claim.end - b.claim.end,
  );
}

/** The same line is flagged right beside it. */
const isTold = ({ claim }: JudgedClaim, all: readonly JudgedClaim[]): boolean =>
  claim.range !== null &&
  all.some(
    (one) =>
      isFlagged(one.judged.verdict) &&
      one.claim.range?.first === claim.range?.first &&
      Math.abs(one.claim.start - claim.start) < mostBetween,
  );
const mostBetween = 60;
