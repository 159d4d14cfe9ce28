// The files that a message names, as far as they can be opened: what it says without a path is of one of them.
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Mention } from "../reading/paths/find-mentions.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";

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
