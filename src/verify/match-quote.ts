// Where a quotation stands in a file. Spacing, elisions, an added trailing comment and Markdown's escapes are forgiven, nothing else.
import { likeness, normaliseCode, wordsOf } from "./normalise.ts";
import type { Occurrence, SourceFile } from "./source-file.ts";

/** One reading of a quotation: pieces of normalised code with gaps between them; `toLineEnd` where a comment was taken off the end. */
type Reading = { pieces: string[]; toLineEnd: boolean };

const elisionLine = /^\s*(?:\/\/|#|\/\*|<!--|--|;|\*)?\s*[([{<]?(?:\.{3,}|…|⋮|snip)[)\]}>]?[^\w]*(?:[^\n]*\b(?:omitted|existing|rest|more|lines?|code|snip|unchanged|other|etc)\b[^\n]*)?(?:\*\/|-->)?\s*$/i;
/** The last comment on a line: what the writer adds stands behind what was there. */
const trailingComment = /^(.*\S)\s+(?:\/\/|#(?=\s|!)|--\s|\/\*|<!--|<--+|←|;;).*$/;
const inlineElision = /\s*(?:\.{3}|…)\s*/;

/** The readings of a quotation, the literal one first. */
function* readingsOf(lines: string[], file: SourceFile): Generator<Reading> {
  const literal = pieces(lines);
  if (literal.length === 0) return;
  yield { pieces: literal, toLineEnd: false };
  const text = lines.join("\n");
  const uncommented = lines.map((line) => withoutAddedComment(line, file));
  if (uncommented.some((line, index) => line !== lines[index])) yield { pieces: pieces(uncommented), toLineEnd: true };
  const decoded = decode(text);
  if (decoded !== text) yield { pieces: pieces(decoded.split("\n")), toLineEnd: false };
  if (inlineElision.test(text)) yield { pieces: lines.flatMap((line) => (elisionLine.test(line) ? ["..."] : splitElided(line))).reduce(gatherPieces, [[]] as string[][]).flatMap(pieces), toLineEnd: false };
}

function gatherPieces(groups: string[][], part: string): string[][] {
  if (part === "...") groups.push([]);
  else groups.at(-1)!.push(part);
  return groups;
}

function splitElided(line: string): string[] {
  const parts = line.split(inlineElision);
  return parts.length === 1 ? [line] : parts.flatMap((part, index) => (index === 0 ? [part] : ["...", part]));
}

/** Consecutive lines as one normalised text; an elision line starts a new piece. */
function pieces(lines: string[]): string[] {
  const found: string[][] = [[]];
  for (const line of lines) {
    if (elisionLine.test(line)) found.push([]);
    else {
      const normal = normaliseCode(line.trim());
      if (normal !== "") found.at(-1)!.push(normal);
    }
  }
  return found.map((rows) => rows.join("\n")).filter((piece) => /[\w\u0080-\uffff]/.test(piece) || piece.length > 2);
}

/** A trailing comment counts as added by the writer only where the file does not have it. */
function withoutAddedComment(line: string, file: SourceFile): string {
  const bare = line.replace(trailingComment, "$1");
  if (bare === line || bare.trim() === "") return line;
  return file.find(normaliseCode(line.trim()), { limit: 1 }).length > 0 ? line : bare;
}

function decode(text: string): string {
  return text
    .replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#0?39;|&apos;/g, "'").replace(/&nbsp;/g, " ").replace(/&amp;/g, "&")
    .replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/\\([|`*_[\]<>])/g, "$1");
}

/** Places where some reading of the quotation begins within [from, to]. */
export function findQuote(file: SourceFile, lines: string[], window: { from?: number; to?: number; limit?: number } = {}): Occurrence[] {
  for (const reading of readingsOf(lines, file)) {
    const found = reading.pieces.length === 0 ? [] : findReading(file, reading, window);
    if (found.length > 0) return found;
  }
  return [];
}

const widestGap = 400;

function findReading(file: SourceFile, reading: Reading, window: { from?: number; to?: number; limit?: number }): Occurrence[] {
  const [first, ...rest] = reading.pieces;
  const found: Occurrence[] = [];
  for (const start of file.find(first!, { ...window, toLineEnd: reading.toLineEnd })) {
    let end = start.endLine;
    const whole = rest.every((piece) => {
      const next = file.find(piece, { from: end, to: end + widestGap, limit: 1, toLineEnd: reading.toLineEnd })[0];
      if (next) end = next.endLine;
      return next !== undefined;
    });
    if (whole) found.push({ line: start.line, endLine: end });
  }
  return found;
}

/** Whether a quotation has enough in it to prove anything. */
export function isSubstantial(lines: string[]): boolean {
  const words = wordsOf(lines.join(" "));
  return words.some((word) => /[\w\u0080-\uffff]/.test(word)) && words.length > 1;
}

/** How much of the quotation stands around `line`, 0 to 1: a share of equal lines, or the likeness of a single one. */
export function resemblance(file: SourceFile, lines: string[], line: number): number {
  const rows = lines.filter((row) => row.trim() !== "" && !elisionLine.test(row));
  if (rows.length === 0) return 0;
  if (rows.length === 1) return Math.max(...[line - 1, line, line + 1].map((at) => likeness(rows[0]!, file.line(at)) - (at === line ? 0 : 0.15)));
  const window = { from: Math.max(1, line - 2), to: line + rows.length + 4, limit: 1 };
  const equal = rows.filter((row) => file.find(normaliseCode(row.trim()), window).length > 0).length / rows.length;
  return Math.max(equal, likeness(rows[0]!, file.line(line)) * 0.8);
}

/** The line of the file that is most like the quotation's first, if any is like it. */
export function mostAlike(file: SourceFile, lines: string[]): { line: number; score: number } {
  const first = lines.find((line) => line.trim() !== "" && !elisionLine.test(line)) ?? "";
  const rare = wordsOf(first).filter((word) => word.length > 3).sort((a, b) => file.linesWith(a).length - file.linesWith(b).length).filter((word) => file.linesWith(word).length > 0);
  const candidates = new Set(rare.slice(0, 3).flatMap((word) => file.linesWith(word).slice(0, 60)));
  let best = { line: 0, score: 0 };
  for (const line of candidates) {
    const score = likeness(first, file.line(line));
    if (score > best.score) best = { line, score };
  }
  return best;
}
