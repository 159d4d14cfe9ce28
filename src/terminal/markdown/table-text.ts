// A Markdown table in columns: cells are broken where the terminal is too narrow, and where it is far
// too narrow every row stands by itself with the names of its columns.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import type { Look } from "../paint.ts";
import { paintSpans, readSpans, spansWidth, wrapSpans, type Span } from "./spans.ts";

const gap = " │ ";
const leastColumn = 6;

/** `rows`: the header first. */
export function tableText(rows: readonly MarkdownBlock[], look: Look): string[] {
  const { width, paint } = look;
  const columns = Math.max(...rows.map(({ cells }) => cells.length));
  const cells = rows.map((row) =>
    Array.from({ length: columns }, (_, column) => cellSpans(row.cells[column]?.text, look)),
  );
  const widths = fitted(
    Array.from({ length: columns }, (_, column) =>
      Math.max(1, ...cells.map((row) => spansWidth(row[column]!))),
    ),
    width - gap.length * (columns - 1),
  );
  if (!widths) return stackedRows(cells, look);
  const rule = paint("dim", widths.map((columnWidth) => "─".repeat(columnWidth)).join("─┼─"));
  const [head = [], ...body] = cells;
  const bold = head.map((cell) => cell.map((span) => ({ ...span, style: "bold" as const })));
  return [
    ...rowLines(bold, widths, look),
    rule,
    ...body.flatMap((row) => rowLines(row, widths, look)),
  ];
}

const cellSpans = (text: string | undefined, { paint }: Look): Span[] =>
  readSpans((text ?? "").replaceAll("\\|", "|").replace(/<br ?\/?>/g, " "), paint);

/** The widest columns give way first; undefined where there is no room for all. */
function fitted(widths: readonly number[], room: number): number[] | undefined {
  if (widths.length * leastColumn > room && widths.reduce((sum, one) => sum + one, 0) > room)
    return undefined;
  const result = [...widths];
  for (let over = result.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    const widest = result.indexOf(Math.max(...result));
    result[widest]!--;
  }
  return result;
}

function rowLines(cells: readonly Span[][], widths: readonly number[], { paint }: Look): string[] {
  const broken = cells.map((cell, column) => wrapSpans(cell, widths[column]!));
  const height = Math.max(...broken.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    broken
      .map((lines, column) => {
        const spans = lines[at] ?? [];
        const fill = " ".repeat(Math.max(0, widths[column]! - spansWidth(spans)));
        return `${paintSpans(spans, paint)}${fill}`;
      })
      .join(paint("dim", gap))
      .trimEnd(),
  );
}

function stackedRows(rows: readonly Span[][][], { width, paint }: Look): string[] {
  const [head = [], ...body] = rows;
  return body.flatMap((row, index) => [
    ...(index > 0 ? [""] : []),
    ...row.flatMap((cell, column) => {
      const name = head[column]!.map((span) => ({ ...span, style: "bold" as const }));
      const spans: Span[] = [...name, { text: ": ", style: "bold" }, ...cell];
      return wrapSpans(spans, width).map((line) => paintSpans(line, paint));
    }),
  ]);
}
