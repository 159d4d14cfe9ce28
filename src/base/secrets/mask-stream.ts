// Masks the secrets in a text that arrives in pieces, also those that a cut divides. Whole lines
// are passed on at once; a line without an end and an unfinished private key are held back, within
// bounds.
import { StringDecoder } from "node:string_decoder";
import { findSecrets, type FoundSecret } from "./find-secrets.ts";

export type MaskStream = { write(chunk: Buffer): void; close(): void };

/** No secret that is recognised by its form is longer. */
const longestSecret = 17_000;
/**
 * How much of the passed-on text is searched again: some secrets are recognised only by the text
 * before them.
 */
const lookBack = 600;

/** `known` are literal secret values, such as `secretValues(env)`. */
export function maskStream(known: readonly string[], pass: (text: string) => void): MaskStream {
  const values = known.flatMap((value) => [
    value,
    ...(/[\r\n]/.test(value) ? value.split(/[\r\n]+/).filter((line) => line.length >= 8) : []),
  ]);
  const most = Math.max(longestSecret, ...values.map((value) => value.length));
  const decoder = new StringDecoder("utf8");
  let before = "";
  let pending = "";
  let heldBack = 0;
  let hasLineEnd = false;
  const look = (isEnd: boolean): void => {
    const text = before + pending;
    const found = findSecrets(text, values);
    const cut = isEnd ? text.length : Math.max(before.length, safeCut(text, found, most));
    if (cut > before.length) pass(masked(text, found, { from: before.length, to: cut }));
    before = text.slice(Math.max(0, cut - lookBack), cut);
    pending = text.slice(cut);
    heldBack = pending.length;
    hasLineEnd = false;
  };
  return {
    write(chunk) {
      const piece = decoder.write(chunk);
      pending += piece;
      hasLineEnd ||= lineEnd.test(piece);
      // The held-back text is searched again only when it has grown enough, so that the work stays
      // linear.
      if ((hasLineEnd || pending.length > 2 * most) && pending.length - heldBack >= heldBack / 8)
        look(false);
    },
    close() {
      pending += decoder.end();
      look(true);
    },
  };
}

const lineEnd = /[\n\r]/;

/**
 * Where the text can be cut: after the last whole line, or far enough from the end of an endless
 * line; never inside a secret or an unfinished key.
 */
function safeCut(text: string, found: readonly FoundSecret[], most: number): number {
  const cut = Math.max(text.lastIndexOf("\n") + 1, text.lastIndexOf("\r") + 1, text.length - most);
  const open = found.findLast(
    ({ start, end }) => start < cut && (end > cut || isUnfinishedKey(text, { start, end, cut })),
  );
  return open && cut - open.start <= most ? open.start : cut;
}

function isUnfinishedKey(
  text: string,
  { start, end, cut }: { start: number; end: number; cut: number },
): boolean {
  return (
    text.slice(end, cut).trim() === "" &&
    text.startsWith("-----BEGIN ", start) &&
    !/KEY(?: BLOCK)?-----$/.test(text.slice(end - 40, end))
  );
}

function masked(
  text: string,
  found: readonly FoundSecret[],
  { from, to }: { from: number; to: number },
): string {
  let out = "";
  let at = from;
  for (const { kind, start, end } of found) {
    if (end <= at || start >= to) continue;
    out += `${text.slice(at, Math.max(at, start))}[masked ${kind}]`;
    at = Math.min(end, to);
  }
  return out + text.slice(at, to);
}
