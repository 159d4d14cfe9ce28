// The lines of a fence that say which file and lines the others show: its info, a comment, the head of a change,
// the rows of a search.
import type { CodeLine } from "../../../markdown/markdown-block.ts";
import { findMentions, newMention, type Mention } from "../paths/find-mentions.ts";
import type { Reader } from "../read-unit.ts";
import { spelledNumbers, type NumberedLines } from "../spelled-numbers.ts";

const comment = /^\s*(?:\/\/+|#+|--+|\/\*+|<!--|;+|%+|\*+|=+|>+|"""|'''|\$)?\s*/;

const mentionsOf = (text: string, { repo, place }: Reader): Mention[] =>
  /[./\\]/.test(text) ? findMentions(text, { repo, place, spans: [], links: [] }) : [];

export type FenceHead = { mention: Mention; row: string };

/** A line that names a file and little else; `row`: what a search printed behind `path:line:`. */
export function fenceHead({ text }: CodeLine, reader: Reader): FenceHead | undefined {
  const mentions = text.length > 400 ? [] : mentionsOf(text, reader);
  const [mention] = mentions;
  if (!mention || mention.external || mentions.length > 2) return undefined;
  const behind = text.slice(mention.end);
  const isFirst = text.slice(0, mention.start).trim() === "";
  const isNumbered = mention.ranges.length > 0;
  const printedRow = isFirst && isNumbered ? printed.exec(behind)?.[1] : undefined;
  const isLast = isNumbered && !/\w/.test(behind);
  const row =
    printedRow ?? (isLast ? commented.exec(text.slice(0, mention.start))?.[1] : undefined);
  if (row !== undefined) return { mention, row };
  if (!isHeadLine(text, mention)) return undefined;
  if (mention.ranges.length === 0) mention.ranges = numbersOf(text, mention);
  return { mention, row: "" };
}

/** Code with its place in a comment behind it. */
const commented = /^(.*\S)\s+(?:\/\/|#|--|;|\/\*|<!--|←)\s*(?:(?:see|in|from|at)\s)?$/;
const printed = /^(?::\d+)?:(?=\s*\S)(.*)$/;
const unknownLead = /^[\s*/<!#->]*(?:(?:file|from|in|source|path)\b:?\s*)?$/i;

/** A comment, a line of its own, a head of a change or a command with little else than the file. */
function isHeadLine(text: string, { start, end, kind }: Mention): boolean {
  const before = text.slice(0, start);
  const lead = before.replace(comment, "");
  const isCommand = /^\s*\$\s/.test(text);
  const isMarked =
    lead.length < before.trim().length || before.trim() === "" || /^\s*(?:[-+]{3}|@@)\s/.test(text);
  if (!isMarked && !isCommand) return false;
  if (isCommand) return true;
  if (/["'=({]|import|require|include/.test(before)) return false;
  const words = `${lead} ${text.slice(end)}`.match(/[\p{L}]+/gu)?.length ?? 0;
  return words <= 8 && (kind !== "unknown" || unknownLead.test(before));
}

/** "path=x.ts start=45", "file=x.ts startLine=45 endLine=50". */
function attributeLines(info: string): NumberedLines[] {
  const start = /\b(?:start|begin|from)(?:_?line)?[=:]["']?(\d{1,7})\b/i.exec(info);
  const end = /\b(?:end|to|until)(?:_?line)?[=:]["']?(\d{1,7})\b/i.exec(info);
  return start ? spelledNumbers(`line ${start[1]}-${end?.[1] ?? start[1]}`) : [];
}

/** The file that the info of a fence names, with its lines. */
export function infoHead(info: string, reader: Reader): Mention | undefined {
  const mention = info === "" ? undefined : mentionsOf(info, reader)[0];
  if (mention?.ranges.length === 0)
    mention.ranges = [...attributeLines(info), ...numbersOf(info, mention)].slice(0, 1);
  return mention;
}

function numbersOf(text: string, mention: Mention): NumberedLines[] {
  const window = /['"\s](\d{1,7})(?:,(\d{1,7}))?p\b/.exec(text);
  if (window) return spelledNumbers(`line ${window[1]}-${window[2] ?? window[1]}`);
  return spelledNumbers(text)
    .filter(({ start, end }) => end <= mention.start || start >= mention.end)
    .slice(0, 1);
}

/** `x.ts-46-code`: a search prints the lines around a match with other marks. */
export function printedBeside(
  { text }: CodeLine,
  { mention, written }: { mention: Mention; written: string },
): FenceHead | undefined {
  if (written === "" || !text.startsWith(`${written}-`)) return undefined;
  const match = /^-(\d{1,7})-(.*)$/.exec(text.slice(written.length));
  if (!match || match[2]!.trim() === "") return undefined;
  const ranges = spelledNumbers(`line ${match[1]}`);
  return {
    mention: newMention(mention, { ...mention, ranges, start: 0, end: written.length }),
    row: match[2]!,
  };
}
