// Whether a quotation stands at a place of a file, compared by tokens: as written, with what was left
// out, with comments dropped or added, with lines wrapped otherwise.
import { findQuote, isSubstantial } from "../../../source/find-quote.ts";
import { likenessOfWords, likenessTo, normaliseCode, wordsOf } from "../../../source/normalise.ts";
import type { Occurrence, SourceFile } from "../../../source/source-file.ts";

export type Window = { from: number; to: number };

export const commentLine =
  /^\s*(?:\/\/|\/\*|\*|#(?!\[|include|define|if|endif)|--\s|<!--|"""|'''|;)/;
export const elision = /^\s*(?:\/\/|#|\/\*|<!--|--|;|\*)?\s*[([{<]?(?:\.{3,}|…|⋮)/;

/** The first place that overlaps the window where the whole quotation stands. */
export function findExcerpt(
  file: SourceFile,
  lines: string[],
  { from, to }: Window,
): Occurrence | undefined {
  if (!isSubstantial(lines)) return undefined;
  const reach = lines.length > 1 ? Math.max(1, from - lines.length - 20) : from;
  const exact = findQuote(file, lines, { from: reach, to, limit: 20 }).find(
    ({ endLine }) => endLine >= from,
  );
  if (exact) return exact;
  if (lines.length === 1)
    return opening(file, lines[0]!, { from, to }) ?? wrapped(file, lines, { from, to });
  return (
    inOrder(file, lines, { from: reach, to, first: from }) ?? wrapped(file, lines, { from, to })
  );
}

/** "if (x) { ... }": what stands before the dots at the end of a line. */
function opening(file: SourceFile, line: string, { from, to }: Window): Occurrence | undefined {
  const start = /^(.*?\S)\s*\{?\s*(?:\.{3}|…)\s*[})\]]*;?\s*(?:(?:\/\/|#).*)?$/.exec(line)?.[1];
  if (start === undefined || start.length < 12) return undefined;
  return file.find(normaliseCode(start.trim()), { from, to, limit: 1 })[0];
}

/** Each line that is code stands in the file, in order; the first and last known ones overlap the range. */
function inOrder(
  file: SourceFile,
  lines: string[],
  { from, to, first }: Window & { first: number },
): Occurrence | undefined {
  const filled = lines.filter((line) => /\w/.test(line) && !elision.test(line));
  const code = filled
    .filter((line) => !commentLine.test(line))
    .map((line) => normaliseCode(uncommented(line).trim()));
  const telling = code.findIndex((line) => line.length > 3);
  if (telling < 0 || code.join().length < 12) return undefined;
  const reach = Math.max(60, lines.length * 6);
  for (const start of file.find(code[telling]!, { from, to, limit: 20 })) {
    let end = start.endLine;
    const holds = code.slice(telling + 1).every((line) => {
      const next = file.find(line, { from: end, to: end + reach, limit: 1 })[0];
      if (next) end = next.endLine;
      return next !== undefined;
    });
    const isNear =
      end - start.line <= code.length * 2 + 4 ||
      start.line >= first ||
      code.some((line) => file.find(line, { from: first, to, limit: 1 }).length > 0);
    if (!holds || end < first || !isNear) continue;
    const comments = filled.filter((line) => commentLine.test(line));
    if (
      !comments.some((line) =>
        isChanged(line, file, [start.line - comments.length - 1, end + comments.length]),
      )
    )
      return { line: start.line, endLine: end };
  }
  return undefined;
}

/** A comment may be left out or added; one that nearly stands there was changed. */
function isChanged(comment: string, file: SourceFile, [from, to]: [number, number]): boolean {
  const normal = normaliseCode(comment.trim());
  const alike = likenessTo(comment);
  let best = 0;
  for (let line = Math.max(1, from); line <= Math.min(to + 2, file.lineCount); line++) {
    const text = file.line(line);
    if (normaliseCode(text.trim()).includes(normal)) return false;
    best = Math.max(best, alike(text));
  }
  return best >= slipOfComment;
}

const slipOfComment = 0.6;

export const uncommented = (line: string): string =>
  line
    .replace(/\s+(?:\/\/|#\s|--\s|\/\*|<!--|←|<--).*$/, "")
    .replace(/\s*\{?\s*(?:\.{3}|…)\s*[})\]]*;?\s*$/, "")
    .replace(/\s*[{\\]\s*$/, "");

/** The same tokens with line breaks elsewhere, beginning or ending in the window. */
function wrapped(file: SourceFile, lines: string[], { from, to }: Window): Occurrence | undefined {
  const code = tokensOf(lines.filter((line) => !elision.test(line)).join("\n"));
  if (code.length < 4 || code.length > 600) return undefined;
  if (!code.every((token) => file.holds(token))) return undefined;
  const first = Math.max(1, from - Math.max(lines.length, 6));
  const last = Math.min(file.lineCount, to + lines.length + 4, first + 400);
  const near = file.between(first, last);
  if (!code.every((token) => near.includes(token))) return undefined;
  const tokens: string[] = [];
  const at: number[] = [];
  for (let line = first; line <= last; line++)
    for (const token of wordsOf(file.line(line))) {
      if (closes.test(token) && tokens.at(-1) === ",") tokens[at.length - 1] = token;
      else at[tokens.push(token) - 1] = line;
    }
  for (let start = 0; start + code.length <= tokens.length && at[start]! <= to; start++) {
    let length = 0;
    while (length < code.length && tokens[start + length] === code[length]) length++;
    const end = at[start + code.length - 1]!;
    if (length === code.length && end >= from) return { line: at[start]!, endLine: end };
  }
  return undefined;
}

const closes = /^[)\]}]$/;

/** A comma before a closing mark, on whatever line that stands, is no difference. */
export const tokensOf = (code: string): string[] =>
  wordsOf(code.replace(/,\s*(?=[)\]}])|,\s*$/g, ""));

/** How far a quotation is a slip of what stands there: 0 where it may be a summary; `isAdded`: by one line. */
export function slipLikeness(
  file: SourceFile,
  lines: string[],
  { from, to }: Window,
): { likeness: number; isAdded: boolean } {
  const code = lines.filter(
    (line) => /\w/.test(line) && !commentLine.test(line) && !elision.test(line),
  );
  if (code.some((line) => /\.{3}(?![\w$])|…/.test(line))) return { likeness: 0, isAdded: false };
  const first = Math.max(1, from - 1);
  const last = Math.min(file.lineCount, Math.max(to, from + code.length * 2) + 1, from + 120);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    file.line(first + index),
  );
  const plain = rows.map((row) => normaliseCode(row.trim()));
  let words: string[][] | undefined;
  const best = (line: string): number => {
    const normal = normaliseCode(line.trim());
    if (
      plain.some(
        (row) => row !== "" && (row === normal || (normal.length > 11 && row.includes(normal))),
      )
    )
      return 1;
    words ??= rows.map(wordsOf);
    return Math.max(0, ...words.map(likenessOfWords(wordsOf(line))));
  };
  const found = code.map(best);
  if (found.length === 1) return { likeness: found[0]!, isAdded: false };
  const exact = found.filter((score) => score === 1).length;
  const strange = found.filter((score) => score < 0.7).length;
  const isAdded = strange === 1 && exact === found.length - 1 && exact > 1;
  const isSlip = exact * 2 >= found.length && (strange === 0 || isAdded);
  return { likeness: isSlip ? Math.max(0.6, exact / found.length) : 0, isAdded: isSlip && isAdded };
}
