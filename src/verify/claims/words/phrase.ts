// Phrases as one writes them: `{name}` stands for a list of words, a space for any space, and a phrase
// begins and ends at a word's edge (an empty group there lifts that). Of thousands of phrases a sentence
// can hold a few: only those whose needed words stand in it are compiled and tried.
import { heldPieces, pieceId } from "./held-pieces.ts";
import { neededWords, type WordLists } from "./needed-words.ts";

/** Any of the phrases. A phrase that begins with `^` stands at the start, one that ends with `$` at the end. */
export function anyPhrase(phrases: readonly string[], lists: WordLists = {}): RegExp {
  return new Phrases(phrases, lists);
}

const maxKnown = 48;
const longestKnown = 2_000;

/** `needs`: groups of pieces; one of each must be there. `order`: its place among the phrases. */
type Row = {
  phrase: string;
  order: number;
  needs: readonly (readonly number[])[];
  compiled: RegExp | undefined;
};

/** Rows by the pieces of their first group; `free` are those that need nothing. */
type Rows = { all: readonly Row[]; byPiece: ReadonlyMap<number, readonly Row[]>; free: Row[] };

/**
 * Strings search by it as by one expression of all phrases in their order. Compiled as a whole such
 * expressions would take longer than the rest of a short run.
 */
class Phrases extends RegExp {
  readonly #phrases: readonly string[];
  readonly #lists: WordLists;
  #rows: Rows | undefined;
  /** What the last texts begin with: many readers ask one clause for the same phrases. */
  readonly #known = new Map<string, RegExpExecArray | null>();

  constructor(phrases: readonly string[], lists: WordLists) {
    super("", "gi");
    this.#phrases = phrases;
    this.#lists = lists;
  }

  override get source(): string {
    return this.#phrases.map((phrase) => sourceOf(phrase, this.#lists)).join("|");
  }

  override exec(text: string): RegExpExecArray | null {
    const found = this.#first(text, this.lastIndex);
    this.lastIndex = found ? found.index + found[0].length : 0;
    return found;
  }

  override [Symbol.search](text: string): number {
    return this.#first(text, 0)?.index ?? -1;
  }

  override *[Symbol.matchAll](text: string): RegExpStringIterator<RegExpExecArray> {
    for (let at = 0; at <= text.length;) {
      const found = this.#first(text, at);
      if (!found) return undefined;
      yield found;
      at = found.index + Math.max(1, found[0].length);
    }
    return undefined;
  }

  #first(text: string, from: number): RegExpExecArray | null {
    if (from > 0) return this.#search(text, from);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const found = this.#search(text, 0);
    if (this.#known.size >= maxKnown) this.#known.clear();
    if (text.length <= longestKnown) this.#known.set(text, found);
    return found;
  }

  /** The leftmost match; of two at one place that of the earlier phrase. */
  #search(text: string, from: number): RegExpExecArray | null {
    const rows = (this.#rows ??= this.#read());
    const { small, held, found: pieces } = heldPieces(text);
    let best: RegExpExecArray | null = null;
    for (const row of mayMatch(rows, pieces)) {
      if (!hasAll(row.needs, held)) continue;
      row.compiled ??= new RegExp(inSmallLetters(sourceOf(row.phrase, this.#lists)), "g");
      row.compiled.lastIndex = from;
      const found = row.compiled.exec(small);
      if (found && (best === null || found.index < best.index)) best = found;
      if (best?.index === from) break;
    }
    // In the letters of the text, not in small ones.
    if (best) best[0] = text.slice(best.index, best.index + best[0].length);
    return best;
  }

  #read(): Rows {
    const all = this.#phrases.map((phrase, order) => ({
      phrase,
      order,
      needs: neededWords(phrase, this.#lists).map((group) => group.map(pieceId)),
      compiled: undefined,
    }));
    const byPiece = new Map<number, Row[]>();
    for (const row of all)
      for (const piece of new Set(row.needs[0])) {
        const known = byPiece.get(piece);
        if (known) known.push(row);
        else byPiece.set(piece, [row]);
      }
    return { all, byPiece, free: all.filter(({ needs }) => needs.length === 0) };
  }
}

/** Those of which a first piece is there, in the order of the phrases: of hundreds a few. */
function mayMatch({ all, byPiece, free }: Rows, pieces: readonly number[]): readonly Row[] {
  if (all.length <= pieces.length) return all;
  let some: Row[] | undefined;
  for (const piece of pieces) {
    const found = byPiece.get(piece);
    if (found) some = some ? [...some, ...found] : [...free, ...found];
  }
  if (!some) return free;
  return some.length === 1
    ? some
    : some
        .sort((a, b) => a.order - b.order)
        .filter((row, index, sorted) => row !== sorted[index - 1]);
}

function hasAll(needs: Row["needs"], held: Uint8Array): boolean {
  for (const group of needs) {
    let isThere = false;
    for (const piece of group)
      if (held[piece] === 1) {
        isThere = true;
        break;
      }
    if (!isThere) return false;
  }
  return true;
}

function sourceOf(phrase: string, lists: WordLists): string {
  const body = expand(phrase, lists).replace(/ \?/g, "\\s*").replace(/ /g, "\\s+");
  const head = /^\^|^\(\?:\)/.test(body) ? "" : "(?<![\\p{L}\\d_])";
  const tail = /\$$|\(\?:\)$/.test(body) ? "" : "(?![\\p{L}\\d_])";
  return withLetterRanges(`${head}(?:${body})${tail}`);
}

/** A list may name other lists; one that names itself would be a mistake of this table. */
function expand(phrase: string, lists: WordLists): string {
  return phrase.replace(/\{([a-z]+)\}/g, (_, name: string) => {
    const words = lists[name];
    if (words === undefined) throw new Error(`no list of words is called ${name}`);
    return `(?:${words.map((word) => expand(word, lists)).join("|")})`;
  });
}

/**
 * Letters by ranges of the scripts: with `\\p{L}` an expression takes several times as long to compile,
 * and a short run would wait for it.
 */
const letters =
  "A-Za-z\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff\\uf900-\\ufdff" +
  "\\ufe70-\\ufefe\\uff21-\\uff3a\\uff41-\\uff5a\\uff66-\\uffdc";

const withLetterRanges = (source: string): string =>
  source.replace(/\[(?:\\.|[^\]\\])*\]|\\p\{L\}/g, (piece) =>
    piece.startsWith("[") ? piece.replaceAll("\\p{L}", letters) : `[${letters}]`,
  );

/** The text is in small letters too: an expression without regard to case takes far longer to compile. */
const inSmallLetters = (source: string): string =>
  source.replace(/\\(?:u[\da-f]{4}|.)|[^\\]+/gis, (piece) =>
    piece.startsWith("\\") ? piece : piece.toLowerCase(),
  );
