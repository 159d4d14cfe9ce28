// Lines that are said in words around a path: "(line 45)", "lines 3–9 of", "@ L45", "`x.ts`:45".
import { dash, readRange, toRange } from "./path-token.ts";
import type { Range } from "./path-token.ts";

const wrap = "[`*_\"'“”’)\\]}>]*";
const open = "[`*_\"'“(\\[]*";
const lineWord = "(?:lines?|ln|ll?\\.|rows?|L(?=\\d))";
const to = `(?:${dash}|\\bto\\b|\\bthrough\\b|\\bthru\\b|\\buntil\\b|\\band\\b(?=\\s(?:lines?\\s)?\\d+\\s?(?:of|in)\\b))`;
const spoken = `((?<![\\w-])-\\d{1,12}|\\d{1,12})(?:\\s?${to}\\s?(?:lines?\\s|L)?(\\d{1,12}))?`;
const more = `((?:\\s?(?:,|/|&|\\band\\b|\\bor\\b)(?:\\s?and\\b)?\\s?(?:lines?\\s)?:?L?\\d{1,12}(?:${dash}L?\\d{1,12})?(?![\\w%]|\\.\\d)){0,20})`;
const filler = "(?:(?:is|at|on|in|near|around|about|approximately|approx\\.?|circa|ca\\.|from|starting|beginning|begins|starts|between|see|cf\\.|@|~|the|its)\\s*){0,4}";
const after = new RegExp(`^${wrap}\\s*(?:<br\\s?/?>\\s*)?[,:;@–—|\\-(\\[{·→>=\\s]*${open}${filler}${open}${lineWord}\\s*(?:numbers?|nos?\\.?|nr\\.?|#|№)?\\s*${wrap}\\s*[:=#]?\\s*${open}\\s*${spoken}${more}`, "i");
const ordinal = "(\\d{1,12})(?:st|nd|rd|th)\\sline";
const before = new RegExp(`(?:^|[^\\w.])(?:${lineWord}\\s*(?:numbers?|nos?\\.?|#)?\\s*[:#]?\\s*${open}${spoken}${more}|${ordinal})${wrap}(?:,\\s+|\\s*[(\\[]|\\s*,?\\s*(?:of|in|from|at|within|inside|on|into|for)\\s+)(?:the\\s+)?(?:file\\s+|source\\s+)?${open}$`, "i");
/** The number stands outside the backticks or the bold. */
const detached = new RegExp(`^[\`*_"')\\]]*[:#]L?(\\d{1,12})(?::\\d+)?(?:${dash}L?(\\d{1,12}))?((?:,\\s?:?\\d{1,12}(?:${dash}\\d{1,12})?(?![\\w%]|\\.\\d)){0,20})(?![\\w]|\\.\\d)`);

export type SpokenLines = { ranges: Range[]; length: number };

/** Lines behind a path; `text` starts where the path ends. */
export function linesAfter(text: string): SpokenLines | undefined {
  const match = detached.exec(text) ?? after.exec(text.slice(0, 160));
  return match ? { ranges: [toRange(match[1]!, match[2]), ...moreRanges(match[3])], length: match[0].length } : undefined;
}

/** Lines before a path, "lines 45-52 of "; `text` ends where the path starts. */
export function linesBefore(text: string): SpokenLines | undefined {
  const match = before.exec(text.slice(-120));
  if (!match) return undefined;
  const first = match[1] ?? match[4]!;
  return { ranges: [toRange(first, match[2]), ...moreRanges(match[3])], length: match[0].length - (/^[^\w.]/.test(match[0]) ? 1 : 0) };
}

function moreRanges(text: string | undefined): Range[] {
  return text ? (text.match(anyRange) ?? []).map(readRange) : [];
}

const anyRange = new RegExp(`\\d{1,12}(?:${dash}L?\\d{1,12})?`, "g");
