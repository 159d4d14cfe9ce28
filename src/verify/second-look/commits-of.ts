// Commits that the parts of a document say they speak of: a log of many runs tells in each part of another
// state of the code, and at most one of them is the tree.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";

/** "**Scan commit:** `0b03b4f`", "HEAD: f5e39f5", "git_commit: 406e426". */
const field = new RegExp(
  String.raw`(?:^|[|>*_\s])(?:commit|head|sha|revision|git_commit)[*_\x60]{0,3}\s?[:=][*_\x60\s]{0,4}` +
    String.raw`([\da-f]{7,40})(?![\da-z])`,
  "i",
);
/** "## Round 2 (commit `32a3a55`)", "## Audit of 14 June, tip `bfc8baf`". */
const titled =
  /`(?=[\da-f]*\d)(?=[\da-f]*[a-f])([\da-f]{7,40})`|\bcommit ([\da-f]{7,40})(?![\da-z])/i;
const mostBlocks = 20_000;

/** By the offset of the heading of its part; undefined where the document names fewer than two. */
export function commitsOf(
  blocks: readonly MarkdownBlock[],
): ReadonlyMap<number, string> | undefined {
  const named = new Map<number, string>();
  for (const { heading, kind, text, start, level } of blocks.slice(0, mostBlocks)) {
    const title = kind === "heading" && level > 1 ? titled.exec(text) : null;
    if (title) named.set(start, (title[1] ?? title[2]!).slice(0, 7));
    if (heading === null || kind === "fence" || kind === "row" || named.has(heading.start))
      continue;
    const commit = field.exec(text.slice(0, 300))?.[1];
    if (commit !== undefined) named.set(heading.start, commit.slice(0, 7));
  }
  return new Set(named.values()).size < 2 ? undefined : named;
}

/** The commit that the part of a block, or one around it, speaks of. */
export function commitFor(
  block: MarkdownBlock,
  commits: ReadonlyMap<number, string>,
): string | undefined {
  for (let at = block.heading; at !== null; at = at.heading) {
    const commit = commits.get(at.start);
    if (commit !== undefined) return commit;
  }
  return undefined;
}
