// Findings as comma- or tab-separated values: with a header that names a file and a line, each row is read as a row of a table.
import type { Unit } from "./units.ts";

const mostRows = 5000;

/** The rows of a fence as units of a table; nothing where its first line is no such header. Quoted cells are left alone. */
export function separatedRows(unit: Unit): Unit[] {
  const [head, ...rows] = unit.lines.filter(({ text }) => text.trim() !== "").slice(0, mostRows);
  const mark =
    head === undefined || head.text.length > 400
      ? undefined
      : ["\t", ";", ","].find((sign) => head.text.split(sign).length > 2);
  if (mark === undefined) return [];
  const headers = head!.text.split(mark).map((name) => name.trim().toLowerCase());
  const named =
    headers.some((name) => /^(?:file|path|filename|location)$/.test(name)) &&
    headers.some((name) => /^(?:line|lineno|line_number|row|start_?line)$/.test(name));
  if (!named) return [];
  return rows.flatMap(({ start, text }): Unit[] => {
    const parts = text.split(mark);
    if (parts.length !== headers.length || text.includes('"')) return [];
    let at = start;
    const cells = parts.map((part, index) => {
      const cell = {
        start: at,
        text: part,
        header: headers[index]!.replace(/_/g, " ").replace(
          /^start\s?line$|^line number$|^lineno$/,
          "line",
        ),
      };
      at += part.length + 1;
      return cell;
    });
    return [{ ...unit, kind: "row", start, text, cells, lines: [], info: "" }];
  });
}
