// Where a quotation stands in a file. Spacing, elisions, an added trailing comment and Markdown's
// escapes are forgiven, nothing else.
import { lastFew } from "../markdown/last-few.ts";
import { isWordCode, likenessTo, normaliseCode, wordsOf } from "./normalise.ts";
import type { Occurrence, SourceFile } from "./source-file.ts";

/**
 * A stretch of normalised code without a gap; `opens`, `closes`: the quotation shows the start of
 * its first line, the end of its last.
 */
type QuotedPiece = { text: string; opens: boolean; closes: boolean };

/** One reading of a quotation: pieces with gaps between them; `toLineEnd` where a comment was taken off the end. */
type Reading = { pieces: QuotedPiece[]; toLineEnd: boolean; widestGap: number };

const dots = String.raw`[([{<]?(?:\.{3,}|…|⋮|snip)[)\]}>]?[^\w]*`;
const isCode = String.raw`[^\n]*(?:\w[.([]\w|[=;])`;
const leftOut = String.raw`\b(?:omitted|existing|rest|more|lines?|code|snip|unchanged|other|etc)\b`;
/** "// ...", "… (12 more lines)". */
const elisionLine = new RegExp(
  String.raw`^\s*(?:\/\/|#|\/\*|<!--|--|;|\*)?\s*${dots}` +
    String.raw`(?:(?!${isCode})[^\n]*${leftOut}[^\n]*)?(?:\*\/|-->)?\s*$`,
  "i",
);
/** The last comment on a line: what the writer adds stands behind what was there. */
const trailingComment = /^(.*\S)\s+(?:\/\/|#(?=\s|!)|--\s|\/\*|<!--|<--+|←|;;).*$/;
const inlineElision = /\s*(?:\.{3}|…)\s*/;

const widestGap = 400;
/** What is left out within a line is seldom longer than a call's arguments. */
const widestInlineGap = 12;

/** What a quotation says whatever file it is compared with; one is compared with many places and many files. */
type Quotation = {
  literal: Reading;
  commented: boolean;
  loose: { decoded: Reading | undefined; elided: Reading | undefined } | undefined;
};

const quotationOf = lastFew(
  (lines: string[]): Quotation => ({
    literal: { pieces: pieces(lines), toLineEnd: false, widestGap },
    commented: lines.some((line) => trailingComment.test(line)),
    loose: undefined,
  }),
  (one, other) =>
    one === other ||
    (one.length === other.length && one.every((line, index) => line === other[index])),
);

/** Readings beside the literal one that depend on no file: Markdown's escapes undone, elisions inside lines. */
function looseReadings(lines: string[]): NonNullable<Quotation["loose"]> {
  const text = lines.join("\n");
  const plain = decode(text);
  const gap =
    lines.length > 1 && lines.some((line) => elisionLine.test(line)) ? widestGap : widestInlineGap;
  return {
    decoded:
      plain === text
        ? undefined
        : { pieces: pieces(plain.split("\n")), toLineEnd: false, widestGap },
    elided: inlineElision.test(text)
      ? { pieces: pieces(lines, true), toLineEnd: false, widestGap: gap }
      : undefined,
  };
}

/** Dots that stand in the file elide nothing. */
function isWholeLine(line: string, file: SourceFile): boolean {
  return file.find(normaliseCode(line.trim()), { limit: 1, opens: true, closes: true }).length > 0;
}

/** Consecutive lines as one normalised text; an elision starts a new piece. */
function pieces(lines: string[], inline = false): QuotedPiece[] {
  const found = [{ rows: [] as string[], opens: true, closes: true }];
  for (const line of lines) {
    const parts =
      lines.length > 1 && elisionLine.test(line)
        ? ["", ""]
        : inline
          ? line.split(inlineElision)
          : [line];
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        found.at(-1)!.closes = parts[index - 1]!.trim() === "";
        found.push({ rows: [], opens: part.trim() === "", closes: true });
      }
      const normal = normaliseCode(part.trim());
      if (normal !== "") found.at(-1)!.rows.push(normal);
    }
  }
  const telling: QuotedPiece[] = [];
  for (const { rows, opens, closes } of found) {
    const text = rows.join("\n");
    if (/[\w\u0080-\uffff]/.test(text) || text.length > 2) telling.push({ text, opens, closes });
  }
  return telling;
}

/** A trailing comment counts as added by the writer only where the file does not have it. */
function withoutAddedComment(line: string, file: SourceFile): string {
  const bare = line
    .replace(trailingComment, "$1")
    .replace(/(?<=\S)\s+(?:\/\/+|#+|--|\/\*|;;)$/, "");
  if (bare === line || bare.trim() === "") return line;
  return file.find(normaliseCode(line.trim()), { limit: 1 }).length > 0 ? line : bare;
}

function decode(text: string): string {
  if (!/[&\\“”‘’]/.test(text)) return text;
  return text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#0?39;|&apos;/g, "'")
    .replace(/&nbsp;/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\\([|`*_[\]<>])/g, "$1");
}

type Window = { from?: number; to?: number; limit?: number; whole?: boolean };

/**
 * Places where some reading of the quotation begins within [from, to]; `whole`: lines count only
 * where they are shown from start to end.
 */
export function findQuote(file: SourceFile, lines: string[], window: Window = {}): Occurrence[] {
  const quotation = quotationOf(lines);
  if (quotation.literal.pieces.length === 0) return [];
  const exact = findReading(file, quotation.literal, window);
  if (exact.length > 0) return exact;
  const { decoded, elided } = (quotation.loose ??= looseReadings(lines));
  const readings = [
    () => (quotation.commented ? uncommented(lines, file) : undefined),
    () => decoded,
    () =>
      elided &&
      lines.some(
        (line) =>
          inlineElision.test(line) &&
          !(lines.length > 1 && elisionLine.test(line)) &&
          !isWholeLine(line, file),
      )
        ? elided
        : undefined,
  ];
  for (const read of readings) {
    const reading = read();
    const found = reading ? findReading(file, reading, window) : [];
    if (found.length > 0) return found;
  }
  return [];
}

function uncommented(lines: string[], file: SourceFile): Reading | undefined {
  const bare = lines.map((line) => withoutAddedComment(line, file));
  return bare.some((line, index) => line !== lines[index])
    ? { pieces: pieces(bare), toLineEnd: true, widestGap }
    : undefined;
}

function findReading(
  file: SourceFile,
  { pieces: [first, ...rest], toLineEnd, widestGap: gap }: Reading,
  { from = 1, to = file.lineCount, limit = 200, whole = false }: Window,
): Occurrence[] {
  if (first === undefined) return [];
  const find = (
    { text, opens, closes }: QuotedPiece,
    at: { from: number; to: number; limit: number },
  ) =>
    file.find(text, {
      from: at.from,
      to: at.to,
      limit: at.limit,
      opens: whole && opens,
      closes: whole && closes,
      toLineEnd,
      cutStart: !opens,
      cutEnd: !closes,
    });
  const starts = find(first, { from, to, limit });
  if (rest.length === 0) return starts;
  const found: Occurrence[] = [];
  for (const start of starts) {
    let end = start.endLine;
    const complete = rest.every((piece) => {
      const [next] = find(piece, { from: end, to: end + gap, limit: 1 });
      if (next) end = next.endLine;
      return next !== undefined;
    });
    if (complete) found.push({ line: start.line, endLine: end });
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

/** The line of the file that is most like the quotation's first, if any is like it. */
export function mostAlike(file: SourceFile, lines: string[]): { line: number; score: number } {
  const first = lines.find((line) => line.trim() !== "" && !elisionLine.test(line)) ?? "";
  const rare = wordsOf(first)
    .filter((word) => word.length > 3)
    .map((word) => file.linesWith(word))
    .filter((found) => found.length > 0)
    .sort((a, b) => a.length - b.length);
  const candidates = new Set(rare.slice(0, 3).flatMap((found) => found.slice(0, 60)));
  const alike = likenessTo(first);
  let best = { line: 0, score: 0 };
  for (const line of candidates) {
    const score = alike(file.line(line));
    if (score > best.score) best = { line, score };
  }
  return best;
}
