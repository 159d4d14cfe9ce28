// The cells of one row of a Markdown table, with their offsets.

export type TableCell = { start: number; end: number; text: string };

const maxColumns = 64;
const backslash = 92;
const pipe = 124;
const backtick = 96;

/** A pipe that is escaped or inside backticks separates nothing; linear in the length of the row. */
export function tableCells(source: string, start: number, end: number): TableCell[] {
  const cells: TableCell[] = [];
  const lastTick = start + source.slice(start, end).lastIndexOf("`");
  let from = start;
  let inCode = false;
  for (let at = start; at < end && cells.length < maxColumns - 1; at++) {
    const code = source.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === backtick) inCode = !inCode && at < lastTick;
    else if (code === pipe && !inCode) {
      if (at > start || from < at) cells.push(trimmed(source, from, at));
      from = at + 1;
    }
  }
  if (source.slice(from, end).trim() !== "") cells.push(trimmed(source, from, end));
  return cells;
}

function trimmed(source: string, from: number, to: number): TableCell {
  let [start, end] = [from, to];
  while (start < end && source.charCodeAt(start) <= 32) start++;
  while (end > start && source.charCodeAt(end - 1) <= 32) end--;
  return { start, end, text: source.slice(start, end) };
}
