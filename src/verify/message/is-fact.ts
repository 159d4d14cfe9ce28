// Whether a sentence of a message says what the code is: no advice, no condition, no comparison, no past.
import type { Evidence } from "../reading/find-evidence.ts";
import { sentenceModality } from "../reading/modality.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";

/** Of advice, conditions, comparisons and what others provide nothing is asked. */
const advice = new RegExp(
  String.raw`\b(?:use|using|consider|try|prefer|extract|introduce|split|switch|wrap|better|best|if|when|` +
    String.raw`unless|like|similar|e\.g|standard|built-in|librar\w+|framework|native|browser|package|` +
    String.raw`dependency|external|i'd|we'd|let's|could|may|might|can|raise[sd]?|throw[sn]?)\b`,
  "iu",
);
const past = new RegExp(
  String.raw`\b(?:old|earlier|gone|renamed|chang\w+|reduc\w+|increas\w+|dropp\w+|inlin\w+|merg\w+|formerly|typo|` +
    String.raw`wäre|besser|sería|mejor|лучше)\b`,
  "iu",
);
/** "It was done by `x`": that tells what is no more. */
const tellsPast = /\b(?:was|were|had)\s(?:[\p{L}-]+\s){0,3}$/iu;
const sentenceEnd = /[.!?;][)"'*_]*\s|\n/;
const unmarked = (text: string): string => text.replace(/`[^`]*`/g, " ");

/** The words of the sentence before the item. */
const openingOf = ({ text }: ReadingUnit, { start }: Evidence): string =>
  text
    .slice(Math.max(0, start - 300), start)
    .split(sentenceEnd)
    .at(-1)!;

export function isFact(unit: ReadingUnit, item: Evidence): boolean {
  const opening = openingOf(unit, item);
  const [rest] = unit.text.slice(item.end, item.end + 300).split(sentenceEnd, 1);
  const sentence = unmarked(`${opening} ${rest!}`);
  if (advice.test(sentence) || past.test(sentence) || tellsPast.test(opening)) return false;
  return sentenceModality(unmarked(opening)) === "said";
}
