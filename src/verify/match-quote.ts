// Where a quotation stands in a file. Spacing, elisions, an added trailing comment and Markdown's escapes are forgiven, nothing else.
import { isWordCode, likenessTo, normaliseCode, wordsOf } from "./normalise.ts";
import type { Occurrence, SourceFile } from "./source-file.ts";

/** One reading of a quotation: pieces of normalised code with gaps between them; `toLineEnd` where a comment was taken off the end. */
type Reading = { pieces: string[]; toLineEnd: boolean };

const elisionLine = /^\s*(?:\/\/|#|\/\*|<!--|--|;|\*)?\s*[([{<]?(?:\.{3,}|…|⋮|snip)[)\]}>]?[^\w]*(?:[^\n]*\b(?:omitted|existing|rest|more|lines?|code|snip|unchanged|other|etc)\b[^\n]*)?(?:\*\/|-->)?\s*$/i;
/** The last comment on a line: what the writer adds stands behind what was there. */
const trailingComment = /^(.*\S)\s+(?:\/\/|#(?=\s|!)|--\s|\/\*|<!--|<--+|←|;;).*$/;
const inlineElision = /\s*(?:\.{3}|…)\s*/;

/** What a quotation says whatever file it is compared with; one is compared with many places and many files. */
type Quotation = { literal: Reading; commented: boolean; loose: Reading[] | undefined };

const quotations = new WeakMap<string[], Quotation>();

function quotationOf(lines: string[]): Quotation {
  const known = quotations.get(lines);
  if (known) return known;
  const quotation: Quotation = { literal: { pieces: pieces(lines), toLineEnd: false }, commented: lines.some((line) => trailingComment.test(line)), loose: undefined };
  quotations.set(lines, quotation);
  return quotation;
}

/** Readings beside the literal one that depend on no file: Markdown's escapes undone, elisions inside lines. */
function looseReadings(lines: string[]): Reading[] {
  const text = lines.join("\n");
  const decoded = decode(text);
  const readings = decoded === text ? [] : [{ pieces: pieces(decoded.split("\n")), toLineEnd: false }];
  if (inlineElision.test(text)) readings.push({ pieces: lines.flatMap((line) => (elisionLine.test(line) ? ["..."] : splitElided(line))).reduce(gatherPieces, [[]] as string[][]).flatMap(pieces), toLineEnd: false });
  return readings;
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
export function findQuote(file: SourceFile, lines: string[], window: Window = {}): Occurrence[] {
  const quotation = quotationOf(lines);
  if (quotation.literal.pieces.length === 0) return [];
  const literal = findReading(file, quotation.literal, window);
  if (literal.length > 0) return literal;
  if (quotation.commented) {
    const uncommented = lines.map((line) => withoutAddedComment(line, file));
    const found = uncommented.some((line, index) => line !== lines[index]) ? findReading(file, { pieces: pieces(uncommented), toLineEnd: true }, window) : [];
    if (found.length > 0) return found;
  }
  for (const reading of (quotation.loose ??= looseReadings(lines))) {
    const found = findReading(file, reading, window);
    if (found.length > 0) return found;
  }
  return [];
}

type Window = { from?: number; to?: number; limit?: number };

const widestGap = 400;

function findReading(file: SourceFile, { pieces: [first, ...rest], toLineEnd }: Reading, { from = 1, to = file.lineCount, limit = 200 }: Window): Occurrence[] {
  if (first === undefined) return [];
  const starts = file.find(first, { from, to, limit, toLineEnd });
  if (rest.length === 0) return starts;
  const found: Occurrence[] = [];
  for (const start of starts) {
    let end = start.endLine;
    const whole = rest.every((piece) => {
      const next = file.find(piece, { from: end, to: end + widestGap, limit: 1, toLineEnd })[0];
      if (next) end = next.endLine;
      return next !== undefined;
    });
    if (whole) found.push({ line: start.line, endLine: end });
  }
  return found;
}

/** Whether a quotation has enough in it to prove anything. */
export function isSubstantial(lines: string[]): boolean {
  let named = false;
  let words = 0;
  for (const line of lines) {
    let inWord = false;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      const isWord = isWordCode(code);
      if (isWord ? !inWord : !isSpace(code)) words++;
      named ||= isWord && code !== dollar;
      if (named && words > 1) return true;
      inWord = isWord;
    }
  }
  return false;
}

const dollar = 36;

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** How much of the quotation stands around `line`, 0 to 1: a share of equal lines, or the likeness of a single one. */
export function resemblance(file: SourceFile, lines: string[], line: number): number {
  const rows = lines.filter((row) => row.trim() !== "" && !elisionLine.test(row));
  if (rows.length === 0) return 0;
  const alike = likenessTo(rows[0]!);
  if (rows.length === 1) return Math.max(alike(file.line(line)), alike(file.line(line - 1)) - 0.15, alike(file.line(line + 1)) - 0.15);
  const window = { from: Math.max(1, line - 2), to: line + rows.length + 4, limit: 1 };
  const equal = rows.filter((row) => file.find(normaliseCode(row.trim()), window).length > 0).length / rows.length;
  return Math.max(equal, alike(file.line(line)) * 0.8);
}

/** The line of the file that is most like the quotation's first, if any is like it. */
export function mostAlike(file: SourceFile, lines: string[]): { line: number; score: number } {
  const first = lines.find((line) => line.trim() !== "" && !elisionLine.test(line)) ?? "";
  const rare = wordsOf(first).filter((word) => word.length > 3).map((word) => file.linesWith(word)).filter((found) => found.length > 0).sort((a, b) => a.length - b.length);
  const candidates = new Set(rare.slice(0, 3).flatMap((found) => found.slice(0, 60)));
  const alike = likenessTo(first);
  let best = { line: 0, score: 0 };
  for (const line of candidates) {
    const score = alike(file.line(line));
    if (score > best.score) best = { line, score };
  }
  return best;
}
