// Whether a line of a block of code is a line of a file with a piece of it put in, left out or replaced: where the
// lines around it tell which line it is, or where it agrees in so much that no other line is meant.
import { findQuote } from "../../../source/find-quote.ts";
import { normaliseCode } from "../../../source/normalise.ts";
import type { SourceFile } from "../../../source/source-file.ts";
import { elision, uncommented } from "../../judging/quotes/find-excerpt.ts";
import type { ReadingUnit } from "../../reading/read-unit.ts";
import { tokensIn } from "./near-match.ts";

type Block = ReadingUnit["block"];

/** `index`: of the line in the block; `told`: the lines of the file that the words above the block give. */
export type AskedLine = { block: Block; index: number; told: readonly number[] };

/** The line of the file that it was made of. */
export function editedLine(asked: AskedLine, file: SourceFile): number | undefined {
  const own = asked.block.lines[asked.index]!.text;
  const beside = linesBeside(asked, file);
  const known = beside.find((line) => isEdit(own, file.line(line), "known"));
  if (known !== undefined) return known;
  const quoted = tokensIn(own);
  if (quoted.length < leastAlike) return undefined;
  const [rare] = [...new Set(quoted.filter((word) => /^\w{4,}$/.test(word)))]
    .map((word) => file.linesWith(word))
    .filter((lines) => lines.length > 0)
    .toSorted((a, b) => a.length - b.length);
  return rare?.slice(0, mostLines).find((line) => isEdit(own, file.line(line), "alike"));
}

/** A comment that the file has otherwise: what an agent adds stands where the file has none. */
export function otherComment(text: string, file: SourceFile): number | undefined {
  if (uncommented(text) === text) return undefined;
  const isWhole = file.find(normaliseCode(text.trim()), { limit: 1 }).length > 0;
  if (isWhole || elision.test(text)) return undefined;
  const places = findQuote(file, [text], { limit: 3 });
  return places.map(({ line }) => line).find((line) => isEdit(text, file.line(line), "alike"));
}

const mostLines = 60;
/** So many equal tokens tell the line without its neighbours. */
const leastAlike = 8;
const leastKnown = 3;

/** The lines of the file where this one belongs, by those that stand there as they are quoted, or as told. */
function linesBeside({ block, index, told }: AskedLine, file: SourceFile): number[] {
  const above = placesOf(block.lines[index - 1]?.text, file).map(({ endLine }) =>
    filled(file, endLine, 1),
  );
  const below = placesOf(block.lines[index + 1]?.text, file).map(({ line }) =>
    filled(file, line, -1),
  );
  return [...above, ...below, ...told].filter((line) => line > 0 && line <= file.lineCount);
}

const placesOf = (text: string | undefined, file: SourceFile) =>
  text === undefined || text.trim().length < 4 || elision.test(text)
    ? []
    : findQuote(file, [text], { limit: 8 });

/** The next line that is not empty. */
function filled(file: SourceFile, from: number, step: number): number {
  let line = from + step;
  while (line > 0 && line <= file.lineCount && file.line(line).trim() === "") line += step;
  return line;
}

/** One piece differs, and it is short, and says something. */
function isEdit(own: string, actual: string, by: "known" | "alike"): boolean {
  const [quoted, there] = [tokensIn(own), tokensIn(actual)];
  let first = 0;
  while (first < quoted.length && quoted[first] === there[first]) first++;
  let last = 0;
  const rest = Math.min(quoted.length, there.length) - first;
  while (last < rest && quoted.at(-1 - last) === there.at(-1 - last)) last++;
  const put = quoted.slice(first, quoted.length - last);
  const left = there.slice(first, there.length - last);
  if (put.length > longestPiece || left.length > longestPiece || first === 0) return false;
  if (quoted[first - 1] !== '"' && !saysMore(put, left)) return false;
  if (by === "known") return first + last >= leastKnown;
  return put.length > 0 && left.length > 0 && first + last >= leastAlike;
}

const longestPiece = 3;

/** Marks alone, a type or the case of letters may be written in several ways. */
function saysMore(put: readonly string[], left: readonly string[]): boolean {
  const isType = [put, left].some((piece) => [":", "as"].includes(piece[0]!) && piece.length > 1);
  const plain = (piece: readonly string[]): string =>
    piece.join("").toLowerCase().replace(/_/g, "");
  return !isType && plain(put) !== plain(left) && /[\w\\]/.test([...put, ...left].join(""));
}
