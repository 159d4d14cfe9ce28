// Every place in a text where a file is named, with the line numbers that are written onto the name.
import type { InlineCode } from "../../../markdown/inline-code.ts";
import type { InlineLink } from "../../../markdown/inline-links.ts";
import type { Repository } from "../../../source/repository.ts";
import { isMeant } from "./is-meant.ts";
import { pathOfAddress } from "./path-of-address.ts";
import { gluedBefore, gluedNumbers, type NumberedLines } from "../spelled-numbers.ts";
import {
  foreign,
  plainPath,
  resolveMention,
  type DocumentPlace,
  type Resolution,
} from "./resolve-mention.ts";

export type Mention = Resolution & {
  /** Offsets in the text, with the marks around it and what is written onto it. */
  start: number;
  end: number;
  path: string;
  ranges: readonly NumberedLines[];
  /** `x.py::name`. */
  symbol: string | undefined;
  inCode: boolean;
  /** An address of something else. */
  external: boolean;
  label: string | undefined;
};

type Written = Pick<Mention, "start" | "end" | "path" | "ranges"> &
  Partial<Pick<Mention, "symbol" | "inCode" | "external" | "label">>;

/** All of one shape: what judges them reads them again and again. */
export const newMention = (
  { kind, paths, alternates, why }: Resolution,
  { start, end, path, ranges, symbol, inCode = false, external = false, label }: Written,
): Mention => ({
  kind,
  paths,
  alternates,
  why,
  start,
  end,
  path,
  ranges,
  symbol,
  inCode,
  external,
  label,
});

type MentionSetting = {
  repo: Repository;
  place: DocumentPlace;
  spans: readonly InlineCode[];
  links: readonly InlineLink[];
};

const letter = String.raw`\w@+~$%\u00c0-\u024f\u0300-\u036f\u0370-\u052f`;
const part = String.raw`(?:[${letter}.-]|\\[_.-]|\[\.{0,3}[A-Za-z][\w.-]*\]|\([\w.-]+\)(?=[\\/])){1,401}`;
const address = String.raw`https?:\/\/[^\s\x60"'<>|)\]]+`;
const path = String.raw`(?:[A-Za-z]:(?=[\\/]))?[\\/]?${part}(?:[\\/]+${part}){0,401}[\\/]?`;
/** Bounded, because the engine keeps a place to return to for every round: a longer word is no path. */
const pathWord = new RegExp(String.raw`(?<![${letter}])(?:${address}|${path})`, "g");
const longest = 400;
const wordEnd = /[\s`]/g;
const placeholder =
  /(?:^|\/)path\/to\/|^@[^/]*\/\/|\.{3}|…|\$[A-Z({]|^-|^\/\/|^@?[\w-]+\/[\w-]+@|\*/;
/** In order, not overlapping. */
export function findMentions(text: string, setting: MentionSetting): Mention[] {
  if (!/[./\\:`]/.test(text)) return [];
  const found: Mention[] = [];
  const codeAt = holderOf(setting.spans);
  const linkAt = holderOf(setting.links);
  const spacedIn = spacedPaths(setting.repo);
  pathWord.lastIndex = 0;
  for (let match = pathWord.exec(text); match; match = pathWord.exec(text)) {
    const inCode = codeAt(match.index);
    const { at, word } = spacedIn(inCode) ?? { at: match.index, word: match[0] };
    if (match[0].length > longest && !/^https?:/.test(match[0])) {
      pathWord.lastIndex = endOfWord(text, pathWord.lastIndex);
      continue;
    }
    const inLink = linkAt(at);
    const mention = readWord(text, { at, word, inCode, inLink }, setting);
    if (!mention) continue;
    const last = found.at(-1);
    const isCovered = last !== undefined && mention.start < last.end;
    // A link's label and target name one place; the target says it exactly.
    if (isCovered && !(inLink && last.start >= inLink.start)) continue;
    if (isCovered && tellsMore(found.pop()!.ranges, mention.ranges)) mention.ranges = last.ranges;
    found.push(mention);
    pathWord.lastIndex = Math.max(pathWord.lastIndex, mention.end);
  }
  return found;
}

/** A label may give the end of a range where the target only leads to its first line. */
function tellsMore(label: readonly NumberedLines[], target: readonly NumberedLines[]): boolean {
  const [own, other] = [label[0], target[0]];
  const isWhole = own?.last !== own?.first && other?.last === other?.first;
  return label.length > target.length || (isWhole && own?.first === other?.first);
}

/** Each word of a span asks for the same. */
function spacedPaths(repo: Repository): (span: InlineCode | undefined) => SpacedPath {
  let last: InlineCode | undefined;
  let found: SpacedPath;
  return (span) => {
    if (span !== last) found = (last = span) && spacedPath(span, repo);
    return found;
  };
}

type SpacedPath = Pick<Word, "at" | "word"> | undefined;

/** A path with blanks in it, where a code span holds one that is here, and nothing else but lines. */
function spacedPath({ from, text }: InlineCode, repo: Repository): SpacedPath {
  if (text.length > longest) return undefined;
  const word = text.trim().replace(/[:#(@].*$/s, "");
  // A line of code is no path, and no tree is listed to know it.
  if (!/\S\s\S/.test(word) || /[=;{}<>"|*?]/.test(word)) return undefined;
  return repo.isListed(plainPath(word, repo)) ? { at: from + text.indexOf(word), word } : undefined;
}

function endOfWord(text: string, at: number): number {
  wordEnd.lastIndex = at;
  return wordEnd.exec(text)?.index ?? text.length;
}

/** The one of the ordered spans that a place is in; asked in order. */
function holderOf<Item extends { start: number; end: number }>(
  items: readonly Item[],
): (at: number) => Item | undefined {
  let next = 0;
  return (at) => {
    while (next < items.length && items[next]!.end <= at) next++;
    return next < items.length && items[next]!.start < at ? items[next] : undefined;
  };
}

type Word = {
  at: number;
  word: string;
  inCode: InlineCode | undefined;
  inLink: InlineLink | undefined;
};

function readWord(text: string, given: Word, setting: MentionSetting): Mention | undefined {
  if (given.word.startsWith("http") && /^https?:/.test(given.word))
    return readAddress(text, given, setting);
  const { at, inLink } = given;
  const { repo, place } = setting;
  const word = withoutTail(given.word);
  const inCode = given.inCode !== undefined;
  if (!isFileShaped(word, inCode) && !mayBeOnto(text, at, at + word.length)) return undefined;
  const onto = writtenOnto(text, at, at + word.length);
  const hasLine = onto.ranges.length > 0 || onto.symbol !== undefined;
  if (!hasLine && !isFileShaped(word, inCode)) return undefined;
  if (!mayBePath(word, text.slice(Math.max(0, at - 40), at))) return undefined;
  if (given.inCode && isPartOfCode(given.inCode.text, word)) return undefined;
  const path = plainPath(word, repo);
  const resolution = resolveMention(path, repo, place);
  if (!isMeant(path, resolution, { inCode, hasLine, repo })) return undefined;
  const { start, end } = spanOf(given, onto.start, onto.end);
  const { ranges, symbol } = onto;
  const label = inLink && inLink.from <= at ? inLink.label : undefined;
  return newMention(resolution, { start, end, path, ranges, symbol, inCode, label });
}

/** One look at the signs with which lines and names are written onto a path: most words have none. */
function mayBeOnto(text: string, at: number, end: number): boolean {
  ontoSign.lastIndex = end;
  return ontoSign.test(text) || text.endsWith(":", at);
}

const ontoSign = /[`*"'_)]{0,3}\s?[:#@[|?(]/y;

type Onto = Pick<Mention, "start" | "end" | "ranges" | "symbol">;

/** The lines before a word and the lines or the name behind it, without a blank between. */
function writtenOnto(text: string, at: number, end: number): Onto {
  const glued = gluedNumbers(text, end);
  const before = gluedBefore(text, at);
  const symbol = glued.ranges.length === 0 ? symbolBehind(text, end) : undefined;
  return {
    start: before.start,
    end: Math.max(glued.end, symbol?.end ?? 0),
    ranges: before.ranges.length === 0 ? glued.ranges : [...before.ranges, ...glued.ranges],
    symbol: symbol?.name,
  };
}

/** Marks at the end of a word are those of its sentence. */
const withoutTail = (word: string): string =>
  ".-+~".includes(word.charAt(word.length - 1)) ? word.replace(/[.\-+~]+$/, "") : word;

/** Most words are none: without a line, a file has a folder or an ending, or stands in code with a capital. */
const isFileShaped = (word: string, inCode: boolean): boolean =>
  /[./\\%]/.test(word) || (inCode && /^@?[A-Z]/.test(word));

/** An address and the name of a package are told by what stands before them. */
const mayBePath = (word: string, before: string): boolean =>
  word.length >= 2 &&
  word.length <= longest &&
  /[A-Za-z\u0080-\uffff]/.test(word) &&
  !placeholder.test(word) &&
  !/(?:\w:\/\/\S*|\w@)$/.test(before);

/** With the backticks around it, or the whole link. */
function spanOf(
  { at, inCode, inLink }: Word,
  start: number,
  end: number,
): { start: number; end: number } {
  if (inLink?.from === at) return { start: inLink.start, end: inLink.end };
  if (inCode?.from === start && end <= inCode.end) return { start: inCode.start, end: inCode.end };
  return { start, end };
}

/** A path among other words of a code span belongs to a command or a statement. */
function isPartOfCode(code: string, word: string): boolean {
  const rest = code
    .replace(word, "")
    .replace(/\blines?\b|\bL(?=\d)|::[\w:.]+|[#@:][A-Za-z_]\w*/gi, "");
  return /[A-Za-z]{2}|[(){}=;"']\s*[A-Za-z]/.test(rest);
}

function readAddress(
  text: string,
  { at, word, inLink }: Word,
  { repo, place }: Pick<MentionSetting, "repo" | "place">,
): Mention {
  const hash = word.indexOf("#");
  const bare = hash < 0 ? word.replace(/[.,;:]+$/, "") : word.slice(0, hash);
  const path = pathOfAddress(bare.replace(/\?plain=1$/, ""), repo);
  const end = at + (hash < 0 ? bare.length : hash);
  const glued = gluedNumbers(text, end);
  const [start, stop] = inLink
    ? [inLink.start, inLink.end]
    : [at, Math.max(glued.end, at + word.length)];
  const label = inLink?.label;
  if (path === undefined)
    return newMention(foreign("an address outside this repository is not opened"), {
      start,
      end: stop,
      path: word,
      ranges: [],
      external: true,
      label,
    });
  const { ranges } = glued;
  return newMention(resolveMention(path, repo, place), { start, end: stop, path, ranges, label });
}

const symbolForm =
  /[`*]{0,2}(?:::|[#:@](?=[A-Za-z_$]))([A-Za-z_$~\u0080-\uffff][\w$]*(?:(?:::|\.|#)[A-Za-z_$][\w$]*)*)(?:\([^()]*\))?/y;

function symbolBehind(text: string, at: number): { name: string; end: number } | undefined {
  symbolForm.lastIndex = at;
  const match = symbolForm.exec(text);
  // In a document a hash leads to a heading.
  if (!match || (/^[`*]*#/.test(match[0]) && /\.(?:mdx?|rst|html?|adoc)$/.test(text.slice(0, at))))
    return undefined;
  return /^lines?$/i.test(match[1]!) ? undefined : { name: match[1]!, end: symbolForm.lastIndex };
}
