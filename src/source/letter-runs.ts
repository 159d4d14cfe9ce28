// Tells without a search that a text does not hold a word: most words that are looked for in a file
// are not in it, and a search finds that out at the text's end.
import { isWordCode } from "./normalise.ts";

/** A search of a shorter text, or the first few of a text, cost less than going through it once. */
const shortText = 2_000;
const fewSearches = 3;

const runLength = 4;
const [leastBits, mostBits] = [12, 16];
const kelvin = 0x212a;
const noWidth = "\u200b";

/** The runs of four letters of a text, each as one bit of a small table that other runs may share. */
export class LetterRuns {
  readonly #text: string;
  #asked = 0;
  #table: Uint8Array | undefined;
  #shift = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True where a run of `part` is missing; `part` may be in the normal form of code. */
  lacks(part: string): boolean {
    if (this.#text.length < shortText || part.length < runLength) return false;
    if (this.#table === undefined && ++this.#asked <= fewSearches) return false;
    const table = (this.#table ??= this.#read());
    let run = 0;
    let length = 0;
    for (let at = 0; at < part.length; at++) {
      const code = part.charCodeAt(at);
      if (code > 127 || !isWordCode(code)) {
        length = 0;
        continue;
      }
      run = (run << 8) | code;
      if (++length < runLength) continue;
      const bit = placeOf(run, this.#shift);
      if ((table[bit >> 3]! & (1 << (bit & 7))) === 0) return true;
    }
    return false;
  }

  #read(): Uint8Array {
    const text = this.#text;
    const bits = Math.min(mostBits, Math.max(leastBits, Math.ceil(Math.log2(text.length))));
    const table = new Uint8Array(1 << (bits - 3));
    const shift = (this.#shift = 32 - bits);
    // The normal form may join the words on both sides of such a sign: any run may be in it.
    if (text.includes(noWidth)) return table.fill(255);
    let run = 0;
    let length = 0;
    for (let at = 0; at < text.length; at++) {
      const letter = text.charCodeAt(at);
      // The one sign beyond ASCII whose normal form is a letter of it.
      const code = letter === kelvin ? 75 : letter;
      if (code > 127 || !isWordCode(code)) {
        length = 0;
        continue;
      }
      run = (run << 8) | code;
      if (++length < runLength) continue;
      const bit = placeOf(run, shift);
      table[bit >> 3]! |= 1 << (bit & 7);
    }
    return table;
  }
}

const placeOf = (run: number, shift: number): number => Math.imul(run, 0x9e3779b1) >>> shift;
