// Quotations of a message that stand nowhere in the tree, and that a file which it names has with another
// number, operator or name in them.
import type { Repository } from "../../../source/repository.ts";
import type { Evidence } from "../../reading/find-evidence.ts";
import { sectionModality, sentenceModality } from "../../reading/modality.ts";
import type { ReadingUnit } from "../../reading/read-unit.ts";
import type { JudgedClaim } from "../../second-look/judged-document.ts";
import type { NamedFile } from "../named-files.ts";
import type { PlacedItem } from "../placed/placed-items.ts";
import { alteredLines, elided, standsSomewhere, toldAltered } from "./altered-lines.ts";
import { nearMatch } from "./near-match.ts";

type Setting = {
  units: readonly ReadingUnit[];
  repo: Repository;
  files: readonly NamedFile[];
  placed: readonly PlacedItem[];
};

const [most, mostFences] = [200, 60];

export function alteredQuotes(setting: Setting): JudgedClaim[] {
  const { units, placed, files, repo } = setting;
  const lines = new Set(placed.map(({ item }) => item));
  const found: JudgedClaim[] = [];
  let [asked, fences] = [0, 0];
  for (let index = 0; index < units.length; index++) {
    const unit = units[index]!;
    const isFence = unit.block.kind === "fence";
    if (isFence && ++fences <= mostFences)
      found.push(...alteredLines(unit, units[index - 1], setting));
    for (const item of isFence ? [] : spanQuotes(unit)) {
      if (++asked > most) return found;
      const altered = alteredIn(item, { unit, files, repo, isLine: lines.has(item) });
      if (altered) found.push(altered);
    }
  }
  return found;
}

/** Code in a sentence. */
function spanQuotes(unit: ReadingUnit): Evidence[] {
  const { block, evidence, text } = unit;
  const isSentence = block.kind === "text" || block.kind === "item";
  if (!isSentence || sectionModality(block) !== "said") return [];
  return evidence.filter(
    (item, index) =>
      item.lines.length === 1 &&
      text[item.start] === "`" &&
      !elided.test(item.lines[0]!) &&
      !isChange(text, item, evidence[index + 1]) &&
      !(evidence[index - 1] && isChange(text, evidence[index - 1]!, item)),
  );
}

/** "`a == 1` → `a == 2`": what was, beside what is. */
const isChange = (text: string, { end, lines }: Evidence, next: Evidence | undefined): boolean =>
  next !== undefined &&
  lines.length > 0 &&
  next.lines.length > 0 &&
  arrow.test(text.slice(end, next.start));

const arrow = /^[\s*_]*(?:→|->|=>|➜|⟶|to|instead of|rather than|vs\.?)[\s*_]*$/;

type Quoted = Pick<Setting, "files" | "repo"> & { unit: ReadingUnit; isLine: boolean };

function alteredIn(item: Evidence, { unit, files, repo, isLine }: Quoted): JudgedClaim | undefined {
  const [code] = item.lines as [string];
  if (standsSomewhere(item, unit, files) || !isFact(unit, item)) return undefined;
  const near = files.flatMap(({ file }) => {
    const match = nearMatch(code, file, { from: 1, to: file.lineCount, isLine });
    return match ? [{ ...match, file }] : [];
  });
  const [best] = near;
  if (!best || near.some(({ isSame }) => isSame)) return undefined;
  return toldAltered({ item, unit, files }, best, repo);
}

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

function isFact(unit: ReadingUnit, item: Evidence): boolean {
  const opening = openingOf(unit, item);
  const [rest] = unit.text.slice(item.end, item.end + 300).split(sentenceEnd, 1);
  const sentence = unmarked(`${opening} ${rest!}`);
  if (advice.test(sentence) || past.test(sentence) || tellsPast.test(opening)) return false;
  return sentenceModality(unmarked(opening)) === "said";
}
