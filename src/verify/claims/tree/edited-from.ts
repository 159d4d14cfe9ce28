// Whether a shown text is a line of the tree with a token or two put in the place of others: what was left out
// is an abridgement, and what is only alike is something else.
import { tokensIn } from "../../message/quotes/near-match.ts";

const longest = 120;
const leastTokens = 6;
const leastWords = 3;

/** No more may differ than that, by how much agrees; what is said to be a line may differ in more. */
const mostEdits = (tokens: number, isSaid: boolean): number =>
  isSaid ? Math.floor(tokens * 0.45) : tokens >= 14 ? 3 : tokens >= 8 ? 2 : 1;

/** The text with the fewest edits of such a line; undefined where none is near enough. */
export function editedFrom<Line extends { text: string }>(
  text: string,
  lines: readonly Line[],
  how: { isWhole: boolean; isSaid: boolean } = { isWhole: false, isSaid: false },
): Line | undefined {
  const quoted = tokensOf(text);
  if (quoted.length < leastTokens || quoted.length > longest) return undefined;
  const near = lines
    .map((line) => ({ line, ...alignment(quoted, tokensOf(line.text).slice(0, 2 * longest), how) }))
    .filter(
      ({ edits, put, words }) =>
        edits <= mostEdits(quoted.length, how.isSaid) && put > 0 && words >= leastWords,
    )
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.line;
}

const tokensOf = (text: string): string[] => tokensIn(text.trim().replace(/[\s;,.{(]+$/, ""));

type Aligned = { edits: number; put: number; words: number };

/** The text laid into the line where it fits best, or onto all of it. `put`: its tokens that the line has not. */
function alignment(
  quoted: readonly string[],
  there: readonly string[],
  { isWhole }: { isWhole: boolean },
): Aligned {
  let row: Aligned[] = [0, ...there].map((_, at) => ({
    edits: isWhole ? at : 0,
    put: 0,
    words: 0,
  }));
  for (const token of quoted) {
    const next = [{ ...row[0]!, edits: row[0]!.edits + 1, put: row[0]!.put + 1 }];
    for (const [at, other] of there.entries()) {
      const before = row[at]!;
      const same = token === other;
      const step = {
        edits: before.edits + (same ? 0 : 1),
        put: before.put + (same ? 0 : 1),
        words: before.words + (same && /^\p{L}{2}/u.test(token) ? 1 : 0),
      };
      const above = { ...row[at + 1]!, edits: row[at + 1]!.edits + 1, put: row[at + 1]!.put + 1 };
      const left = { ...next[at]!, edits: next[at]!.edits + 1 };
      next.push([step, above, left].reduce((a, b) => (b.edits < a.edits ? b : a)));
    }
    row = next;
  }
  return isWhole ? row.at(-1)! : row.reduce((a, b) => (b.edits < a.edits ? b : a));
}

export const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, " ")
    .trim()} `;

const hole =
  /[$#]?\{[^{}]*\}|%[-+\d.]*[sdvqwxf]|"\s*\+[^+"]+\+\s*"|"\s*\+.*$|'\s*\+[^+']+\+\s*'|'\s*\+.*$/g;
const literal = /"((?:[^"\\\n]|\\.){3,300})"|'((?:[^'\\\n]|\\.){3,300})'|`([^`\n]{3,300})`/g;

/** A line, and the texts in it. */
export const wholesOf = (line: string): string[] => [
  line,
  ...[...line.matchAll(literal)].map((match) => match[1] ?? match[2] ?? match[3]!),
];

/** The line has a text with gaps that comes out as these words. */
export function mayBecome(line: string, text: string): boolean {
  if (line.search(hole) < 0 || text.search(hole) >= 0) return false;
  const own = plain(text).trim();
  return wholesOf(line).some((whole) => {
    const parts = whole.split(hole).map((part) => plain(part).trim());
    const known = parts.filter((part) => part !== "");
    if (parts.length < 2 || known.length === 0) return false;
    const length = known.join(" ").split(" ").length;
    let at = 0;
    for (const part of known) {
      const next = own.indexOf(part, at);
      if (next < 0) return false;
      at = next + part.length;
    }
    return length * 2 >= own.split(" ").length || own.startsWith(known[0]!);
  });
}
