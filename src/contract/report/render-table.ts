// Markdown tables as they come: missing cells, escaped pipes, pipes in code.
import type { TableCell } from "../../markdown/table-cells.ts";

export type Table = { type: "table"; columns: string[]; rows: string[][] };

/** Header cells and rows as plain text; rows are filled up to the header's width. */
export function toTable(columns: readonly TableCell[], ...rows: (readonly TableCell[])[]): Table {
  return {
    type: "table",
    columns: columns.map(plainCell),
    rows: rows.map((cells) => toRow(columns, cells)),
  };
}

/** The cells of one row, as many as the header has. */
export const toRow = (columns: readonly TableCell[], cells: readonly TableCell[]): string[] =>
  fit(cells.map(plainCell), columns.length);

const plainCell = ({ text }: TableCell): string => text.replaceAll("\\|", "|");

function fit(cells: string[], width: number): string[] {
  if (cells.length === width && width > 0) return cells;
  return cells.length >= width
    ? [...cells.slice(0, width - 1), cells.slice(width - 1).join(" | ")]
    : [...cells, ...Array.from({ length: width - cells.length }, () => "")];
}

/** The headings of a table as columns are asked for: without marks. */
export const plainColumns = ({ columns }: Table): string[] =>
  columns.map((column) => column.replace(/[*_`]/g, "").trim());

export function renderTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapePipes).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** Pipes outside of backticks are escaped; inside they need none, as the document model reads them. */
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
