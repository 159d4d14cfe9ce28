// One reading tried against one file: does a name or a quotation of the claim stand at its lines?
import { suggest } from "../../base/text/suggest.ts";
import { isComment } from "../definitions.ts";
import { findQuote, isSubstantial } from "../match-quote.ts";
import type { SourceFile } from "../source-file.ts";
import type { Claim } from "../reading/claim.ts";
import { lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import { findExcerpt, slipLikeness } from "./find-excerpt.ts";

export type Lines = [number, number];

/** `half`: only the owner of the name stands there, which neither proves nor accuses. */
export type Trial = {
  evidence: Evidence;
  holds: boolean;
  half: boolean;
  /** Where it stands: the line that holds, or the best other one of this file. */
  line?: number;
  /** No other line of the file has it. */
  isUnique: boolean;
  /** The name is defined at `line`. */
  isDefined: boolean;
  /** How much of the quotation stands at the place. */
  likeness: number;
  /** It was compared as code, not as a name. */
  isQuote: boolean;
  /** A name on the line of which this one is a slip. */
  slip?: string;
};

const none = {
  holds: false,
  half: false,
  isUnique: false,
  isDefined: false,
  likeness: 0,
  isQuote: false,
};

/** The lines that the claim names, as far as the file has them; undefined for a claim without. */
export function claimedLines({ range }: Pick<Claim, "range">, file: SourceFile): Lines | undefined {
  if (!range) return undefined;
  const last = range.open ? file.lineCount : range.last;
  return range.vague
    ? [Math.max(1, range.first - 12), Math.min(file.lineCount, last + 12)]
    : [range.first, Math.min(last, file.lineCount)];
}

export function tryEvidence(evidence: Evidence, claim: Claim, file: SourceFile): Trial {
  const lines = claimedLines(claim, file);
  const quote = evidence.lines.length > 0 ? tryQuote(evidence, lines, file) : undefined;
  if (quote?.holds || evidence.name === "") return quote!;
  const name = tryName(evidence, lines, { file, defines: claim.defines });
  if (!quote) return name;
  // The name stands there, but not with what is written behind it: that may be a paraphrase.
  const isStatement = evidence.isTold === true || evidence.lines.some((line) => /[;={]/.test(line));
  if (name.holds && !isStatement) return { ...name, holds: false, half: true };
  return quote.line === undefined && !isStatement ? name : quote;
}

function tryName(
  evidence: Evidence,
  lines: Lines | undefined,
  { file, defines }: NameSetting,
): Trial {
  const word = lastPart(evidence.name);
  const found = file.linesWith(word);
  const definitions = found.length === 0 ? [] : file.definitionsOf(word);
  const base: Trial = { ...none, evidence, isUnique: (definitions.length || found.length) === 1 };
  if (!lines) {
    const line = definitions[0] ?? found[0];
    return line === undefined
      ? base
      : { ...base, holds: true, line, isDefined: definitions.length > 0 };
  }
  const held = lineThatHolds({ found, definitions, lines }, { file, defines });
  if (held !== undefined) return { ...base, holds: true, line: held, isDefined: true };
  const half = definitions.length === 0 && isHolderThere(evidence.name, word, { file, lines });
  const nearest = closest(definitions.length > 0 ? definitions : found, lines[0]);
  if (nearest !== undefined)
    return { ...base, half, line: nearest, isDefined: definitions.length > 0 };
  const names =
    file
      .line(lines[0])
      .slice(0, 2_000)
      .match(/[\w$\u0080-\uffff]{3,80}/g) ?? [];
  const slip = word.length < 4 ? undefined : suggest(word, names);
  return slip === undefined ? { ...base, half } : { ...base, half, slip };
}

type NameSetting = { file: SourceFile; defines: boolean };
type Stands = { found: number[]; definitions: number[]; lines: Lines };

/** On the lines, in the body of its definition, or in what belongs to the head of it. */
function lineThatHolds(
  { found, definitions, lines }: Stands,
  { file, defines }: NameSetting,
): number | undefined {
  const [first, last] = lines;
  const isThere = (line: number): boolean => line >= first && line <= last;
  const here = definitions.find(isThere) ?? found.find(isThere);
  if (here !== undefined) return here;
  return definitions.find((line) =>
    line <= first
      ? !defines && file.extentOf(line) >= first
      : line <= last + 24 && isHead(file, first, line),
  );
}

/** `signal.rvol` where `signal` stands there. */
function isHolderThere(
  name: string,
  word: string,
  { file, lines }: { file: SourceFile; lines: Lines },
): boolean {
  const holder = name === word ? "" : name.split(/\.|::|->|#/)[0]!;
  return holder !== "" && isAround(file, holder, lines);
}

const isAround = (file: SourceFile, word: string, [first, last]: Lines): boolean =>
  file.linesWith(word).some((line) => line >= first && line <= last) ||
  file.definitionsOf(word).some((line) => line <= first && file.extentOf(line) >= last);

/** From the line down to the definition there are only comments, attributes and a type before the name. */
function isHead(file: SourceFile, from: number, definition: number): boolean {
  let inBlock = false;
  for (let line = from; line < definition; line++) {
    const text = file.line(line).trim();
    inBlock ||= text.startsWith("/**") || text.startsWith("/*");
    const isAttribute = /^(?:@[\w.:]+|#!?\[|\[\w[^\]]*\]$|template\s*<)/.test(text);
    const isType =
      line === definition - 1 &&
      /^[A-Za-z_][\w\s*&<>:,[\]]*$/.test(text) &&
      !/^(?:else|do|try|return|break|continue|pass|end|fi|done|default|public|private|protected)\b/.test(
        text,
      );
    if (
      !inBlock &&
      !isAttribute &&
      !isType &&
      !(isComment(file.line(line)) || /^(?:\/\/\/|#)/.test(text))
    )
      return false;
    if (text.endsWith("*/")) inBlock = false;
  }
  return true;
}

const closest = (lines: readonly number[], at: number): number | undefined =>
  lines.length === 0
    ? undefined
    : lines.reduce((best, line) => (Math.abs(line - at) < Math.abs(best - at) ? line : best));

function tryQuote(evidence: Evidence, lines: Lines | undefined, file: SourceFile): Trial {
  const { gutter, other } = evidence;
  const printed: Lines | undefined = gutter.length > 0 ? [gutter[0]!, gutter.at(-1)!] : lines;
  const [from, to] = printed ?? [1, file.lineCount];
  const window = { from, to };
  const base: Trial = { ...none, evidence, isDefined: true, isQuote: true };
  const sides = other.length > 0 ? [evidence.lines, other] : [evidence.lines];
  for (const side of sides) {
    const found =
      gutter.length > 0
        ? findQuote(file, side, { from, to: from, limit: 1 })[0]
        : findExcerpt(file, side, window);
    if (found) return { ...base, holds: true, line: found.line };
  }
  if (!isSubstantial(evidence.lines)) return { ...base, half: true };
  const places = sides.flatMap((side) => findQuote(file, side, { limit: 5 }));
  const best =
    closest(
      places.map(({ line }) => line),
      window.from,
    ) ?? anywhere(file, evidence.lines);
  if (best !== undefined) return { ...base, line: best, isUnique: places.length === 1 };
  return { ...base, likeness: printed ? slipLikeness(file, evidence.lines, window) : 0 };
}

const anywhere = (file: SourceFile, lines: string[]): number | undefined =>
  lines.length > 1 ? findExcerpt(file, lines, { from: 1, to: file.lineCount })?.line : undefined;
