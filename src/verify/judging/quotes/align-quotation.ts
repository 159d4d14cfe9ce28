// How a quotation that does not stand at a place compares with what does, token by token: an excerpt with
// things left out contradicts nothing; a token put in the place of another does.
import type { SourceFile } from "../../../source/source-file.ts";
import { commentLine, elision, tokensOf, uncommented, type Window } from "./find-excerpt.ts";

export type Alignment = {
  /** Share of the quotation's words that stand at the place, in order. */
  share: number;
  /** A token stands where the file has another one, between equal neighbours. */
  contradicts: boolean;
};

const apart: Alignment = { share: 0, contradicts: false };
/** So many pairs of tokens are compared at most. */
const most = 1_000_000;
/** What is left out between two tokens is longer than what replaces one. */
const longestSwap = 6;

export function alignQuotation(
  file: SourceFile,
  lines: readonly string[],
  { from, to }: Window,
): Alignment {
  const code = lines.filter((line) => !commentLine.test(line) && !elision.test(line));
  const quoted = spoken(code.map(uncommented));
  const first = Math.max(1, from - 1);
  const last = Math.min(file.lineCount, Math.max(to, from + code.length * 2) + 1, from + 200);
  const rows: string[] = [];
  for (let line = first; line <= last; line++)
    if (!commentLine.test(file.line(line))) rows.push(file.line(line));
  const there = spoken(rows);
  if (quoted.length < 2 || quoted.length * there.length > most) return apart;
  return alignTokens(quoted, there);
}

const spoken = (lines: readonly string[]): string[] =>
  tokensOf(lines.join("\n")).filter((token) => !/^[.…]$/.test(token));

/** By the longest common subsequence, the matches as near to each other as it allows. */
function alignTokens(quoted: readonly string[], there: readonly string[]): Alignment {
  const width = there.length + 1;
  const table = new Uint16Array((quoted.length + 1) * width);
  for (let row = quoted.length - 1; row >= 0; row--)
    for (let column = there.length - 1; column >= 0; column--) {
      const at = row * width + column;
      table[at] =
        quoted[row] === there[column]
          ? table[at + width + 1]! + 1
          : Math.max(table[at + width]!, table[at + 1]!);
    }
  const matched = matches(quoted, there, table);
  const words = quoted.filter(isWord).length;
  const share = matched.filter(({ row }) => isWord(quoted[row]!)).length / Math.max(1, words);
  const isOne = matched.length < quoted.length && matched.length >= quoted.length * least;
  return { share, contradicts: isOne && hasSwap(quoted, there, matched) };
}

const isWord = (token: string): boolean => /[\w\u0080-\uffff]/.test(token);

/** From this share on a quotation is one of what stands there. */
const least = 0.6;

type Match = { row: number; column: number };

function matches(quoted: readonly string[], there: readonly string[], table: Uint16Array): Match[] {
  const width = there.length + 1;
  const found: Match[] = [];
  let [row, column] = [0, 0];
  while (row < quoted.length && column < there.length) {
    const at = row * width + column;
    if (quoted[row] === there[column]) found.push({ row: row++, column: column++ });
    else if (table[at + 1]! > table[at + width]!) column++;
    else row++;
  }
  return found;
}

/** Between two matches, behind the last or before the first where the text beside it agrees word for word. */
function hasSwap(
  quoted: readonly string[],
  there: readonly string[],
  matched: readonly Match[],
): boolean {
  const isBetween = matched.some((match, index) => {
    const last = matched[index - 1];
    const strange = last ? match.row - last.row - 1 : 0;
    const instead = last ? match.column - last.column - 1 : 0;
    return strange > 0 && instead > 0 && strange <= longestSwap && instead <= longestSwap;
  });
  const end = matched.at(-1)!;
  const rest = quoted.length - 1 - end.row;
  const isAtEnd = rest > 0 && rest <= 2 && end.column + 1 < there.length;
  if (isBetween || (isAtEnd && isClosed(matched.slice(-leastBeside)))) return true;
  const [start] = matched as [Match];
  return (
    start.row === 1 &&
    isSpelledLike(quoted[0]!, there[start.column - 1] ?? "") &&
    isClosed(matched.slice(0, leastBeside))
  );
}

const leastBeside = 3;

const isClosed = (run: readonly Match[]): boolean =>
  run.length === leastBeside &&
  run.at(-1)!.row - run[0]!.row === leastBeside - 1 &&
  run.at(-1)!.column - run[0]!.column === leastBeside - 1;

/** A quotation may begin anywhere: only the same word with a letter more or less was changed. */
const isSpelledLike = (word: string, other: string): boolean =>
  Math.min(word.length, other.length) > 1 && (word.includes(other) || other.includes(word));
