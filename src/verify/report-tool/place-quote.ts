// Finds the lines that an agent quotes: equal token by token, spacing and line breaks aside, a
// middle left out with dots allowed. What stands in several places is picked by `near` or asked back.
import { enclosingSymbol } from "../../source/enclosing-symbol.ts";
import { isSubstantial, mostAlike } from "../../source/find-quote.ts";
import { atWordBounds, isWordCode, normaliseCode } from "../../source/normalise.ts";
import type { SourceFile } from "../../source/source-file.ts";

export type QuotedLines = { line: number; endLine: number };

export type QuotePlace =
  | ({ found: "one" } & QuotedLines)
  /** It stands in several places, and nothing tells which is meant. */
  | { found: "several"; places: (QuotedLines & { symbol: string | null })[] }
  /** The line that is most like it; null where none is. */
  | { found: "none"; nearest: { line: number; text: string } | null }
  | { found: "too_short" };

export type QuoteHints = {
  /** The definition around the quotation, a line of it, or its number. */
  near?: string | number | undefined;
  /** Names that the report uses for the finding: they pick where `near` is not given. */
  names?: readonly string[];
};

const maxPlaces = 500;
/** Lines that dots may stand for. */
const widestGap = 400;

export function placeQuote(file: SourceFile, quote: string, hints: QuoteHints = {}): QuotePlace {
  const text = quote.replace(/\r\n?/g, "\n");
  const lines = text.split("\n");
  if (!isSubstantial(lines)) return { found: "too_short" };
  const plain = findPieces(file, text);
  const found = plain.length > 0 ? plain : findNumbered(file, text);
  if (found.length === 0) {
    const { line, score } = mostAlike(file, lines);
    return {
      found: "none",
      nearest: score < 0.3 ? null : { line, text: file.line(line).trim().slice(0, 200) },
    };
  }
  const one = found.length === 1 ? found[0] : pick(file, found, hints);
  return one
    ? { found: "one", ...one }
    : {
        found: "several",
        places: found
          .slice(0, 20)
          .map((place) => ({ ...place, symbol: enclosingSymbol(file, place.line) })),
      };
}

/** Every place of normalised words in a file, token by token. */
export function findTokens(file: SourceFile, words: string, limit = maxPlaces): QuotedLines[] {
  const flat = flatten(normaliseCode(words.trim()));
  return flat === ""
    ? []
    : findFlat(flatOf(file), flat, { from: 0, limit }).map(({ lines }) => lines);
}

/** A file as one line in normal form; `starts` and `lines` map an offset to its line. */
type Flat = { text: string; starts: number[]; lines: number[] };

const flats = new WeakMap<SourceFile, Flat>();

function flatOf(file: SourceFile): Flat {
  const known = flats.get(file);
  if (known) return known;
  const { text, lines } = file.normal();
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  let last = 0;
  for (const row of text.split("\n")) {
    // A line break between two words is a blank, any other is nothing.
    if (length > 0 && isWordCode(last) && isWordCode(row.charCodeAt(0))) {
      parts.push(" ");
      length += 1;
    }
    starts.push(length);
    parts.push(row);
    length += row.length;
    if (row !== "") last = row.charCodeAt(row.length - 1);
  }
  const flat = { text: parts.join(""), starts, lines };
  flats.set(file, flat);
  return flat;
}

const flatten = (normal: string): string =>
  normal.replace(/\n+/g, (_break, at: number, all: string) => {
    const next = all.slice(at).search(/[^\n]/);
    return at > 0 &&
      next > 0 &&
      isWordCode(all.charCodeAt(at - 1)) &&
      isWordCode(all.charCodeAt(at + next))
      ? " "
      : "";
  });

type FlatPlace = { at: number; end: number; lines: QuotedLines };

function findFlat(
  { text, starts, lines }: Flat,
  words: string,
  { from, limit }: { from: number; limit: number },
): FlatPlace[] {
  const found: FlatPlace[] = [];
  for (
    let at = text.indexOf(words, from);
    at >= 0 && found.length < limit;
    at = text.indexOf(words, at + 1)
  ) {
    const end = at + words.length;
    if (!atWordBounds(text, at, at) || !atWordBounds(text, end, end)) continue;
    found.push({
      at,
      end,
      lines: { line: lines[rowAt(starts, at)]!, endLine: lines[rowAt(starts, end - 1)]! },
    });
  }
  return found;
}

/** The last row that begins at or before the offset. */
function rowAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Dots on a line of their own stand for lines, between blanks for a part of one. */
const leftOut =
  /\n[^\S\n]*(?:\/\/|#|\/\*|--)?[^\S\n]*(?:\.{3}|…)[^\S\n]*(?:\*\/)?[^\S\n]*\n| \.{3} |[^\S\n]*…[^\S\n]*/g;
const widestInlineGap = 12;

/** The words as they are; only where the file does not have them are dots read as a gap. */
function findPieces(file: SourceFile, quote: string): QuotedLines[] {
  const whole = findTokens(file, quote);
  if (whole.length > 0) return whole;
  const gaps = quote
    .match(leftOut)
    ?.map((dots) => (dots.includes("\n") ? widestGap : widestInlineGap));
  const [first, ...rest] = quote
    .split(leftOut)
    .map((piece) => flatten(normaliseCode(piece.trim())));
  // Every piece must say something of its own: a brace at the end stands anywhere.
  if (!gaps || first === undefined || ![first, ...rest].every((piece) => /\w/.test(piece)))
    return [];
  const flat = flatOf(file);
  const found: QuotedLines[] = [];
  for (const start of findFlat(flat, first, { from: 0, limit: maxPlaces })) {
    let { end } = start;
    let { endLine } = start.lines;
    const isComplete = rest.every((piece, index) => {
      const next = findFlat(flat, piece, { from: end, limit: 1 })[0];
      if (!next || next.lines.line - endLine > gaps[index]!) return false;
      ({ end } = next);
      ({ endLine } = next.lines);
      return true;
    });
    if (isComplete) found.push({ line: start.lines.line, endLine });
  }
  return innermost(found);
}

/** Of stretches that end at the same place the shortest: a longer one holds another beginning. */
const innermost = (found: readonly QuotedLines[]): QuotedLines[] => [
  ...new Map(found.map((place) => [place.endLine, place])).values(),
];

/**
 * The line numbers that Read writes before the lines are no part of them. They count only where the
 * lines really stand at these numbers.
 */
function findNumbered(file: SourceFile, quote: string): QuotedLines[] {
  const rows = quote.split("\n").filter((row) => row.trim() !== "");
  const gutters = rows.map((row) => /^\s*(\d{1,7})(?:\t|→)/.exec(row));
  const first = Number(gutters[0]?.[1]);
  if (gutters.length === 0 || gutters.some((gutter) => gutter === null)) return [];
  const text = rows.map((row, index) => row.slice(gutters[index]![0].length)).join("\n");
  return findPieces(file, text).filter(({ line }) => line === first);
}

/** The one place that the hints single out; undefined where they leave more than one. */
function pick(
  file: SourceFile,
  found: readonly QuotedLines[],
  { near, names = [] }: QuoteHints,
): QuotedLines | undefined {
  const word = typeof near === "string" ? near.trim() : near;
  const number =
    typeof word === "number" ? word : /^(?:lines?\s+|L)?(\d{1,7})$/i.exec(word ?? "")?.[1];
  if (number !== undefined) return nearestTo(found, [Number(number)]);
  if (typeof word === "string" && word !== "")
    return (
      (isName.test(word) ? within(file, found, word) : undefined) ??
      nearestTo(found, linesSaying(file, word))
    );
  const named = names.flatMap((name) => within(file, found, name) ?? []);
  return named.length > 0 && named.every((place) => place === named[0]) ? named[0] : undefined;
}

/** `login`, `Session.close()`, `function login`: anything longer is a line of the file. */
const isName =
  /^(?:(?:in|the|function|method|class|def|func|fn|interface|struct)\s+){0,3}[\w$.#:]+(?:\(.*\))?$/i;

/** The only place inside the one definition of that name. */
function within(
  file: SourceFile,
  found: readonly QuotedLines[],
  name: string,
): QuotedLines | undefined {
  const bare = /[A-Za-z_$][\w$]*(?=\W*$)/.exec(name.replace(/\(.*$/s, ""))?.[0];
  if (bare === undefined) return undefined;
  const definitions = file.definitionsOf(bare);
  const inside = found.filter(({ line, endLine }) =>
    definitions.some((start) => start <= line && endLine <= file.extentOf(start)),
  );
  if (inside.length === 1) return inside[0];
  const around = (inside.length > 0 ? inside : found).filter(
    ({ line }) => enclosingSymbol(file, line) === bare,
  );
  return around.length === 1 ? around[0] : undefined;
}

const linesSaying = (file: SourceFile, words: string): number[] =>
  findTokens(file, words, 50).flatMap(({ line, endLine }) =>
    line === endLine ? [line] : [line, endLine],
  );

/** The place that holds one of the lines, or is clearly the nearest to all of them. */
function nearestTo(
  found: readonly QuotedLines[],
  lines: readonly number[],
): QuotedLines | undefined {
  if (lines.length === 0) return undefined;
  const away = ({ line, endLine }: QuotedLines): number =>
    Math.min(...lines.map((at) => Math.max(line - at, at - endLine, 0)));
  const [first, second] = found
    .map((place) => ({ place, distance: away(place) }))
    .sort((a, b) => a.distance - b.distance);
  if (!first || !second) return first?.place;
  const isClear =
    first.distance === 0
      ? second.distance > 0
      : first.distance <= 20 && second.distance >= 2 * first.distance + 2;
  return isClear ? first.place : undefined;
}
