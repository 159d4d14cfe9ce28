// Numbers in a text that may be lines of a file, each with how much speaks for it.
import { emptyList } from "../../markdown/empty-list.ts";
import { weights } from "./weights.ts";

export type NumberedLines = {
  first: number;
  last: number;
  /** Offsets in the text. */
  start: number;
  end: number;
  /** How surely the number is a line. */
  weight: number;
  /** "around line 45". */
  vague: boolean;
  /** "57-onwards", "360+": it goes on from there. */
  open: boolean;
};

/** A long dash between blanks sets words apart. */
const dash = String.raw`(?:\s?[-‐‑‒–−~〜～]\s?|—|\.{2,3}|…)`;
const column = String.raw`(?:[:.C]\d{1,6}(?![\d-]))?`;
const range = String.raw`L?(\d{1,9})${column}(?:${dash}(?:L|#L)?(\d{1,9})${column})?`;
const onward = String.raw`([+]|ff?\b|\s?-\s?onwards?)?`;
const gluing = String.raw`(?:[:#@[|]{1,2}|\?plain=\d#|\((?=[Ll\d]))\s?(?:L|lines?[-=:\s]?|n)?`;
const glue = new RegExp(String.raw`[\x60*"'_)]{0,3}\s?${gluing}${range}${onward}`, "y");
const listed = new RegExp(
  String.raw`\s?(?:[,;/&+、]|(?<=\s)(?:and|und|et|y|e|og|en|и)(?=\s)|[和与と及])\s?:?${range}(?![\w.])`,
  "y",
);

type Glued = { ranges: readonly NumberedLines[] };
const none: readonly NumberedLines[] = emptyList();

/** What is written directly onto a path: `:45`, `:45:3`, `#L45-L52`, `(45,3)`, `:45-52, 70`. */
export function gluedNumbers(text: string, at: number): Glued & { end: number } {
  glue.lastIndex = at;
  const match = glue.exec(text);
  if (!match) return { ranges: none, end: at };
  const mark = match[0].replace(/^[`*"'_)]+/, "").trim()[0];
  if (countsSomething(match[0], mark, text.slice(glue.lastIndex, glue.lastIndex + 24)))
    return { ranges: none, end: at };
  const { hash, glued, apart } = weights.number;
  const isApart = mark === ":" && /:\s/.test(match[0]);
  const weight = isApart ? apart : mark === "#" && !/#L/.test(match[0]) ? hash : glued;
  const ranges = [toRange(match, { weight, at, open: match[3] !== undefined })];
  let end = glue.lastIndex;
  if (mark === "(" || mark === "[") return { ranges, end: closing(text, end) };
  for (listed.lastIndex = end; ; end = listed.lastIndex) {
    const next = listed.exec(text);
    if (!next || ranges.length > 200) break;
    ranges.push(toRange(next, { weight, at: next.index, open: false }));
  }
  return { ranges, end };
}

/** "x.ts (3 …", "x.ts #3" and "x.ts: 6 tests" apart from the name count something more often than a line. */
function countsSomething(written: string, mark: string | undefined, after: string): boolean {
  const apart = /^[`*"'_)]*\s/.test(written);
  if ((mark === "(" || mark === "|") && apart) return true;
  return /^[\w%]/.test(after) || (/\s/.test(written) && countWord.test(after));
}

const closing = (text: string, at: number): number => {
  const rest = /^(?:[,:;]\s?\d{1,6})?[)\]]/.exec(text.slice(at, at + 12));
  return at + (rest?.[0].length ?? 0);
};

function toRange(
  match: RegExpExecArray,
  { weight, at, open }: { weight: number; at: number; open: boolean },
): NumberedLines {
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  return { first, last, start: at, end: at + match[0].length, weight, vague: false, open };
}

/** `12:30:src/x.ts`, as editors write it, or `12-30:src/x.ts`. */
export function gluedBefore(text: string, at: number): Glued & { start: number } {
  const match = text.endsWith(":", at)
    ? /(?:^|[\s`])(\d{1,7})[:–-](\d{1,7}):$/.exec(text.slice(Math.max(0, at - 18), at))
    : null;
  if (!match) return { ranges: none, start: at };
  const start = at - match[0].trimStart().length;
  const lines = { first: Number(match[1]), last: Number(match[2]), start, end: at };
  return { ranges: [{ ...lines, weight: weights.number.glued, vague: false, open: false }], start };
}

const opening = String.raw`(?<![\w.$#+/-])(?:(?<=\bL)|(?<=^:|[\s\x60(]:)|(?<![:\d]))`;
const lineNames = "line|Zeile|ligne|línea|linha";
const wordedEnd =
  String.raw`(?:\s?(?:to|through|until|bis|à|a|al|до|至|到)\s?` +
  String.raw`(?:(?:${lineNames})\s)?L?(\d{1,9}))?`;
const spelled = new RegExp(
  String.raw`${opening}${range}${wordedEnd}([+]|ff?\b|\s?-?\s?onwards?)?(?![\w%]|[.:/]\d|-based)`,
  "gi",
);
const lineNoun =
  "lines?|ln|ll?|zeilen?|lignes?|l[ií]neas?|linhas?|righ[ae]|rows?|строк\\p{L}*|стр|行";
const lineTail = String.raw`[\x60*_.)"']*\s*(?:numbers?|no\.?|nr\.?|range|around|about|at|~|≈|ca\.)*`;
const lineWord = new RegExp(
  String.raw`(?:(?:^|[^\p{L}])(?:${lineNoun})|第)${lineTail}\s*[:=#~≈]?[\s\x60*_("]*$`,
  "iu",
);
/** `"startLine": 5`, `"line_end": 9`. */
const lineKey = /"(?:[a-z_]*_)?(?:[a-z]*L|l)ines?(?:_?[a-z]+|[A-Z][a-z]+)?"\s?:\s?["[]?$/;
const vagueWord =
  /(?:~|≈|around|about|approx\w*\.?|circa|ca\.|near|roughly|ungefähr|environ)[\s`*_]*(?:lines?|L|zeile)?[\s`*_:]*$/i;
const counted =
  "lines?|loc|sloc|ms|s|sec\\w*|min\\w*|%|kb|mb|gb|bytes?|tests?|files?|times?|items?|rows?|zeilen|lignes|" +
  "points?|issues?|errors?|warnings?|functions?|methods?|commits?|occurrences|matches";
const countWord = new RegExp(String.raw`^[\s\x60*_]*(?:${counted})\b`, "i");
/** Behind a colon stands what is said of the lines, not another line. */
const joined =
  /^[\s`*_]*(?:,|;|&|\/|\+|and|und|et|y|e|or|to)[\s`*_:]*(?:and|und|lines?|L)?[\s`*_]*$/i;

/** Numbers that the words around them call lines. `isLineColumn`: the header of their column does. */
export function spelledNumbers(text: string, isLineColumn = false): NumberedLines[] {
  const worded = wordedNumbers(text);
  const found = /\d/.test(text) ? numbersInDigits(text, isLineColumn) : [];
  return worded.length === 0 ? found : [...found, ...worded].sort((a, b) => a.start - b.start);
}

const ones = (
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
  "seventeen eighteen nineteen"
).split(" ");
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const german = "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(" ");
const valueOfWord = new Map([
  ...[...ones.entries(), ...german.entries()].map(([at, word]) => [word, at + 1] as const),
  ...tens.map((word, at) => [word, (at + 2) * 10] as const),
]);
const numeral =
  String.raw`(?:${tens.join("|")})(?:[-\s](?:${ones.slice(0, 9).join("|")}))?|` +
  [...ones, ...german].toReversed().join("|");
/** "On this line two things happen" counts things: what follows a line's number goes on about the line. */
const afterNumeral = String.raw`(?=\s+(?:of|in|from|at|is|and|or|von|ist|und)\b|\s*[,.;:)\x60]|\s*$)`;
const wordedForm = new RegExp(
  String.raw`(?<![\p{L}\d])(?<!\b(?:this|that|each|every|per|same|one|any)\s)(?:lines?|zeilen?)\s+` +
    String.raw`(${numeral})(?:\s+(?:to|through|bis)\s+(${numeral}))?${afterNumeral}`,
  "giu",
);

const lineAndWord = /(?:line|zeile)[ns]?\s+[^\d\s]/i;

/** "line two", "lines five to twenty-three". */
function wordedNumbers(text: string): NumberedLines[] {
  if (!lineAndWord.test(text)) return [];
  return [...text.matchAll(wordedForm)].map((match) => ({
    first: valueOf(match[1]!),
    last: valueOf(match[2] ?? match[1]!),
    start: match.index,
    end: match.index + match[0].length,
    weight: weights.number.word,
    vague: false,
    open: false,
  }));
}

const valueOf = (words: string): number =>
  words
    .toLowerCase()
    .split(/[-\s]/)
    .reduce((sum, word) => sum + (valueOfWord.get(word) ?? 0), 0);

/** What a number is a line by: a word for one before or behind it, an L, or a colon that nothing stands before. */
const tellsLine = /(?:^|[^\p{L}])[lzr]|l\d|line\w*":|стр|[行第]|(?:^|[\s`(]):\s?L?\d/iu;

function numbersInDigits(text: string, isLineColumn: boolean): NumberedLines[] {
  const found: NumberedLines[] = [];
  if (!isLineColumn && !tellsLine.test(text)) return found;
  spelled.lastIndex = 0;
  for (let match = spelled.exec(text); match; match = spelled.exec(text)) {
    const at = match.index;
    const before = text.slice(Math.max(0, at - 40), at);
    const end = at + match[0].length;
    const previous = found.at(-1);
    const isNext = previous !== undefined && joined.test(text.slice(previous.end, at));
    const weight = spelledWeight(match[0], before, {
      isLineColumn,
      after: text.slice(end, end + 24),
    });
    if (weight === 0 && !isNext) continue;
    const first = Number(match[1]);
    const last = Number(match[3] ?? match[2] ?? match[1]);
    const open = match[4] !== undefined;
    found.push({
      first,
      last,
      start: at - wordLength(before),
      end,
      weight: weight || previous!.weight,
      vague: vagueWord.test(before),
      open,
    });
  }
  return found;
}

/** How much of the text before a number is the word that calls it a line. */
const wordLength = (before: string): number =>
  lineWord.exec(before)?.[0].replace(/^[^\p{L}]+/u, "").length ?? 0;

function spelledWeight(
  written: string,
  before: string,
  { isLineColumn, after }: { isLineColumn: boolean; after: string },
): number {
  if (lineKey.test(before)) return weights.number.word;
  if (lineWord.test(before))
    return isAmount(written, before, after) ? weights.number.amount : weights.number.word;
  // "L1" to "L3" are levels more often than lines.
  if (/^L(?:\d{2}|\d.*\d|\d$)/.test(isLineColumn ? written : written.replace(/^L[1-3]$/, "")))
    return weights.number.word;
  if (/^\s?行/.test(after))
    return /^\s?行目/.test(after) ? weights.number.word : weights.number.amount;
  if (countWord.test(after)) return 0;
  if (isLineColumn) return weights.number.column;
  return /(?:^|[\s`(]):$/.test(before) ? weights.number.colon : 0;
}

const plural = /(?:lines|zeilen|lignes|l[ií]neas|linhas|righe|rows)[`*_]*\s*[:=][\s`*_]*$/i;

/** "Lines: 448": one number behind the plural. */
const isAmount = (written: string, before: string, after: string): boolean =>
  /^\d+$/.test(written) &&
  plural.test(before) &&
  !/^[\s`*_]*(?:[,;&/+]|and)\s*\D{0,8}\d/.test(after);

const lineTitle =
  String.raw`lines?|ln|l|line\s*(?:no\.?|numbers?|#|range)|start|end|from|to|row|zeilen?|lignes?|` +
  "l[ií]neas?|linhas?|righ[ae]|строк[аи]|行[号號]?|行番号";
const lineHeader = new RegExp(
  String.raw`^[\s\x60*_]*(?:${lineTitle}|.*\(lines?\)|.*[:/]\s*lines?)[\s\x60*_]*$`,
  "i",
);
const lengthHeader =
  /^[\s`*_]*(?:(?:total )?lines|loc|line count|zeilen|lignes|l[ií]neas|linhas|righe)[\s`*_]*$/i;

/** What a column's header makes of its numbers. */
export function columnKind(header: string): "line" | "length" | "other" {
  if (lengthHeader.test(header)) return "length";
  return lineHeader.test(header) ? "line" : "other";
}
