// What a sentence says of the contents of a file, and whether that stands in the file now: where it does, the
// sentence describes the file as it is, whoever wrote it.
import type { FileMention } from "./mentions-of.ts";
import { isFileName } from "./mentions-of.ts";

/** `unsaid`: nothing is named that could be looked for; `partly`: some of it stands there. */
export type ContentStanding = "stands" | "partly" | "lacks" | "unsaid";

const squeezed = (text: string): string => text.toLowerCase().replace(/[\s`'"]/g, "");
const word = /[\p{L}_$@][\p{L}\d_$-]{2,}|\d[\d.,]*\d|\d{2,}/gu;

/** What was there before is gone: "from 10 to 30", "`a` → `b`", "`b` instead of `a`". */
const former = new RegExp(
  "(?:from )?[§¤\\d.]+ ?(?:→|->|=>|to |auf )|replac\\p{L}+ [§¤\\d.]+ (?:with|by)|" +
    "(?:instead of|rather than|statt|au lieu de|en lugar de) [§¤\\d.]+",
  "giu",
);

/** Code, quoted words and figures that stand with the file, up to the next file. */
export function toldContent({ statement, text: own, others }: FileMention): string[] {
  const code = statement.clauses.flatMap((clause) => clause.code);
  const isOther = (one: string): boolean =>
    others.includes(one) || isFileName(one.replace(/^\.\//, ""));
  let next = 0;
  const marked = statement.words.replace(/[§¤]/g, () => {
    const one = code[next++] ?? "";
    return one === own ? "\u0001" : isOther(one) ? "\u0002" : "§";
  });
  const spans = code.filter((one) => one !== own && !isOther(one));
  const [from, to] = around(marked);
  const before = marked.slice(0, from).match(/§/g)?.length ?? 0;
  const part = marked.slice(from, to);
  const isFormer = new Set(
    [...part.matchAll(former)].flatMap(({ index, 0: { length } }) =>
      Array.from({ length }, (_, at) => index + at),
    ),
  );
  const named = [...part.matchAll(/§/g)].flatMap(({ index }, at) =>
    isFormer.has(index) && part.indexOf("§", index + 1) > 0 ? [] : [spans[before + at] ?? ""],
  );
  const quoted = [...part.matchAll(/["“„«]([^"”“»]{3,80})["”“»]/gu)].map(([, text]) => text ?? "");
  const figures = [...part.matchAll(/(?<![\w.-])v?(\d+(?:\.\d+)+|\d{2,})(?![\w%-])/g)]
    .filter(({ index }) => !isFormer.has(index))
    .map(([, text]) => text ?? "");
  return [...named, ...quoted, ...figures].filter((one) => squeezed(one).length > 1);
}

/** From behind the file before it to the next one. */
function around(marked: string): [number, number] {
  const at = marked.indexOf("\u0001");
  if (at < 0) return [0, marked.length];
  const from = marked.lastIndexOf("\u0002", at) + 1;
  const to = marked.indexOf("\u0002", at);
  return [from, to < 0 ? marked.length : to];
}

export function standingIn(content: readonly string[], text: string | undefined): ContentStanding {
  if (content.length === 0) return "unsaid";
  const whole = squeezed(text ?? "");
  const lacking = content.filter((one) => !standsIn(one, whole));
  return lacking.length === 0 ? "stands" : lacking.length < content.length ? "partly" : "lacks";
}

/** As it is written, or word by word. */
function standsIn(content: string, squeezedText: string): boolean {
  if (squeezedText.includes(squeezed(content))) return true;
  const words = content.match(word) ?? [];
  return words.length > 0 && words.every((one) => squeezedText.includes(squeezed(one)));
}

export const squeezedText: (text: string) => string = squeezed;
