// Markdown written piece by piece, with a record of where each computed reference stands in it, and of
// what the runtime says in words of its own.

/** Which entry of the report a piece speaks for. */
export type Owner = { list: "findings" | "key_references"; index: number };

/** `place`: the reference itself; `quote`: the lines that it quotes. Offsets are UTF-16. */
export type Mark = { owner: Owner; part: "place" | "quote"; span: [number, number] };

/** `own`: where words of the runtime stand, which are nobody's claim. */
export type MarkedText = { text: string; marks: Mark[]; own: [number, number][] };

/** A text, a text that was computed for an entry, or words of the runtime. */
export type TextPiece = string | { owner?: Owner; part?: Mark["part"]; text: string };

export const runtimeWords = (text: string): TextPiece => ({ text });

export const place = (owner: Owner, text: string): TextPiece => ({ owner, part: "place", text });

export function joinPieces(pieces: readonly TextPiece[]): MarkedText {
  let text = "";
  const marks: Mark[] = [];
  const own: [number, number][] = [];
  for (const piece of pieces) {
    const start = text.length;
    text += typeof piece === "string" ? piece : piece.text;
    if (typeof piece === "string") continue;
    const span: [number, number] = [start, text.length];
    if (piece.owner && piece.part) marks.push({ owner: piece.owner, part: piece.part, span });
    else own.push(span);
  }
  return { text, marks, own };
}

/** A table of cells; an empty list of rows is no table. */
export function tableOf(
  columns: readonly string[],
  rows: readonly (readonly TextPiece[])[],
): TextPiece[] {
  return [
    `| ${columns.join(" | ")} |\n|${columns.map(() => "---").join("|")}|`,
    ...rows.flatMap((row): TextPiece[] => [
      "\n|",
      ...row.flatMap((cell): TextPiece[] => [" ", inCell(cell), " |"]),
    ]),
  ];
}

function inCell(cell: TextPiece): TextPiece {
  return typeof cell === "string"
    ? cellText(cell)
    : { ...cell, text: cell.text.replaceAll("|", "\\|") };
}

/** On one line, its pipes escaped; backticks that close nothing would swallow the next cell. */
function cellText(text: string): string {
  const line = inLine(text);
  const isBalanced = line.split("`").length % 2 === 1;
  return (isBalanced ? line : line.replaceAll("`", "'")).replaceAll("|", "\\|");
}

export const inLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A paragraph: what an agent writes cannot open a section, a list, a table or a fence here. */
export const paragraph = (text: string): string =>
  inLine(text)
    .replace(/^(?:[#>|*+=~_-]|`{3,}|\d{1,9}[.)](?=\s)|\s)+/, "")
    .replace(/`{3,}/g, "'''");

/** A fence that no line of the code can close. */
export function fenceOf(info: string, code: string): [string, string] {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return [`${fence}${info}\n`, `\n${fence}`];
}
