// A fence that lists places instead of quoting code: stacks, flows, records, trees. Each of its entries is
// read like a text of its own.
import { posix } from "node:path";
import { newBlock, type CodeLine, type MarkdownBlock } from "../../../markdown/markdown-block.ts";
import type { Claim } from "../claim.ts";
import { claimUnit } from "../places/claim-unit.ts";
import type { Repository } from "../../../source/repository.ts";
import { findEvidence, nameEvidence, quoteEvidence, type Evidence } from "../find-evidence.ts";
import { codeName, isCodeShaped, lastPart } from "../code-names.ts";
import { findMentions, type Mention } from "../paths/find-mentions.ts";
import type { Modality } from "../modality.ts";
import type { Context, Reader, ReadingUnit } from "../read-unit.ts";
import { spelledNumbers, type NumberedLines } from "../spelled-numbers.ts";
import { countWords, joins, weighEvidence } from "../weigh-evidence.ts";
import { weights } from "../weights.ts";
import { treeEntries } from "./tree-entries.ts";

/** The claims of the entries that name a file with a line, or with a name beside it. */
export function readListing(
  fence: MarkdownBlock,
  lines: readonly CodeLine[],
  { context, modality }: { context: Context; modality: Modality },
): Claim[] {
  const { reader } = context;
  const tree = treeEntries(lines, reader);
  const units = tree.map((entry) => entryUnit(fence, entry, { reader, mention: entry.mention }));
  const inTree = new Set(tree.flatMap((entry) => entry.lines));
  for (const entry of recordsOf(lines.filter((line) => !inTree.has(line)))) {
    const unit = entryUnit(fence, entry, { reader });
    if (unit.mentions.length > 0) units.push(unit);
  }
  return units.flatMap((unit, index) => {
    const isInTree = index < tree.length;
    const mayBeSlip = modality === "said" && (isInTree || listsFile(unit));
    // Only a tree says that a name is in a file without giving a line.
    return claimsOf(unit, context).filter(
      ({ range, evidence, mention }) =>
        range !== null ||
        (isInTree && evidence.length > 0) ||
        (mayBeSlip && isNearlyHere(mention, reader.repo)),
    );
  });
}

function claimsOf(unit: ReadingUnit, context: Context): Claim[] {
  const { repo } = context.reader;
  // A word that this tree defines is a name, with marks of code or without.
  for (const item of unit.evidence)
    if (item.isPlain && repo.definedAt(lastPart(item.name)).length > 0) item.isPlain = false;
  claimUnit(unit, context);
  weighEvidence(unit);
  // An entry with one file and one number gives the line of that file.
  if (unit.mentions.length === 1 && unit.claims.length === 1)
    for (const claim of unit.claims) {
      claim.binding = weights.binding.glued;
      claim.doubts = [];
    }
  return unit.claims;
}

/** No file here has this path, and one of its folder nearly has it, or has it without the steps out. */
function isNearlyHere({ kind, path }: Mention, repo: Repository): boolean {
  if (kind === "outside") return repo.isListed(path.replace(/^(?:\.\.\/)+/, ""));
  const folder = posix.dirname(path);
  return (
    kind === "unknown" &&
    [...repo.near(path), ...repo.misspelt(path)].some((other) => posix.dirname(other) === folder)
  );
}

const looks =
  /^\s*(?:\$\s)?(?:git\s(?:show|blame|diff|grep|log)|cat|sed|head|tail|less|nl|wc|rg|grep|bat|vim?|code|open)\s/;

/** A command that only looks at the file, or a line with hardly a word besides it. */
const listsFile = ({ text, mentions }: ReadingUnit): boolean =>
  mentions.length === 1 &&
  (looks.test(text) ||
    countWords(text.slice(0, mentions[0]!.start) + text.slice(mentions[0]!.end)) <= 1);

type Entry = { text: string; start: number };

const field = /^\s*(?:[-*]\s+)?["']?\w[\w -]{0,30}["']?\s*[:=]\s*\S/;
export const isRecordField = ({ text }: CodeLine): boolean => field.test(text);
const begins = /^\s*[-*{[]\s*\S?|^\s*[}\]]/;
const longest = 2_000;

/** Fields that follow each other are one record; every other line stands for itself. */
function recordsOf(lines: readonly CodeLine[]): Entry[] {
  const found: (Entry & { isRecord: boolean })[] = [];
  for (const { text, start } of lines) {
    if (text.length > 600) continue;
    const last = found.at(-1);
    const isField = field.test(text);
    const isNext = last !== undefined && last.start + last.text.length + 1 === start;
    const joins = isNext && last.isRecord && isField && !begins.test(text);
    if (joins && last.text.length < longest) last.text += `\n${text}`;
    else if (text.trim() !== "") found.push({ text, start, isRecord: isField });
  }
  return found;
}

const breaks = /<br\s*\/?>/gi;

function entryUnit(
  fence: MarkdownBlock,
  { text: written, start }: Entry,
  { reader: { repo, place }, mention }: { reader: Reader; mention?: Mention },
): ReadingUnit {
  const text = written.replace(breaks, (mark) => " ".repeat(mark.length));
  const block = newBlock("fence", start, start + text.length);
  block.text = text;
  block.heading = fence.heading;
  block.parent = fence.parent;
  const mentions = mention
    ? [mention]
    : findMentions(text, { repo, place, spans: [], links: [] }).filter(({ external }) => !external);
  const evidence: Evidence[] = withQuotedFields(text, findEvidence(text, { spans: [], mentions }));
  const isFree = ({ start: from, end: to }: NumberedLines): boolean =>
    !mentions.some((other) => other.start < to && from < other.end);
  const numbers = [...spelledNumbers(text), ...columnNumbers(text, mentions)].filter(isFree);
  const hasLine = numbers.length > 0 || mentions.some(({ ranges }) => ranges.length > 0);
  if (evidence.length === 0 && (hasLine || mention))
    evidence.push(...onlyName(text, [...mentions, ...numbers], repo));
  // The one name of an entry is what it lists.
  if (evidence.length === 1 && isCodeShaped(evidence[0]!.name)) evidence[0]!.isPlain = false;
  return { block, text, mentions, numbers, evidence, claims: [] };
}

const quotedKey = "snippet|code|quote|quotation|excerpt|evidence|content";
const quotedField = new RegExp(
  String.raw`^([ \t]*(?:[-*{]\s+)?["']?(?:\w+[_ -]?)?(?:${quotedKey})["']?\s*[:=]\s*)` +
    String.raw`("(?:[^"\\]|\\.)*"|[^"\s].*\S)[ \t]*,?$`,
  "gim",
);

/** The value of a field that is called a quotation is one, with all that stands in it. */
function withQuotedFields(text: string, evidence: Evidence[]): Evidence[] {
  const quotes = [...text.matchAll(quotedField)].flatMap(({ index, 1: key, 2: value }) => {
    const lines = unquoted(value!).split("\n");
    const start = index + key!.length;
    return [{ ...quoteEvidence(lines, start, start + value!.length), isTold: true }];
  });
  if (quotes.length === 0) return evidence;
  const isInside = ({ start, end }: Evidence): boolean =>
    quotes.some((quote) => quote.start <= start && end <= quote.end);
  return [...evidence.filter((item) => !isInside(item)), ...quotes].toSorted(
    (a, b) => a.start - b.start,
  );
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value.slice(1, -1);
  }
}

type Span = { start: number; end: number };

/** The one word of an entry besides its place, where this tree defines it. */
function onlyName(text: string, taken: readonly Span[], repo: Repository): Evidence[] {
  const isTaken = (at: number): boolean => taken.some(({ start, end }) => start <= at && at < end);
  const words = [...text.matchAll(/[\p{L}_$][\w$.:]*/gu)].filter(({ index }) => !isTaken(index));
  const [word] = words;
  const name = word && words.length === 1 ? codeName(word[0]) : undefined;
  if (
    !word ||
    !name ||
    name.isEveryday ||
    joins.has(word[0].toLowerCase()) ||
    repo.definedAt(lastPart(name.name)).length === 0
  )
    return [];
  const span = { start: word.index, end: word.index + word[0].length };
  return [nameEvidence(name.name, span, false)];
}

const column = /(?:\t| {2,})(\d{1,7})(?:;")?(?=\t| {2,}|$)/g;

/** `name<TAB>x.ts<TAB>45`: a number alone in its column behind a path without one. */
function columnNumbers(text: string, mentions: readonly Mention[]): NumberedLines[] {
  const [mention] = mentions;
  if (!mention || mentions.length > 1 || mention.ranges.length > 0) return [];
  const [match, ...others] = [...text.slice(mention.end).matchAll(column)];
  if (!match || others.length > 0) return [];
  const end = mention.end + match.index + match[0].length;
  const [first, start] = [Number(match[1]), end - match[1]!.length];
  return [
    { first, last: first, start, end, weight: weights.number.column, vague: false, open: false },
  ];
}
