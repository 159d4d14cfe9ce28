// Which of the pieces that phrases need stand in a text: one pass over the text for all phrases, kept
// while the same few texts are asked about again and again.
import { anyDigit } from "./needed-words.ts";

/** `small`: the text in small letters, as long as it was. */
export type HeldPieces = { small: string; holds: (piece: number) => boolean };

const ids = new Map<string, number>();
const pieces: string[] = [];
/** Pieces by their first two letters as one number; those of one letter by that letter. */
const byStart = new Map<number, number[]>();

/** The number of a piece of text; the same piece has the same number. */
export function pieceId(piece: string): number {
  const known = ids.get(piece);
  if (known !== undefined) return known;
  const id = pieces.push(piece) - 1;
  ids.set(piece, id);
  const start = startOf(piece, 0, Math.min(2, piece.length));
  byStart.set(start, [...(byStart.get(start) ?? []), id]);
  return id;
}

const startOf = (text: string, at: number, length: number): number =>
  length === 1 ? -text.charCodeAt(at) : text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1);

type Kept = HeldPieces & { pieces: number };

const kept = new Map<string, Kept>();
const maxKept = 256;
const longestKept = 10_000;

export function heldPieces(text: string): HeldPieces {
  const known = kept.get(text);
  // Pieces that came later have not been looked for.
  if (known?.pieces === pieces.length) return known;
  if (kept.size >= maxKept) kept.clear();
  const made = read(text);
  if (text.length <= longestKept) kept.set(text, made);
  return made;
}

const digit = pieceId(anyDigit);

function read(text: string): Kept {
  const small = smallLetters(text);
  const held = new Uint8Array(pieces.length);
  for (let at = 0; at < small.length; at++) {
    for (const length of at + 1 < small.length ? [1, 2] : [1]) {
      for (const id of byStart.get(startOf(small, at, length)) ?? [])
        if (held[id] === 0 && small.startsWith(pieces[id]!, at)) held[id] = 1;
    }
  }
  if (/\d/.test(small)) held[digit] = 1;
  return { small, holds: (piece) => held[piece] === 1, pieces: pieces.length };
}

/** A few letters become longer when they are made small: those stay, so that offsets do. */
function smallLetters(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return Array.from(text, (letter) => {
    const one = letter.toLowerCase();
    return one.length === letter.length ? one : letter;
  }).join("");
}
