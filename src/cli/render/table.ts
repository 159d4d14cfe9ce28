// Rows of text as columns for a terminal, and times as people say them.
import { displayWidth, oneLine } from "../../base/text/printable.ts";

/**
 * `width`: the terminal's columns; without it every row is one whole line. `paint` colours a cell
 * once it has its width.
 */
export type TableLook = {
  width?: number | undefined;
  paint?: (cell: string, row: number, column: number) => string;
};

const gap = "  ";
/** A last column that is cut still says something. */
const leastText = 24;

/**
 * A text for each row; columns that are empty in every row are left out. Where the terminal is too
 * narrow the last column is cut, or the row takes several lines.
 */
export function tableLines(
  rows: readonly (readonly string[])[],
  { width = Infinity, paint = (cell) => cell }: TableLook = {},
): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => displayWidth(row[column]!))),
  );
  const shown = widths.flatMap((columns, column) => (columns > 0 ? [column] : []));
  const last = shown.at(-1)!;
  const before = shown.slice(0, -1).reduce((sum, column) => sum + widths[column]! + gap.length, 0);
  if (before + Math.min(widths[last] ?? 0, leastText) > width)
    return rows.map((row, index) =>
      stacked(
        shown.map((column) => row[column]!),
        width,
        (cell, at) => paint(cell, index, shown[at]!),
      ),
    );
  const cellOf = (row: readonly string[], column: number): string =>
    column === last ? oneLine(row[column]!, width - before) : padded(row[column]!, widths[column]!);
  return rows.map((row, index) =>
    shown
      .map((column) => paint(cellOf(row, column), index, column))
      .join(gap)
      .trimEnd(),
  );
}

const padded = (cell: string, width: number): string =>
  cell + " ".repeat(Math.max(0, width - displayWidth(cell)));

/**
 * As many cells on a line as fit, never a break inside one; what follows the first line is set in.
 */
function stacked(
  cells: readonly string[],
  width: number,
  paint: (cell: string, at: number) => string,
): string {
  const lines: string[] = [];
  let used = 0;
  for (const [at, text] of cells.entries()) {
    if (text === "") continue;
    const cell = oneLine(text, Math.max(1, width - gap.length));
    const columns = displayWidth(cell) + gap.length;
    const fits = lines.length > 0 && used + columns <= width;
    if (fits) lines.push(`${lines.pop()!}${gap}${paint(cell, at)}`);
    else lines.push(`${lines.length > 0 ? gap : ""}${paint(cell, at)}`);
    used = fits ? used + columns : lines.length > 1 ? columns : columns - gap.length;
  }
  return lines.join("\n");
}

export function age(at: string | null): string {
  const seconds = at === null ? NaN : Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  if (Number.isNaN(seconds)) return "?";
  if (seconds < 120) return `${seconds} s ago`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h ago`
    : `${Math.round(seconds / 86_400)} days ago`;
}
