// Cuts a report into units (paragraph, list item, heading, table row, fence) in one linear pass; every offset is an offset of the report.

export type Piece = { start: number; text: string };

export type Unit = {
  kind: "text" | "heading" | "row" | "fence" | "quote";
  start: number;
  /** As long as the report's slice; line breaks are blanks in running text. */
  text: string;
  indent: number;
  bullet: boolean;
  /** An empty line stands before it. */
  apart: boolean;
  /** Rows: the cells, with the header that stands above each. */
  cells: (Piece & { header: string })[];
  /** Fences: the info string and the lines inside; block quotes: their lines. */
  info: string;
  lines: Piece[];
  /** Titles of the headings above, innermost last. */
  section: string[];
};

const none: never[] = [];

type Line = Piece & { trimmed: string; indent: number; apart: boolean };

const separatorRow = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;
const bulletStart = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
/** "[1] x.ts:45", "[^a]: x.ts:45", an element of HTML. */
const noteStart = /^\[\^?[\w-]{1,20}\](?::|\s)|^<(?:li|p|tr|dt|dd|summary)\b/i;

/** Splits `report`; nothing in it can make this throw or take more than linear time. */
export function splitUnits(report: string): Unit[] {
  const lines = splitLines(report);
  const units: Unit[] = [];
  const titles: { level: number; title: string }[] = [];
  let section: string[] = [];
  let headers: string[] = [];
  let open: Unit | undefined;
  const make = (kind: Unit["kind"], line: Line): Unit => {
    const unit: Unit = {
      kind,
      start: line.start,
      text: line.text,
      indent: line.indent,
      bullet: false,
      apart: line.apart,
      cells: none,
      info: "",
      lines: none,
      section,
    };
    units.push(unit);
    return unit;
  };
  const closing = fenceEnds(lines);
  const lastFilled = lines.findLastIndex((line) => line.trimmed !== "");
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const fence = fenceStart(line);
    if (fence && !isOuterFence(fence, units.length === 0, index >= lastFilled)) {
      const end = closing.get(index) ?? unclosedEnd(lines, index);
      const unit = make("fence", line);
      unit.info = fence.info;
      unit.lines = line.trimmed.startsWith(">")
        ? lines.slice(index + 1, end).map(unquoted)
        : lines.slice(index + 1, end);
      unit.text = report.slice(line.start, endOf(lines[Math.min(end, lines.length - 1)]!));
      index = closing.has(index) ? end : end - 1;
      open = undefined;
      headers = [];
    } else if (/^<pre\b/i.test(line.trimmed) || isIndentedCode(line, units.at(-1))) {
      const unit = make("fence", line);
      unit.lines = line.trimmed.startsWith("<")
        ? lines.slice(index, preEnd(lines, index)).map(untagged)
        : lines.slice(index, indentedEnd(lines, index)).map(dedented);
      index += unit.lines.length - 1;
      unit.text = report.slice(line.start, endOf(lines[index]!));
      open = undefined;
    } else if (line.trimmed === "" || fence) {
      open = undefined;
      headers = [];
    } else if (/^#{1,6}(?:\s|$)/.test(line.trimmed)) {
      const level = /^#+/.exec(line.trimmed)![0].length;
      while (titles.length > 0 && titles.at(-1)!.level >= level) titles.pop();
      make("heading", line);
      titles.push({ level, title: line.trimmed.slice(level).trim().slice(0, 200).toLowerCase() });
      section = titles.map(({ title }) => title);
      open = undefined;
    } else if (
      line.trimmed.includes("|") &&
      (headers.length > 0 || line.trimmed.startsWith("|") || isSeparator(lines[index + 1]))
    ) {
      open = undefined;
      if (isSeparator(lines[index + 1]))
        headers = splitCells(line, 0).map((cell) => cell.text.trim().toLowerCase());
      else if (!isSeparator(line))
        make("row", line).cells = splitCells(line, headers.length).map((cell, at) => ({
          ...cell,
          header: headers[at] ?? "",
        }));
    } else if (line.trimmed.startsWith(">")) {
      if (open?.kind !== "quote") {
        open = make("quote", line);
        open.lines = [];
      }
      open.lines.push({
        start: line.start + line.indent + 1,
        text: line.text.slice(line.indent + 1),
      });
      open.text = report.slice(open.start, endOf(line)).replace(/[\r\n]/g, " ");
    } else if (
      bulletStart.test(line.trimmed) ||
      noteStart.test(line.trimmed) ||
      open?.kind !== "text" ||
      open.text.length > 6000
    ) {
      open = make("text", line);
      open.bullet = bulletStart.test(line.trimmed);
    } else open.text = report.slice(open.start, endOf(line)).replace(/[\r\n]/g, " ");
  }
  return units;
}

/** Four blanks or a tab behind an empty line are code, except in a list, where they are its next level. */
function isIndentedCode(line: Line, last: Unit | undefined): boolean {
  return (
    line.trimmed !== "" &&
    /^(?: {4}|\t)/.test(line.text) &&
    line.apart &&
    last !== undefined &&
    !last.bullet &&
    (last.kind === "text" || last.kind === "heading")
  );
}

/** A line of a fence that stands in a block quote. */
function unquoted({ start, text }: Line): Piece {
  const width = /^\s*(?:> ?)?/.exec(text)![0].length;
  return { start: start + width, text: text.slice(width) };
}

/** The line behind the one that closes a `<pre>`; one that is not closed soon is no block. */
function preEnd(lines: Line[], start: number): number {
  for (let index = start; index < lines.length && index < start + 200; index++)
    if (/<\/pre>/i.test(lines[index]!.text)) return index + 1;
  return start + 1;
}

function untagged({ start, text }: Line): Piece {
  const width = /^\s*(?:<(?:pre|code)\b[^<>]{0,100}>){0,2}/i.exec(text)![0].length;
  const opens = text.slice(0, width).includes("<");
  return {
    start: start + (opens ? width : 0),
    text: text.slice(opens ? width : 0).replace(/(?:<\/(?:code|pre)>\s*){1,2}$/i, ""),
  };
}

function dedented({ start, text }: Line): Piece {
  const width = /^(?:\t| {1,4})?/.exec(text)![0].length;
  return { start: start + width, text: text.slice(width) };
}

function indentedEnd(lines: Line[], start: number): number {
  let end = start + 1;
  for (
    let index = start + 1;
    index < lines.length &&
    (lines[index]!.trimmed === "" || /^(?: {4}|\t)/.test(lines[index]!.text));
    index++
  )
    if (lines[index]!.trimmed !== "") end = index + 1;
  return end;
}

function endOf(line: Line): number {
  return line.start + line.text.length;
}

function splitLines(report: string): Line[] {
  const lines: Line[] = [];
  let at = -1;
  for (let start = 0; start <= report.length;) {
    // Looked for once a line, not once a part of a long one.
    if (at < start) at = report.indexOf("\n", start);
    if (at < 0) at = report.length;
    const end = cutLongLine(report, start, at);
    const text = report.slice(start, report[end - 1] === "\r" && end > start ? end - 1 : end);
    const trimmed = text.trim();
    lines.push({
      start,
      text,
      trimmed,
      indent: text.length - text.trimStart().length,
      apart: lines.length === 0 || lines.at(-1)!.trimmed === "",
    });
    start = report[end] === "\n" || end === report.length ? end + 1 : end;
  }
  return lines;
}

const longestLine = 4000;

/** An endless line is read in parts, cut at a blank where there is one. */
function cutLongLine(report: string, start: number, end: number): number {
  if (end - start <= longestLine) return end;
  const blank = report.slice(start, start + longestLine).lastIndexOf(" ");
  return start + (blank > 0 ? blank : longestLine);
}

function fenceStart(line: Line): { mark: string; info: string } | undefined {
  if (!line.trimmed.includes("```") && !line.trimmed.includes("~~~")) return undefined;
  const match = /^(?:>\s*)?(?:[-*+]\s+|\d{1,3}[.)]\s+)?(`{3,}|~{3,})\s*([^`]*)$/.exec(line.trimmed);
  return match ? { mark: match[1]!, info: match[2]!.trim() } : undefined;
}

/** For every line that opens a fence, the line that closes it. A line inside a fence opens nothing. */
function fenceEnds(lines: Line[]): Map<number, number> {
  const ends = new Map<number, number>();
  const bare = { "`": [] as number[], "~": [] as number[] };
  lines.forEach((line, index) => {
    const match =
      line.trimmed.endsWith("```") || line.trimmed.endsWith("~~~")
        ? /^(?:>\s*)?(`{3,}|~{3,})$/.exec(line.trimmed)
        : null;
    if (match) bare[match[1]![0] as "`" | "~"].push(index);
  });
  const next = { "`": 0, "~": 0 };
  for (let index = 0; index < lines.length; index++) {
    const fence = fenceStart(lines[index]!);
    if (!fence || (index === firstText(lines) && /^(?:markdown|md)$/i.test(fence.info))) continue;
    const letter = fence.mark[0] as "`" | "~";
    const candidates = bare[letter];
    while (next[letter] < candidates.length && candidates[next[letter]]! <= index) next[letter]++;
    let at = next[letter];
    while (
      at < candidates.length &&
      at < next[letter] + 50 &&
      lines[candidates[at]!]!.trimmed.replace(/^>\s*/, "").length < fence.mark.length
    )
      at++;
    const end = candidates[at];
    if (end === undefined) continue;
    ends.set(index, end);
    index = end;
  }
  return ends;
}

function firstText(lines: Line[]): number {
  return lines.findIndex((line) => line.trimmed !== "");
}

/** The ```markdown around a whole report is wrapping, not a quote. */
function isOuterFence({ info }: { info: string }, opens: boolean, closes: boolean): boolean {
  return (opens && /^(?:markdown|md)$/i.test(info)) || (closes && info === "");
}

/** A fence that nobody closed ends before the next heading, so that the rest of the report is still read. */
function unclosedEnd(lines: Line[], start: number): number {
  for (let index = start + 1; index < lines.length; index++)
    if (/^#{2,6}\s+\S/.test(lines[index]!.text)) return index;
  return lines.length;
}

function isSeparator(line: Line | undefined): boolean {
  return (
    line !== undefined &&
    line.trimmed.includes("-") &&
    line.trimmed.includes("|") &&
    separatorRow.test(line.trimmed)
  );
}

/** Cells between unescaped bars; bars inside backticks do not count where that fits the header. */
function splitCells(line: Line, expected: number): Piece[] {
  const outside = cutCells(line, true);
  if (expected === 0 || outside.length === expected) return outside;
  const all = cutCells(line, false);
  return all.length === expected ? all : outside;
}

const mostCells = 64;

function cutCells(line: Line, respectCode: boolean): Piece[] {
  const cells: Piece[] = [];
  const { text } = line;
  let from = text.indexOf("|") === line.indent ? line.indent + 1 : line.indent;
  let inCode = false;
  for (let index = from; index < text.length && cells.length < mostCells; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === "`" && respectCode) inCode = !inCode;
    else if (text[index] === "|" && !inCode) {
      cells.push({ start: line.start + from, text: text.slice(from, index) });
      from = index + 1;
    }
  }
  if (text.slice(from).trim() !== "")
    cells.push({ start: line.start + from, text: text.slice(from) });
  return cells;
}
