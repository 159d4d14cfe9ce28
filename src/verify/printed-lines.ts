// Code behind a gutter of any kind: the numbers beside it and the lines of the file must agree, whatever the marks between them are.
import { strongCode } from "./claims.ts";
import { atWordBounds, normaliseCode } from "./normalise.ts";
import type { Range } from "./path-token.ts";
import type { SourceFile } from "./source-file.ts";

const mostRows = 400;
const leastCode = 6;
const empty = /^[^\p{L}\p{N}_{}()[\];]*(?:\d{1,7}[^\p{L}\p{N}_{}()[\];]*)?$/u;

/** The first line that `rows` show with their numbers, or with bars before each; undefined where a single row does not fit or the claimed line is not among them. */
export function printedAt(
  rows: string[],
  file: SourceFile,
  range: Range | null,
): number | undefined {
  if (rows.length > mostRows) return undefined;
  let first: number | undefined;
  let last = 0;
  let substance = 0;
  const others: string[] = [];
  for (const row of rows) {
    if (empty.test(row)) {
      // A number with nothing but marks beside it says that its line has no more.
      if (!row.includes(file.line(Number(/\d+/.exec(row)?.[0] ?? 0)).trim())) return undefined;
      continue;
    }
    const at =
      numberOf(row, file) ??
      behindBars(row, file, last > 0 ? nextFilled(file, last + 1) : range?.[0]);
    if (at !== undefined && at > last) {
      first ??= at;
      last = at;
      substance += file.line(at).trim().length;
    } else if (
      at !== undefined ||
      /^\W*(?:l|line\s?)?\d/i.test(row) ||
      /^\s*[|│┃┆¦]/.test(row) ||
      strongCode(row)
    )
      return undefined;
    else others.push(row);
  }
  if (first === undefined || substance < leastCode) return undefined;
  const top = first;
  // A message may stand among the lines; what has a line's number near theirs is a line, and it does not fit.
  if (
    others.some((row) =>
      row
        .slice(0, 160)
        .match(/\d{1,7}/g)
        ?.some((number) => Math.abs(Number(number) - last) <= rows.length + last - top),
    )
  )
    return undefined;
  return range === null || (first <= range[0] && range[0] <= last)
    ? (range?.[0] ?? first)
    : undefined;
}

/** The code of `line` stands with its number within a few rows below a place. */
export function isPrintedBelow(text: string, file: SourceFile, line: number): boolean {
  const [, ...below] = text.split("\n", 6);
  return below.some(
    (row) =>
      /^\W*\d/.test(row) &&
      endsInLine(row, file, line) &&
      file.line(line).trim().length >= leastCode,
  );
}

/** A number of the row whose line stands behind it. */
function numberOf(row: string, file: SourceFile): number | undefined {
  const numbers =
    row
      .slice(0, 160)
      .match(/\d{1,7}/g)
      ?.slice(0, 8) ?? [];
  const found = numbers.find((number) => endsInLine(row, file, Number(number)));
  if (found !== undefined) return Number(found);
  const behind = Number(/[^\p{L}\p{N}_](\d{1,7})[^\p{L}\p{N}_]{0,6}$/u.exec(row.slice(-40))?.[1]);
  return behind > 0 && beginsWithLine(row, file, behind) ? behind : undefined;
}

/** "code  // 45": the file's whole line, and behind it nothing but marks and its number. */
function beginsWithLine(row: string, file: SourceFile, line: number): boolean {
  const code = line > file.lineCount ? "" : normaliseCode(file.line(line).slice(0, 2000).trim());
  const written = normaliseCode(row.slice(0, 4000).trim());
  return (
    code !== "" &&
    written.startsWith(code) &&
    /^[^\p{L}\p{N}_]{1,8}\d{1,7}[^\p{L}\p{N}_]{0,6}$/u.test(written.slice(code.length))
  );
}

function endsInLine(row: string, file: SourceFile, line: number): boolean {
  const before = gutterOf(row, file, line);
  return (
    before !== undefined &&
    Number(/(?:^|\D)0*(\d{1,7})[^\p{L}\p{N}_]{0,6}$/u.exec(before)?.[1]) === line
  );
}

function behindBars(row: string, file: SourceFile, line: number | undefined): number | undefined {
  const before = line === undefined ? undefined : gutterOf(row, file, line);
  return before !== undefined && /^[|│┃┆¦>→»›•\s]+$/.test(before) ? line : undefined;
}

/** What stands before the file's whole line at the end of `row`. */
function gutterOf(row: string, file: SourceFile, line: number): string | undefined {
  if (line < 1 || line > file.lineCount) return undefined;
  const code = normaliseCode(file.line(line).slice(0, 2000).trim());
  const written = normaliseCode(row.slice(0, 4000).trim());
  const start = written.length - code.length;
  return code !== "" &&
    start > 0 &&
    written.endsWith(code) &&
    atWordBounds(written, start, written.length)
    ? written.slice(Math.max(0, start - 160), start)
    : undefined;
}

function nextFilled(file: SourceFile, from: number): number {
  let line = from;
  while (line < file.lineCount && file.line(line).trim() === "") line++;
  return line;
}
