// The files that a message names, as far as they can be opened: what it says without a path is of one of them.
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Mention } from "../reading/paths/find-mentions.ts";
import { plainClaim, type Claim } from "../reading/claim.ts";
import { weighed, type Evidence } from "../reading/find-evidence.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import { weights } from "../reading/weights.ts";

/** `at`: where in the message it is first named. */
export type NamedFile = { file: SourceFile; mention: Mention; at: number };

const most = 60;
/** A name that so many files have may mean any of them. */
const mostNamesakes = 6;

export function namedFiles(units: readonly ReadingUnit[], repo: Repository): NamedFile[] {
  const found = new Map<string, NamedFile>();
  for (const { block, mentions } of units)
    for (const mention of mentions) {
      if (mention.kind !== "file") continue;
      for (const path of mention.paths.slice(0, mostNamesakes)) {
        if (found.has(path) || found.size >= most) continue;
        const state = repo.open(path);
        if (state.ok) found.set(path, { file: state.file, mention, at: block.start });
      }
    }
  return [...found.values()];
}

/** What a message says without a path of its own, as a claim about the file that it named last. */
export function messageClaim(
  { block }: ReadingUnit,
  item: Evidence,
  files: readonly NamedFile[],
): Claim {
  const last = files.findLast(({ at }) => at <= block.start) ?? files[0]!;
  const claim = plainClaim(block, last.mention, block.start + item.start);
  claim.end = block.start + item.end;
  claim.evidence = [weighed(item, weights.evidence.touching, true)];
  return claim;
}

/** The path of the file that is named last before a place of a text, there or in a text above. */
export function lastNamed(
  units: readonly ReadingUnit[],
  { unit, start }: { unit: ReadingUnit; start: number },
): string | undefined {
  const isBefore = (mention: Mention, own: boolean): boolean =>
    mention.kind === "file" && (!own || mention.end <= start);
  for (let index = units.indexOf(unit); index >= 0; index--) {
    const { mentions } = units[index]!;
    const last = mentions.findLast((mention) => isBefore(mention, units[index] === unit));
    if (last) return last.paths[0];
  }
  return undefined;
}
