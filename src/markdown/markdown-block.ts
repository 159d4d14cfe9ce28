// One block of a Markdown document. `text` is a piece of the source of the same length, with the marks
// of quotes blanked out, so that an offset in the text is an offset in the source.
import { emptyList } from "./empty-list.ts";
import type { TableCell } from "./table-cells.ts";

export type CodeLine = { text: string; start: number };

export type MarkdownBlock = {
  /** `text`: a paragraph, or a part of one up to a hard break; `item`: the first paragraph of one. */
  kind: "heading" | "text" | "item" | "fence" | "row";
  /** UTF-16 offsets of the block's own text; a fence's are those of its code. */
  start: number;
  end: number;
  text: string;
  /** The heading above it, and so on outwards; a heading's own is the one that it stands under. */
  heading: MarkdownBlock | null;
  /** The list item that it belongs to. */
  parent: MarkdownBlock | null;
  /** 1 to 6 for headings, 7 for a line in bold that serves as one; for items the indent of the mark. */
  level: number;
  /** A blank line stands before it. */
  apart: boolean;
  /** It stands in a block quote. */
  quoted: boolean;
  info: string;
  /** The code of a fence, without the indent that the fence itself has. */
  lines: readonly CodeLine[];
  /** The header cells of a row's table; the header row has itself. */
  columns: readonly TableCell[];
  cells: readonly TableCell[];
};

const noCells: readonly TableCell[] = emptyList();
const noColumns: readonly TableCell[] = emptyList();
const noLines: readonly CodeLine[] = emptyList();

export const newBlock = (
  kind: MarkdownBlock["kind"],
  start: number,
  end: number,
): MarkdownBlock => ({
  kind,
  start,
  end,
  text: "",
  heading: null,
  parent: null,
  level: 0,
  apart: false,
  quoted: false,
  info: "",
  lines: noLines,
  columns: noColumns,
  cells: noCells,
});
