// A change in a fence: its two sides, and the lines that the head of each part gives for them.
import type { CodeLine, MarkdownBlock } from "../../../markdown/markdown-block.ts";
import { placedClaim, type Claim } from "../claim.ts";
import { quoteEvidence, weighed, type Evidence } from "../find-evidence.ts";
import type { Mention } from "../paths/find-mentions.ts";
import type { NumberedLines } from "../spelled-numbers.ts";
import { weights } from "../weights.ts";

export type Hunk = { old: NumberedLines; now: NumberedLines };

const hunkHead = /^\s*@@ -(-?\d{1,7})(?:,(\d{1,7}))? \+(-?\d{1,7})(?:,(\d{1,7}))? @@/;

export function readHunk({ text }: CodeLine): Hunk | undefined {
  const match = hunkHead.exec(text);
  if (!match) return undefined;
  const side = (at: string, count = "1"): NumberedLines => ({
    first: Number(at),
    last: Number(at) + Math.max(1, Number(count)) - 1,
    start: 0,
    end: match[0].length,
    weight: weights.number.word,
    vague: false,
    open: false,
  });
  return { old: side(match[1]!, match[2]), now: side(match[3]!, match[4]) };
}

/** One side of a change stands at the lines that its head gives. */
export function hunkClaim(
  mention: Mention,
  at: number,
  { lines, hunk, block }: Change,
): Claim | undefined {
  const [quote] = changeEvidence(lines);
  if (!quote) return undefined;
  const isGone = lines.every(({ text }) => !text.startsWith("+"));
  const isNew = lines.every(({ text }) => !text.startsWith("-"));
  const claim = placedClaim(block, mention, at);
  const { old, now } = hunk;
  const [first, last] = [Math.min(old.first, now.first), Math.max(old.last, now.last)];
  claim.range = isGone ? old : isNew ? now : { ...now, first, last };
  // Of several changes the later ones move what the earlier ones gave.
  const isOnly = block.lines.filter(({ text }) => hunkHead.test(text)).length === 1;
  claim.evidence.push(weighed(quote, weights.evidence[isOnly ? "told" : "near"], false));
  return claim;
}

type Change = { lines: readonly CodeLine[]; hunk: Hunk; block: MarkdownBlock };

/** A change has two sides: one of them stands there. */
export function changeEvidence(lines: readonly CodeLine[]): Evidence[] {
  const code = lines
    .map(({ text }) => text)
    .filter((text) => !/^(?:@@|[-+]{3} |diff |index )/.test(text));
  const side = (left: string): string[] =>
    code
      .filter((text) => !text.startsWith(left))
      .map((text) => text.slice(/^[ +-]/.test(text) ? 1 : 0));
  const [old, now] = [side("+"), side("-")];
  if (old.length + now.length === 0) return [];
  const quote = quoteEvidence(old.length > 0 ? old : now, 0, 0);
  if (old.length > 0) quote.other = now;
  return [quote];
}
