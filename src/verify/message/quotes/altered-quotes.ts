// Quotations of a message that stand nowhere in the tree, and that a file which it names has with another
// number, operator or name in them.
import { findQuote } from "../../../source/find-quote.ts";
import type { Repository } from "../../../source/repository.ts";
import type { SourceFile } from "../../../source/source-file.ts";
import { contentPlaces } from "../../judging/content-places.ts";
import { findExcerpt, type Window } from "../../judging/find-excerpt.ts";
import { isStrongCode } from "../../reading/code-names.ts";
import { quoteEvidence, type Evidence } from "../../reading/find-evidence.ts";
import { leadModality, sectionModality, sentenceModality } from "../../reading/modality.ts";
import type { ReadingUnit } from "../../reading/read-unit.ts";
import type { JudgedClaim } from "../../second-look/judged-document.ts";
import { messageClaim, type NamedFile } from "../named-files.ts";
import { nearMatch } from "./near-match.ts";
import type { PlacedItem } from "../placed/placed-items.ts";

type Setting = {
  units: readonly ReadingUnit[];
  repo: Repository;
  files: readonly NamedFile[];
  placed: readonly PlacedItem[];
};

const most = 200;

export function alteredQuotes(setting: Setting): JudgedClaim[] {
  const { units, placed, files, repo } = setting;
  const lines = new Set(placed.map(({ item }) => item));
  const found: JudgedClaim[] = [];
  let asked = 0;
  for (let index = 0; index < units.length; index++) {
    const unit = units[index]!;
    const isFence = unit.block.kind === "fence";
    const quotes = isFence ? fenceQuotes(unit, units[index - 1], setting) : spanQuotes(unit);
    for (const item of quotes) {
      if (++asked > most) return found;
      const isLine = isFence || lines.has(item);
      const altered = alteredIn(item, { unit, files, repo, isLine });
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

const elided = /\.{3}|…/;
const noCode = /^(?:bash|sh|shell|zsh|console|text|txt|diff|patch|suggestion|mermaid|http|log)\b/i;

/** The lines of a block of code that no file has, where the others stand together in one. */
function fenceQuotes(
  unit: ReadingUnit,
  above: ReadingUnit | undefined,
  { files }: Setting,
): Evidence[] {
  const { block } = unit;
  if (noCode.test(block.info) || block.lines.length > longestFence) return [];
  const lead = above && above.block.kind !== "fence" ? leadModality(above.text) : undefined;
  if ((lead ?? sectionModality(block)) !== "said") return [];
  const code = block.lines.filter(({ text }) => isStrongCode(text) && !elided.test(text));
  if (code.some(({ text }) => text.includes("→"))) return [];
  const strange = code.filter(
    ({ text }) => !files.some(({ file }) => findQuote(file, [text], { limit: 1 })[0]),
  );
  if (strange.length > 1 && strange.length * 2 > code.length) return [];
  return strange.map(({ text, start }) => {
    const from = start - block.start;
    return quoteEvidence([text.trim()], from, from + text.length);
  });
}

/** The lines around those that a block of code has of a file; all of them for a single line. */
function windowIn({ block }: ReadingUnit, item: Evidence, file: SourceFile): Window | undefined {
  const others = block.lines.filter(
    ({ text, start }) => start - block.start !== item.start && text.trim().length > 3,
  );
  if (block.kind !== "fence" || others.length === 0) return { from: 1, to: file.lineCount };
  const lines = others.flatMap(({ text }) =>
    findQuote(file, [text], { limit: 8 }).map(({ line }) => line),
  );
  if (lines.length === 0) return undefined;
  const reach = block.lines.length + 4;
  return { from: Math.min(...lines) - reach, to: Math.max(...lines) + reach };
}

const longestFence = 60;

type Quoted = Pick<Setting, "files" | "repo"> & { unit: ReadingUnit; isLine: boolean };

function alteredIn(item: Evidence, { unit, files, repo, isLine }: Quoted): JudgedClaim | undefined {
  const [code] = item.lines as [string];
  const stands = ({ file }: NamedFile): boolean =>
    findExcerpt(file, item.lines, { from: 1, to: file.lineCount }) !== undefined;
  // Mostly it is the file that the same words name.
  const own = files.find(({ file: { path } }) =>
    unit.mentions.some(({ paths }) => paths[0] === path),
  );
  if ((own && stands(own)) || files.some((one) => one !== own && stands(one))) return undefined;
  if (unit.block.kind !== "fence" && !isFact(unit, item)) return undefined;
  const near = files.flatMap(({ file }) => {
    const window = windowIn(unit, item, file);
    const match = window && nearMatch(code, file, { ...window, isLine });
    return match ? [{ ...match, file }] : [];
  });
  const [best] = near;
  if (!best || near.some(({ isSame }) => isSame)) return undefined;
  const { path } = best.file;
  const claim = messageClaim(unit, item, files);
  const claimed = { path, line: best.line, near: [], document: undefined };
  if (contentPlaces({ ...item, name: "" }, claimed, repo).length > 0) return undefined;
  const actual = best.file.line(best.line).trim().slice(0, 200);
  const reason = `it is nowhere; ${path}:${best.line} has \`${actual.slice(0, 120)}\``;
  return { claim, judged: { verdict: "altered", kind: "quote", reason, path, actual } };
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
