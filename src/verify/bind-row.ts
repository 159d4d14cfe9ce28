// Binds a table row: path and line columns make one reference, the other cells say what stands there.
import { bindText, onlyConnects, relates } from "./bind-text.ts";
import { claimAt, codeLike, isCode, isCodeShaped, symbolName, tightQuote } from "./claims.ts";
import type { Claim, QuoteEvidence, SymbolEvidence } from "./claims.ts";
import { codeSpans } from "./inline.ts";
import { toRange } from "./path-token.ts";
import type { Range } from "./path-token.ts";
import { lineWord } from "./line-words.ts";
import { actionPolarity, isDeniedOrProposed } from "./polarity.ts";
import type { Polarity } from "./polarity.ts";
import { findReferences } from "./references.ts";
import type { Reference } from "./references.ts";
import type { Repository } from "./repository.ts";
import type { Unit } from "./units.ts";

const fileHeader =
  /\b(?:file|path|location|where|module|source|ref|reference|file:line|datei|ort|fundstelle|fichier|emplacement|archivo|fichero|arquivo|bestand|place|site)s?\b|файл|文件|位置|ファイル|파일/;
const lineHeader = new RegExp(
  `^(?:${lineWord}(?:\\s*\\(s\\)|\\s*(?:no\\.?|numbers?|#|nr\\.?|range))?|lineno|ll?|ln|loc|@|at|pos\\.?|position|range|行[号番]?号?|줄|행)s?$`,
  "i",
);
/** Numbers below these count or order something; below any other header they may be lines. */
const countHeader =
  /^(?:#|no\.?|nr\.?|n|id|idx|index|rank|step|order)$|count|hits|uses|usages|occurrence|total|size|score|coverage|complexity|severity|priority|loc$|lines\s+(?:of|added|changed|removed)|added|removed|changes|tests?|time|ms|%/;
const startHeader = /^(?:start|starting|from|begin|first)(?:\s*line)?$/;
const endHeader = /^(?:end|ending|to|until|last)(?:\s*line)?$/;
const plainCodeHeader =
  /^(?:code|snippet|quote|excerpt|source line|line text|matched line|matching line|current code|actual code|code snippet)$/;
const nameHeader = /\b(?:symbol|function|method|class|identifier|name|item|entry|what)s?\b/;
/** Below these a word without backticks is a name, too. */
const onlyNames =
  /^(?:symbol|function|method|identifier|func|fn|funktion|bezeichner|fonction|funci[óo]n)(?:\s+name)?$/;
const codeHeader =
  /\b(?:code|quote|snippet|evidence|content|match|text|source line|excerpt|current|actual)\b/;
const proposalHeader =
  /\b(?:fix|suggest\w*|propos\w*|recommend\w*|replacement|should|new|after|solution|change)\b/;

type Cell = Unit["cells"][number];

/** Claims of one row; `context` is the file that a table without paths is about, or the one of the row above where this one says "ditto". */
export function bindRow(
  unit: Unit,
  repo: Repository,
  context: (ditto: boolean) => string | undefined,
): Claim[] {
  const section = unit.section.at(-1) ?? "";
  const placed = unit.cells.some((cell) => fileHeader.test(cell.header) && cell.text.trim() !== "");
  const read = unit.cells.map((cell) => {
    if (placed && isPlainCode(cell)) return { cell, bound: [] };
    const { references: all, inline } = findReferences(
      cell.text,
      repo,
      fileHeader.test(cell.header),
    );
    // A bare word in a column of names is a name, though a file may be called the same.
    const references = nameHeader.test(cell.header)
      ? all.filter(({ path, ranges }) => ranges.length > 0 || /[./]/.test(path))
      : all;
    const bound = bindText(
      cell.text,
      fileHeader.test(cell.header)
        ? references.map((reference) => withParenthesis(cell.text, reference))
        : references,
      { inline, offset: cell.start },
    );
    return {
      cell,
      bound: proposalHeader.test(cell.header) && !fileHeader.test(cell.header) ? [] : bound,
    };
  });
  const lines = lineCell(unit.cells, read, section);
  const polarity = unit.cells
    .map((cell) =>
      /action|operation|change|type|status|todo|step/.test(cell.header) || cell.header === ""
        ? actionPolarity(cell.text, section)
        : actionPolarity("", section),
    )
    .find((value) => value !== undefined);
  if (
    lines === undefined &&
    unit.cells.some(
      (cell, at) =>
        read[at]!.bound.length === 0 &&
        /^\s*[`*_]*L?\d{1,7}(?:\s?[-–]\s?\d{1,7})?[`*_]*\s*$/.test(cell.text) &&
        !countHeader.test(cell.header),
    )
  ) {
    for (const { bound } of read) for (const claim of bound) claim.unsure ||= claim.range === null;
  }
  const holders = read.filter(({ bound }) => bound.some((claim) => !claim.external));
  if (
    holders.length === 0 &&
    lines &&
    lines.ranges.length === 1 &&
    read.every(({ bound }) => bound.length === 0)
  ) {
    const path = context(
      unit.cells.some(({ header, text }) => fileHeader.test(header) && isDitto.test(text)),
    );
    const { cell, ranges } = lines;
    if (path !== undefined)
      return completed(
        claimAt({ start: cell.start, end: cell.start + cell.text.length, path, range: ranges[0]! }),
        {
          lines: undefined,
          polarity: undefined,
          others: unit.cells.filter((other) => other !== cell),
          alone: true,
        },
      );
  }
  const others = read
    .filter(({ bound }) => bound.length === 0)
    .map(({ cell }) =>
      /\bline/.test(cell.header) ? { ...cell, text: cell.text.replace(numberAtEnd, "") } : cell,
    )
    .filter((cell) => cell.start !== lines?.cell.start || lines.cell.text === "");
  const bare = holders.filter(
    ({ cell, bound }) =>
      bound.length === 1 &&
      bound[0]!.symbols.length + bound[0]!.quotes.length === 0 &&
      onlyConnects(around(cell, bound[0]!)),
  );
  const paired = holders.length === 1 ? pairing(others, holders[0]!.bound.length) : undefined;
  return read.flatMap(({ cell, bound }) =>
    bound.flatMap((claim, index) => {
      const own = paired
        ? { ...claim, symbols: [...claim.symbols, paired.symbols[index]!] }
        : claim;
      return completed(own, {
        lines,
        polarity,
        others: paired ? others.filter((cell) => cell !== paired.cell) : others,
        alone:
          (holders.length === 1 || (bare.length === 1 && bare[0]!.bound === bound)) &&
          bound.length === 1 &&
          (claim.range !== null || lines !== undefined || onlyConnects(around(cell, claim))),
      });
    }),
  );
}

/** "x.ts (45)" in a column of places. */
function withParenthesis(text: string, reference: Reference): Reference {
  const match =
    reference.ranges.length > 0 || reference.external
      ? null
      : /^[`*_]*\s*[([]L?(\d{1,7})(?:\s?[-–]\s?L?(\d{1,7}))?[)\]]\s*$/.exec(
          text.slice(reference.end),
        );
  return match
    ? {
        ...reference,
        end: reference.end + match[0].trimEnd().length,
        ranges: [toRange(match[1]!, match[2])],
        loose: true,
      }
    : reference;
}

function around({ start, text }: Cell, claim: Claim): string {
  return text.slice(0, claim.start - start) + text.slice(claim.end - start);
}

/** "`a`<br>`b`" beside "x.ts:4<br>x.ts:17": as many names as places, one below the other. */
function pairing(
  cells: Cell[],
  count: number,
): { cell: Cell; symbols: SymbolEvidence[] } | undefined {
  for (const cell of count > 1 ? cells : []) {
    const parts = /<br\s?\/?>/i.test(cell.text) ? cell.text.split(/<br\s?\/?>/i) : [];
    const names = parts.map((part) => symbolName(part.trim().replace(/^`+|`+$/g, "")));
    if (parts.length === count && names.every((name) => name !== undefined && !name.call))
      return {
        cell,
        symbols: names.map((name) => ({
          name: name!.name,
          plain: !cell.text.includes("`") || name!.everyday,
          accuses: "always",
          encloses: false,
        })),
      };
  }
  return undefined;
}

const isDitto = /^\s*(?:["“”″〃^]|''|,,|ditto|same(?:\s+file)?|idem|ibid\.?|dito)?\s*$/i;

/** Code without backticks in a column of code: a path in it is part of that code. */
function isPlainCode(cell: Cell): boolean {
  return plainCodeHeader.test(cell.header) && !cell.text.includes("`") && codeLike(cell.text);
}

type Completion = {
  lines: { cell: Cell; ranges: Range[] } | undefined;
  polarity: Polarity | undefined;
  others: Cell[];
  alone: boolean;
};

function completed(claim: Claim, { lines, polarity, others, alone }: Completion): Claim[] {
  if (claim.external) return [claim];
  const evidence = {
    symbols: [...claim.symbols, ...others.flatMap((cell) => cellSymbols(cell, alone))],
    quotes: [...claim.quotes, ...others.flatMap((cell) => cellQuotes(cell, alone))],
  };
  const full = {
    ...claim,
    ...evidence,
    unsure: claim.unsure && lines === undefined,
    polarity: claim.polarity === "present" ? (polarity ?? "present") : claim.polarity,
  };
  if (claim.range !== null || lines === undefined) return [full];
  return lines.ranges.map((range) => ({ ...full, range }));
}

/** The row's Line column. Under "Files created" a Lines column counts lines and names none. */
function lineCell(cells: Cell[], read: { bound: Claim[] }[], section: string): Completion["lines"] {
  const index = cells.findIndex(
    (cell, at) => read[at]!.bound.length === 0 && lineHeader.test(cell.header),
  );
  const cell = cells[index];
  if (!cell) return startAndEnd(cells) ?? linedCell(cells) ?? namelessCell(cells);
  const text = cell.text.replace(/[`*_]/g, "").trim();
  const counts = /^lines$|^loc$/.test(cell.header) && !/[-–—]/.test(text);
  if (
    counts &&
    (/created|modified|changed|written|added|new file/.test(section) ||
      cells.some((other) => /purpose|coverage|change/.test(other.header)))
  )
    return undefined;
  if (/^-\d{1,9}$/.test(text)) return { cell, ranges: [[Number(text), Number(text)]] };
  if (!/^(?:lines?\s*)?[:#L]?\d{1,9}(?::\d+)?(?:\s*(?:[-–—,~&]|to|and)\s*L?\d{1,9})*$/i.test(text))
    return undefined;
  const ranges = text.split(/,|&|\band\b/).map((part): Range => {
    const numbers = part.replace(/:\d+$/, "").match(/\d+/g)!.map(Number);
    return [numbers[0]!, numbers[1] ?? numbers[0]!];
  });
  return { cell, ranges };
}

/** The only number of a row, below no header: behind a path it is a line. */
function namelessCell(cells: Cell[]): Completion["lines"] {
  const numbers = cells.filter(({ text }) => /^\s*[`*_]*L?\d{1,7}[`*_]*\s*$/.test(text));
  const [cell] = numbers;
  if (!cell || numbers.length !== 1 || cell.header !== "" || cell === cells[0]) return undefined;
  const line = Number(/\d+/.exec(cell.text)![0]);
  return { cell, ranges: [[line, line]] };
}

/** "`foo` (45)" below "Function (Line)". */
function linedCell(cells: Cell[]): Completion["lines"] {
  const cell = cells.find(({ header, text }) => /\bline/.test(header) && numberAtEnd.test(text));
  const match = cell && numberAtEnd.exec(cell.text);
  return match
    ? { cell: { ...cell, text: "" }, ranges: [toRange(match[1]!, match[2])] }
    : undefined;
}

const numberAtEnd = /\s[([]L?(\d{1,7})(?:\s?[-–]\s?L?(\d{1,7}))?[)\]]\s*$/;

/** Two columns for the first and the last line. */
function startAndEnd(cells: Cell[]): Completion["lines"] {
  const numberIn = (header: RegExp) =>
    cells.find((cell) => header.test(cell.header) && /^\s*`?L?\d{1,9}`?\s*$/.test(cell.text));
  const [cell, last] = [numberIn(startHeader), numberIn(endHeader)];
  return cell
    ? { cell, ranges: [toRange(/\d+/.exec(cell.text)![0], last && /\d+/.exec(last.text)![0])] }
    : undefined;
}

/** Columns that grade a row. Their words may stand in code too, and say nothing about it. */
const labelHeader =
  /^(?:severity|priority|confidence|status|impact|likelihood|risk|verdict|grade|level|cvss)\b/;

function cellSymbols(cell: Cell, alone: boolean): SymbolEvidence[] {
  if (proposalHeader.test(cell.header) || labelHeader.test(cell.header)) return [];
  const text = cell.text.trim();
  const spans = codeSpans(cell.text);
  const whole = spans.length === 1 && text.startsWith("`") && text.endsWith("`");
  if (whole) {
    const symbol = symbolName(spans[0]!.text);
    return symbol && !symbol.call
      ? [
          {
            name: symbol.name,
            plain: symbol.everyday,
            accuses: alone ? "always" : "never",
            encloses: /scope|parent|container|enclosing|caller|context/.test(cell.header),
          },
        ]
      : [];
  }
  const word = text.replace(/^\*+|\*+$/g, "").replace(/\\(?=_)/g, "");
  if (spans.length === 0 && /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[\w$]+)*[?!]?(?:\(\))?$/.test(word)) {
    const column =
      /item|name|symbol|function|method|class|entry|component|identifier|definition|what|^$/.test(
        cell.header,
      );
    return [
      {
        name: word.replace(/\(\)$/, ""),
        plain: !(isCodeShaped(word) && onlyNames.test(cell.header)),
        accuses: alone && column ? "always" : "never",
        encloses: false,
      },
    ];
  }
  const beside =
    alone && spans.length === 1
      ? cell.text.slice(0, spans[0]!.start) + cell.text.slice(spans[0]!.end)
      : "";
  const accuses =
    !alone || spans.length !== 1
      ? "never"
      : onlyConnects(beside)
        ? "always"
        : relates(beside) || isDeniedOrProposed(cell.text.slice(0, spans[0]!.start))
          ? "typo"
          : "outside";
  return spans.flatMap((span) => {
    const symbol = symbolName(span.text);
    return symbol
      ? [
          {
            name: symbol.name,
            plain: symbol.everyday,
            accuses: symbol.call ? ("never" as const) : accuses,
            encloses: /\b(?:in|inside|within)\s+$/i.test(cell.text.slice(0, span.start)),
          },
        ]
      : [];
  });
}

function cellQuotes(cell: Cell, alone: boolean): QuoteEvidence[] {
  if (proposalHeader.test(cell.header)) return [];
  if (isPlainCode(cell))
    return [
      { lines: [cell.text.trim().replace(/\\\|/g, "|")], accuses: alone ? "always" : "never" },
    ];
  const spans = codeSpans(cell.text);
  const text = cell.text.trim();
  const whole = spans.length === 1 && text.startsWith("`") && text.endsWith("`");
  return spans
    .filter(
      (span) =>
        isCode(span.text) && (symbolName(span.text) === undefined || symbolName(span.text)!.call),
    )
    .map((span): QuoteEvidence => {
      const code = span.text.replace(/\\\|/g, "|");
      const told = codeHeader.test(cell.header);
      return alone && (told || (whole && !symbolName(span.text)))
        ? tightQuote(code, told)
        : { lines: [code], accuses: "never" };
    });
}
