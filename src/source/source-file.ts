// One file's text, indexed lazily: its lines, its normal form, where a word stands, where it is defined.
import { definitionStrength } from "./definitions.ts";
import { LetterRuns } from "./letter-runs.ts";
import { atWordBounds, isWordCode, normalForm, type NormalForm } from "./normalise.ts";

export type Occurrence = { line: number; endLine: number };

/**
 * `opens`, `closes`: only from the start or to the end of a line; `cutStart`, `cutEnd`: dots stand
 * there, so that a word may be cut.
 */
type Search = {
  from?: number;
  to?: number;
  limit?: number;
  toLineEnd?: boolean;
  opens?: boolean;
  closes?: boolean;
  cutStart?: boolean;
  cutEnd?: boolean;
};

/** An indexed file; every line number counts from 1. */
export class SourceFile {
  readonly path: string;
  readonly text: string;
  /** Of most files of a tree nobody asks for a line. */
  #lineStarts: number[] | undefined;
  #normal: NormalForm | undefined;
  /** Made for the few files that are asked about words. */
  #wordLines: Map<string, number[]> | undefined;
  #definitions: Map<string, number[]> | undefined;
  readonly #extents = new Map<number, number>();
  readonly #runs: LetterRuns;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
    this.#runs = new LetterRuns(text);
  }

  /** Whether the text has these letters anywhere. */
  holds(letters: string): boolean {
    return !this.#runs.lacks(letters) && this.text.includes(letters);
  }

  get #starts(): number[] {
    return (this.#lineStarts ??= lineStarts(this.text));
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  line(number: number): string {
    const start = this.#starts[number - 1];
    if (start === undefined) return "";
    let end = (this.#starts[number] ?? this.text.length + 1) - 1;
    while (end > start && isLineBreak(this.text.charCodeAt(end - 1))) end--;
    return this.text.slice(start, end);
  }

  /** The text of these lines, with the breaks between them. */
  between(first: number, last: number): string {
    return this.text.slice(this.#starts[first - 1] ?? this.text.length, this.#starts[last]);
  }

  /** Lines on which `word` stands as a whole word, ascending. */
  linesWith(word: string): number[] {
    if (word === "") return []; // The search would never leave it.
    const cache = (this.#wordLines ??= new Map<string, number[]>());
    const known = cache.get(word);
    if (known) return known;
    const found: number[] = [];
    const { text } = this;
    let next = 0;
    let at = this.#runs.lacks(word) ? -1 : text.indexOf(word);
    for (; at >= 0; at = text.indexOf(word, next)) {
      next = at + word.length;
      if (!isWhole(text, at, word)) continue;
      const line = lastAtMost(this.#starts, at) + 1;
      found.push(line);
      next = this.#starts[line] ?? text.length;
    }
    if (cache.size > 4096) cache.clear();
    cache.set(word, found);
    return found;
  }

  hasWordAt(word: string, line: number): boolean {
    const text = this.line(line);
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      if (isWhole(text, at, word)) return true;
    return false;
  }

  /** Lines that define `word`, as far as patterns can tell: the most certain kind only. */
  definitionsOf(word: string): number[] {
    const cache = (this.#definitions ??= new Map<string, number[]>());
    const known = cache.get(word);
    if (known) return known;
    const lines = this.linesWith(word);
    let found: number[] = [];
    let best = 0;
    for (let index = 0; index < lines.length && index < 2000; index++) {
      const strength = definitionStrength(this.line(lines[index]!), word);
      if (strength > best) found = [];
      if (strength >= best && strength > 0) found.push(lines[index]!);
      best = Math.max(best, strength);
    }
    if (cache.size > 4096) cache.clear();
    cache.set(word, found);
    return found;
  }

  isDefinition(word: string, line: number): boolean {
    return definitionStrength(this.line(line), word) > 0;
  }

  /** Last line of the definition that starts at `line`, by indentation. */
  extentOf(line: number): number {
    const known = this.#extents.get(line);
    if (known !== undefined) return known;
    const indent = indentOf(this.line(line));
    let isOpen = opensBody.test(this.line(line));
    let end = line;
    for (let next = line + 1; next <= this.lineCount && next <= line + 2000; next++) {
      const text = this.line(next);
      if (text.trim() === "") continue;
      if (indentOf(text) <= indent) {
        if (!goesOn.test(text) && !(isOpen && directive.test(text))) break;
        isOpen = opensBody.test(text) || (isOpen && !closesBody.test(text));
      }
      end = next;
    }
    this.#extents.set(line, end);
    return end;
  }

  /** The line above that is indented less: what the line stands in. */
  opener(line: number): number | undefined {
    const indent = indentOf(this.line(line));
    if (indent === 0) return undefined;
    for (let above = line - 1; above > 0 && above > line - 200; above--) {
      const text = this.line(above);
      if (text.trim() !== "" && indentOf(text) < indent && !goesOn.test(text)) return above;
    }
    return undefined;
  }

  /**
   * Where normalised `code` (one or more lines, blank lines left out) stands, within [from, to], at
   * most `limit` places.
   */
  find(code: string, search: Search = {}): Occurrence[] {
    if (code === "" || this.#runs.lacks(code)) return [];
    const { from = 1, to = this.lineCount, limit = 200 } = search;
    const { text, starts, lines } = this.normal();
    const found: Occurrence[] = [];
    const first = firstAtLeast(lines, from);
    const beyond = to >= this.lineCount ? starts.length : firstAtLeast(lines, to + 1);
    if (first >= beyond) return found;
    // What begins behind the window is never looked at.
    const base = starts[first]!;
    const part =
      beyond === starts.length
        ? text.slice(base)
        : text.slice(base, starts[beyond]! - 1 + code.length);
    for (
      let next = part.indexOf(code);
      next >= 0 && found.length < limit;
      next = part.indexOf(code, next + 1)
    ) {
      const at = base + next;
      if (!standsWell(text, { at, code }, search)) continue;
      found.push({
        line: lines[lastAtMost(starts, at)]!,
        endLine: lines[lastAtMost(starts, at + code.length - 1)]!,
      });
    }
    return found;
  }

  /** The file in normal form without its blank lines; `lines` maps its rows to line numbers. */
  normal(): NormalForm {
    return (this.#normal ??= normalForm(this.text));
  }
}

const partWord =
  "end|else|elif|elsif|catch|except|rescue|ensure|finally|where|public:|private:|protected:|fi|done";
/** A line of a definition that is not indented: a bracket, or a part of the statement. */
const goesOn = new RegExp(String.raw`^\s*(?:[)\]}{>]|(?:${partWord})\b)`);
/** What stands at the margin of any body. */
const directive = /^#\s*(?:if|el|endif)/;
const opensBody = /\{\s*$/;
const closesBody = /^\s*\}/;

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

const dollar = 36;
const hyphen = 45;

/** A name on its own: a sigil may stand before it, and a name with hyphens ends only where no hyphen goes on. */
function isWhole(text: string, start: number, word: string): boolean {
  const end = start + word.length;
  const before = start === 0 ? 0 : text.charCodeAt(start - 1);
  const behind = end >= text.length ? 0 : text.charCodeAt(end);
  if (isWordCode(before) && before !== dollar && isWordCode(text.charCodeAt(start))) return false;
  if (isWordCode(behind) && isWordCode(text.charCodeAt(end - 1))) return false;
  if (!word.includes("-")) return true;
  return (
    !(before === hyphen && start > 1 && isWordCode(text.charCodeAt(start - 2))) &&
    !(behind === hyphen && isWordCode(text.charCodeAt(end + 1)))
  );
}

type Found = { at: number; code: string };

/** Whether what was found is cut only where the search lets it be. */
function standsWell(text: string, { at, code }: Found, search: Search): boolean {
  const end = at + code.length;
  return (
    (search.cutStart === true || atWordBounds(text, at, at)) &&
    (search.cutEnd === true || atWordBounds(text, end, end)) &&
    wholeRows(text, at, code) &&
    (!search.opens || at === 0 || text[at - 1] === "\n") &&
    (!search.closes || endsRow(text, end)) &&
    (!search.toLineEnd || end === text.length || text[end] === "\n")
  );
}

/** In a quotation of several lines the outer ones may be cut only where enough of them is left to know them by. */
function wholeRows(text: string, at: number, code: string): boolean {
  const firstEnd = code.indexOf("\n");
  if (firstEnd < 0) return true;
  const opens =
    at === 0 || text[at - 1] === "\n" || (code.slice(0, firstEnd).match(/\w+/g)?.length ?? 0) >= 3;
  const end = at + code.length;
  return (
    opens &&
    (end === text.length ||
      text[end] === "\n" ||
      (code.slice(code.lastIndexOf("\n")).match(/\w+/g)?.length ?? 0) >= 3)
  );
}

const rowRest = /[;,:)\]}{(\\]*(?:$|\n|\/\/|\/\*|#|--|<!--)/y;

/** Closing marks and a comment may be left off a line's end. */
function endsRow(text: string, at: number): boolean {
  rowRest.lastIndex = at;
  return at >= text.length || rowRest.test(text);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  // A final line break ends the last line, it does not begin another.
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop();
  return starts;
}

/** Index of the last entry that is not above `value`. */
function lastAtMost(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

function firstAtLeast(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indentOf(line: string): number {
  let width = 0;
  for (const letter of line) {
    if (letter === " ") width++;
    else if (letter === "\t") width += 4;
    else break;
  }
  return width;
}
