// Which of the pieces that phrases need stand in a text: one pass over the text for all phrases, kept
// while the same few texts are asked about again and again.
import { anyDigit } from "./needed-words.ts";

/**
 * `small`: the text in small letters, as long as it was; `held`: 1 for every piece that is in it;
 * `found`: those pieces.
 */
export type HeldPieces = { small: string; held: Uint8Array; found: number[] };

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
  if (known) return known.pieces === pieces.length ? known : withLater(known);
  if (kept.size >= maxKept) kept.clear();
  const made = read(text);
  if (text.length <= longestKept) kept.set(text, made);
  return made;
}

const digit = pieceId(anyDigit);

function read(text: string): Kept {
  const small = smallLetters(text);
  const held = new Uint8Array(pieces.length);
  const found: number[] = [];
  const lookFor = (ids: readonly number[] | undefined, at: number): void => {
    for (const id of ids ?? [])
      if (held[id] === 0 && small.startsWith(pieces[id]!, at)) {
        held[id] = 1;
        found.push(id);
      }
  };
  for (let at = 0; at < small.length; at++) {
    lookFor(byStart.get(startOf(small, at, 1)), at);
    if (at + 1 < small.length) lookFor(byStart.get(startOf(small, at, 2)), at);
  }
  if (held[digit] === 0 && /\d/.test(small)) {
    held[digit] = 1;
    found.push(digit);
  }
  return { small, held, found, pieces: pieces.length };
}

/** Pieces that came later are looked for by themselves. */
function withLater(known: Kept): Kept {
  const held = new Uint8Array(pieces.length);
  held.set(known.held);
  for (let id = known.pieces; id < pieces.length; id++)
    if (known.small.includes(pieces[id]!)) {
      held[id] = 1;
      known.found.push(id);
    }
  return Object.assign(known, { held, pieces: pieces.length });
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
