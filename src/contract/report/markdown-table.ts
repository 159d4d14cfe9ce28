// Markdown tables as they come: missing cells, missing outer pipes, escaped pipes, pipes in code.
import type { Line } from "./report-lines.ts";

export type Table = { type: "table"; columns: string[]; rows: string[][] };

const maxColumns = 64;
const delimiter = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/;

/** The table that begins at `index`, rows filled up to the header's width; null when there is none. */
export function readTable(
  lines: readonly Line[],
  index: number,
): { block: Table; next: number } | null {
  const header = lines[index]!.text;
  const rule = lines[index + 1]?.text;
  if (
    !header.includes("|") ||
    rule === undefined ||
    rule.length > 2_000 ||
    !delimiter.test(rule) ||
    !rule.includes("-")
  )
    return null;
  const columns = splitRow(header);
  // Rows are filled up to this width, so it bounds what a short text can be made to cost.
  if (columns.length === 0 || columns.length > maxColumns) return null;
  const rows: string[][] = [];
  let next = index + 2;
  for (
    ;
    next < lines.length && lines[next]!.text.includes("|") && lines[next]!.text.trim() !== "";
    next++
  )
    rows.push(fit(splitRow(lines[next]!.text), columns.length));
  return { block: { type: "table", columns, rows }, next };
}

/** Cells of a row; a pipe that is escaped or inside backticks separates nothing. */
export function splitRow(row: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let inCode = false;
  const trimmed = row.trim();
  for (let index = 0; index < trimmed.length; index++) {
    const character = trimmed[index]!;
    if (character === "\\" && trimmed[index + 1] === "|") {
      cell += "|";
      index += 1;
    } else if (character === "|" && !inCode) {
      cells.push(cell.trim());
      cell = "";
    } else {
      if (character === "`") inCode = inCode ? false : trimmed.includes("`", index + 1);
      cell += character;
    }
  }
  cells.push(cell.trim());
  if (trimmed.startsWith("|")) cells.shift();
  if (trimmed.endsWith("|") && cells.at(-1) === "") cells.pop();
  return cells;
}

const fit = (cells: string[], width: number): string[] =>
  cells.length >= width
    ? [...cells.slice(0, width - 1), cells.slice(width - 1).join(" | ")]
    : [...cells, ...Array.from({ length: width - cells.length }, () => "")];

/** The cell of the first column whose heading fits. */
export function cellOf(table: Table, row: readonly string[], pattern: RegExp): string | undefined {
  const at = table.columns.findIndex((column) => pattern.test(column.replace(/[*_`]/g, "").trim()));
  return at < 0 ? undefined : row[at];
}

export function renderTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapePipes).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** Pipes outside of backticks are escaped; inside they need none, as `splitRow` reads them. */
function escapePipes(cell: string): string {
  let result = "";
  let inCode = false;
  for (let index = 0; index < cell.length; index++) {
    const character = cell[index]!;
    if (character === "`") inCode = inCode ? false : cell.includes("`", index + 1);
    result += character === "|" && !inCode ? "\\|" : character;
  }
  return result;
}
