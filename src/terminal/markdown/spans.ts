// A piece of Markdown text as spans, each with its style: code, bold, links. Lines are broken before
// they are coloured, so that no escape code is ever counted or cut.
import { displayWidth } from "../../base/text/printable.ts";
import { inlineCode } from "../../markdown/inline-code.ts";
import { inlineLinks } from "../../markdown/inline-links.ts";
import type { Paint, Style } from "../paint.ts";

export type Span = { text: string; style?: Style | undefined };

/** Only stars: two underscores are parts of names. */
const bold = /(\*\*)(?=\S)([^\n]{0,2000}?\S)\1/g;

/** Without colours the marks of code stay: they are all that sets it apart. */
export function readSpans(text: string, paint: Paint): Span[] {
  const hasColours = paint("cyan", "x") !== "x";
  const codes = inlineCode(text);
  const pieces = [
    ...codes.map(({ start, end, text: code }) => ({
      start,
      end,
      spans: [{ text: hasColours ? code : text.slice(start, end), style: "cyan" as const }],
    })),
    ...inlineLinks(text, codes)
      .filter(({ target }) => target !== "")
      .map(({ start, end, label, target }) => ({ start, end, spans: linkSpans(label, target) })),
  ].sort((a, b) => a.start - b.start);
  const spans: Span[] = [];
  let at = 0;
  for (const { start, end, spans: own } of pieces) {
    // A code span inside of a link's label belongs to the link.
    if (start < at) continue;
    spans.push({ text: text.slice(at, start) }, ...own);
    at = end;
  }
  return withBold([...spans, { text: text.slice(at) }]);
}

/** The target always stands there: a label alone could say anything. */
const linkSpans = (label: string, target: string): Span[] =>
  label === target || label === ""
    ? [{ text: target, style: "cyan" }]
    : [{ text: label }, { text: ` (${target})`, style: "dim" }];

/** Marks of bold may stand around code, so that they open in one span and close in another. */
function withBold(spans: readonly Span[]): Span[] {
  const whole = spans
    .map(({ text, style }) => (style ? "\u0000".repeat(text.length) : text))
    .join("");
  const marks = [...whole.matchAll(bold)].map(({ index, 0: all, 1: mark }) => ({
    from: index + mark!.length,
    to: index + all.length - mark!.length,
    mark: mark!.length,
  }));
  const result: Span[] = [];
  let at = 0;
  for (const { text, style } of spans) {
    if (style) result.push({ text, style });
    else result.push(...plainParts(text, at, marks));
    at += text.length;
  }
  return result.filter(({ text }) => text !== "");
}

type BoldMark = { from: number; to: number; mark: number };

/** The part of each mark inside of this text; the marks themselves are left out. */
function plainParts(text: string, offset: number, marks: readonly BoldMark[]): Span[] {
  const parts: Span[] = [];
  let at = 0;
  const upTo = (end: number, style?: Style): void => {
    const stop = Math.max(at, Math.min(text.length, end - offset));
    parts.push({ text: text.slice(at, stop), style });
    at = stop;
  };
  for (const { from, to, mark } of marks) {
    if (to + mark <= offset || from - mark >= offset + text.length) continue;
    upTo(from - mark);
    at = Math.max(at, Math.min(text.length, from - offset));
    upTo(to, "bold");
    at = Math.max(at, Math.min(text.length, to + mark - offset));
  }
  return [...parts, { text: text.slice(at) }];
}

export const spansWidth = (spans: readonly Span[]): number =>
  spans.reduce((sum, { text }) => sum + displayWidth(text), 0);

export const paintSpans = (spans: readonly Span[], paint: Paint): string =>
  spans.map(({ text, style }) => (style ? paint(style, text) : text)).join("");

/** Lines of at most `width` columns: broken between words where it can be, inside where it must. */
export function wrapSpans(spans: readonly Span[], width: number): Span[][] {
  const lines = new SpanLines(width);
  for (const word of wordsOf(spans)) lines.add(word);
  return lines.whole();
}

class SpanLines {
  readonly #width: number;
  readonly #lines: Span[][] = [[]];
  #used = 0;

  constructor(width: number) {
    this.#width = width;
  }

  add(word: readonly Span[]): void {
    const wide = spansWidth(word);
    if (this.#used > 0 && this.#used + 1 + wide > this.#width) this.#next();
    else if (this.#used > 0) this.#blank(word[0]?.style);
    for (const { text, style } of word)
      for (const piece of wide <= this.#width ? [text] : text) {
        if (this.#used > 0 && this.#used + displayWidth(piece) > this.#width) this.#next();
        this.#put(piece, style);
      }
  }

  whole(): Span[][] {
    return this.#lines;
  }

  /** Between two words of one style the blank has it too. */
  #blank(style: Style | undefined): void {
    this.#put(" ", this.#lines.at(-1)!.at(-1)?.style === style ? style : undefined);
  }

  #put(text: string, style: Style | undefined): void {
    const line = this.#lines.at(-1)!;
    const last = line.at(-1);
    if (last && last.style === style) line[line.length - 1] = { text: last.text + text, style };
    else line.push({ text, style });
    this.#used += displayWidth(text);
  }

  #next(): void {
    this.#lines.push([]);
    this.#used = 0;
  }
}

/** Words may reach over several spans: `code`, and the full stop behind it. */
function wordsOf(spans: readonly Span[]): Span[][] {
  const words: Span[][] = [[]];
  for (const { text, style } of spans)
    for (const [index, piece] of text.split(/\s+/).entries()) {
      if (index > 0) words.push([]);
      if (piece !== "") words.at(-1)!.push({ text: piece, style });
    }
  return words.filter((word) => word.length > 0);
}
