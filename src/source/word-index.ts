// Which files hold a word: an index of every word of as much text as the limits allow, and the search that
// answers the first few questions without one.
import { limits } from "../base/limits.ts";
import { isSecretPath, type RepositoryReader } from "./reader.ts";

const wordPattern = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]{1,79}/g;

/** Reads every path once, when it is made; secret files are left out. */
export class WordIndex {
  /** Numbers of paths: most words stand in one file, and a list for each would be most of the memory. */
  readonly #ids = new Map<string, number | number[]>();
  readonly #paths: string[];

  constructor(paths: Iterable<string>, textOf: (path: string) => string | undefined) {
    this.#paths = [...paths].filter((path) => !isSecretPath(path));
    let bytes = 0;
    for (const [id, path] of this.#paths.entries()) {
      if (bytes > limits.verify.indexBytes) break;
      const text = textOf(path);
      if (text === undefined) continue;
      bytes += text.length;
      for (const word of new Set(text.match(wordPattern))) addId(this.#ids, word, id);
    }
  }

  pathsWith(word: string): string[] {
    return this.#idsOf(word).map((id) => this.#paths[id]!);
  }

  /** How many files hold `word`. */
  spread(word: string): number {
    return this.#idsOf(word).length;
  }

  words(): Iterable<string> {
    return this.#ids.keys();
  }

  #idsOf(word: string): readonly number[] {
    const entry = this.#ids.get(indexKey(word));
    return entry === undefined ? [] : typeof entry === "number" ? [entry] : entry;
  }
}

/** What an index of all words costs, in searches. */
const indexCost = { ofMany: 2, ofFew: 1, few: 1_000 };
/** More words are not searched for together, and of more files nobody looks which has which. */
const mostTogether = 64;
const mostHolders = 256;

/** What a search asks of the repository that it is made for. */
type SearchedTree = {
  /** Those of the paths that are listed, in the order of the list. */
  listed: (paths: readonly string[]) => string[];
  count: () => number;
  textOf: (path: string) => string | undefined;
};

/** Remembers what was searched for, and how often. */
export class WordSearch {
  readonly #reader: RepositoryReader;
  readonly #tree: SearchedTree;
  readonly #found = new Map<string, string[]>();
  #searches = 0;
  #expected: Iterator<string> | undefined;

  constructor(reader: RepositoryReader, tree: SearchedTree) {
    this.#reader = reader;
    this.#tree = tree;
  }

  expect(words: Iterable<string>): void {
    this.#expected = words[Symbol.iterator]();
  }

  /** Files that hold all of the words; undefined where an index is cheaper by now, or nothing searches. */
  filesWith(words: readonly string[]): string[] | undefined {
    if (!this.#reader.search) return undefined;
    const key = words.join(" ");
    const known = this.#found.get(key);
    if (known) return known;
    const { ofMany, ofFew, few } = indexCost;
    if (this.#searches >= (this.#tree.count() > few ? ofMany : ofFew)) return undefined;
    const together = words.length === 1 ? this.#withExpected(key) : [];
    // So many names take several searches: an index answers them all.
    if (together.length > mostTogether) return undefined;
    if (together.length > 1) this.#searchTogether(together);
    const own = this.#found.get(key);
    if (own) return own;
    const found = this.#search(words);
    if (found) this.#found.set(key, found);
    return found;
  }

  /** Most of them stand nowhere or in few files. */
  #searchTogether(words: readonly string[]): void {
    const found = this.#search(words, "any");
    if (!found || found.length > mostHolders) return;
    for (const one of words) {
      const test = wholeWord(one);
      this.#found.set(
        one,
        found.filter((path) => test.test(this.#tree.textOf(path) ?? "")),
      );
    }
  }

  /** The word and those that are expected next. */
  #withExpected(word: string): string[] {
    const words = new Set([word]);
    while (this.#expected && words.size <= mostTogether) {
      const { done, value } = this.#expected.next();
      if (done) this.#expected = undefined;
      else if (!this.#found.has(indexKey(value))) words.add(indexKey(value));
    }
    return [...words];
  }

  #search(words: readonly string[], which?: "any"): string[] | undefined {
    this.#searches += 1;
    const found = this.#reader.search?.(words, which);
    return found && this.#tree.listed(found);
  }
}

/** Numbers and single letters are in no index. */
export const isIndexed = (word: string): boolean =>
  /^[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]/.test(word);

/** A name with hyphens is found by its longest part; a sigil is no part of a word. */
export function indexKey(word: string): string {
  if (!word.startsWith("$") && !word.includes("-")) return word;
  const parts = word.replace(/^\$+/, "").split("-");
  return parts.reduce(
    (longest, part) => (part.length > longest.length && /^[A-Za-z_]/.test(part) ? part : longest),
    parts[0]!,
  );
}

/** A word with no letter, digit or underscore beside it, as git's search takes it. */
export const wholeWord = (word: string): RegExp =>
  new RegExp(String.raw`(?<!\w)${word.replace(/[^\w]/g, String.raw`\$&`)}(?!\w)`);

function addId(words: Map<string, number | number[]>, word: string, id: number): void {
  const known = words.get(word);
  if (known === undefined) words.set(ownText(word), id);
  else if (typeof known === "number") words.set(word, [known, id]);
  else if (known.length < 256) known.push(id);
}

/** A longer part of a string keeps the whole string in memory; a copy of a word does not. */
const ownText = (word: string): string =>
  word.length < 13 ? word : (JSON.parse(`"${word}"`) as string);
