// Rows of text as columns for a terminal, and times as people say them.

/** Columns that are empty in every row are left out; `paint` colours a cell once it has its width. */
export function tableLines(rows: readonly (readonly string[])[], paint: (cell: string, row: number, column: number) => string = (cell) => cell): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row, index) => row.map((cell, column) => paint(cell.padEnd(widths[column]!), index, column)).filter((_, column) => widths[column]! > 0).join("  ").trimEnd());
}

export function age(at: string | null): string {
  const seconds = at === null ? NaN : Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  if (Number.isNaN(seconds)) return "?";
  if (seconds < 120) return `${seconds} s ago`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h ago` : `${Math.round(seconds / 86_400)} days ago`;
}
