// Which files hold a word: every word of as much text as the limits allow.
import { limits } from "../base/limits.ts";
import { isSecretPath } from "./reader.ts";

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
