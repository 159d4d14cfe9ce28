// Lines that are said in words around a path: "(line 45)", "lines 3–9 of", "@ L45", "`x.ts`:45".
import { dash, readRange, toRange } from "./path-token.ts";
import type { Range } from "./path-token.ts";
import { countedLine, fileWord, lineWord, ofWord, toWord } from "./line-words.ts";

const wrap = "[`*_\"'“”’)\\]}>」』）】]*";
const open = "[`*_\"'“(\\[「『（【]*";
const to = `(?:${dash}|${toWord}|\\band\\b(?=\\s(?:lines?\\s)?\\d+\\s?(?:of|in)\\b))`;
const spoken = `((?<![\\w-])-\\d{1,12}|(?<=\\bline\\s)\\d{1,3},\\d{3}(?![\\d,])|\\d{1,12})(?:\\s?${to}\\s?(?:the\\s)?(?:${lineWord}\\s?)?(\\d{1,12}))?`;
const more = `((?:\\s?(?:,|/|&|\\band\\b|\\bor\\b)(?:\\s?and\\b)?\\s?(?:lines?\\s)?:?L?\\d{1,12}(?:${dash}L?\\d{1,12})?(?![\\w%]|\\.\\d)){0,20})`;
const filler =
  "(?:(?:is|at|on|near|around|about|approximately|approx\\.?|circa|ca\\.|from|starting|beginning|begins|starts|between|see|cf\\.|@|~|the|its|in|an|auf|ab|der|à|a|la|le|les|en|el|las|na|nas|em|alla|alle|op|på|на|в)\\s*){0,4}";
const after = new RegExp(
  `^${wrap}\\s*(?:<br\\s?/?>\\s*)?[,:;@–—|/\\-(\\[{·→>=\\s，、：；（]*${open}${filler}${open}${lineWord}\\s*(?:numbers?|nos?\\.?|nr\\.?|#|№)?\\s*${wrap}\\s*[:=#]?\\s*${open}\\s*${spoken}${more}`,
  "i",
);
const ordinal = "(\\d{1,12})(?:st|nd|rd|th)\\sline";
const before = new RegExp(
  `(?:^|[^\\w.])(?:${lineWord}\\s*(?:numbers?|nos?\\.?|#)?\\s*[:#]?\\s*${open}${spoken}${more}|${ordinal})${wrap}(?:,\\s+|\\s*[(\\[]|\\s*,?\\s*${ofWord}\\s+)(?:${fileWord}\\s+){0,2}${open}$`,
  "i",
);
/** The number stands outside the backticks or the bold. */
const detached = new RegExp(
  `^[\`*_"')\\]]*[:#：]L?(\\d{1,12})(?::\\d+)?(?:${dash}L?(\\d{1,12}))?((?:,\\s?:?\\d{1,12}(?:${dash}\\d{1,12})?(?![\\w%]|\\.\\d)){0,20})(?![\\w]|\\.\\d)`,
);

const counted = new RegExp(`^${wrap}[\\s，、：:(（]*(?:的|の|中|内|에서|의)?\\s?${countedLine}`);

export type SpokenLines = { ranges: Range[]; length: number };

/** Lines behind a path; `text` starts where the path ends. */
export function linesAfter(text: string): SpokenLines | undefined {
  if (!/\d/.test(text)) return undefined;
  const match =
    detached.exec(text) ?? after.exec(text.slice(0, 160)) ?? counted.exec(text.slice(0, 60));
  return match
    ? { ranges: [toRange(match[1]!, match[2]), ...moreRanges(match[3])], length: match[0].length }
    : undefined;
}

/** Lines before a path, "lines 45-52 of "; `text` ends where the path starts. */
export function linesBefore(text: string): SpokenLines | undefined {
  const near = text.slice(-120);
  const match = /\d/.test(near) ? before.exec(near) : null;
  if (!match) return undefined;
  const first = match[1] ?? match[4]!;
  return {
    ranges: [toRange(first, match[2]), ...moreRanges(match[3])],
    length: match[0].length - (/^[^\w.]/.test(match[0]) ? 1 : 0),
  };
}

function moreRanges(text: string | undefined): Range[] {
  return text ? (text.match(anyRange) ?? []).map(readRange) : [];
}

const anyRange = new RegExp(`\\d{1,12}(?:${dash}L?\\d{1,12})?`, "g");
