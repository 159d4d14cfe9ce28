// Letters that a message gives its files, as in "A = `src/x.ts`": wherever a line is written onto one of
// them, its file is meant.
import { gluedNumbers } from "../spelled-numbers.ts";
import type { Mention } from "./find-mentions.ts";

export type FileSigns = Map<string, Mention>;

const marks = String.raw`[*_\x60]{0,3}`;
const sign = String.raw`([A-Z]\d?|[①-⑳])`;
/** "**A** = ", "[A] ", "| A | ". */
const gives = new RegExp(
  String.raw`(?:^|[\s(,;|:])${marks}(?:\[${sign}\]|\(${sign}\)|${sign})${marks}` +
    String.raw`(?:\s?(?:=|:|:=|→|->|—|–|\|)\s?|(?<=[\])])${marks}\s)${marks}$`,
);
const used = new RegExp(String.raw`(?<![\p{L}\d/.])\[?${sign}\]?(?=[:#@]L?\d)`, "gu");

/** Adds the signs that a text gives to the files it names. */
export function learnSigns(text: string, mentions: readonly Mention[], signs: FileSigns): void {
  for (const mention of mentions) {
    if (mention.ranges.length > 0 || mention.external) continue;
    const match = gives.exec(text.slice(Math.max(0, mention.start - 24), mention.start));
    const given = match?.[1] ?? match?.[2] ?? match?.[3];
    if (given !== undefined) signs.set(given, mention);
  }
}

/** The files that a text names by their signs, each with the lines written onto it. */
export function signedMentions(text: string, signs: FileSigns): Mention[] {
  return [...text.matchAll(used)].flatMap((match) => {
    const meant = signs.get(match[1]!);
    if (!meant) return [];
    const { ranges, end } = gluedNumbers(text, match.index + match[0].length);
    return ranges.length === 0 ? [] : [{ ...meant, start: match.index, end, ranges }];
  });
}
