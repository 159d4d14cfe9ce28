// One reading tried against one file: does a name or a quotation of the claim stand at its lines?
import { suggest } from "../../base/text/suggest.ts";
import { isComment } from "../definitions.ts";
import { findQuote, isSubstantial } from "../match-quote.ts";
import type { Occurrence, SourceFile } from "../source-file.ts";
import type { Claim } from "../reading/claim.ts";
import { lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import { weights } from "../reading/weights.ts";
import { alignQuotation } from "./align-quotation.ts";
import { findExcerpt, slipLikeness, type Window } from "./find-excerpt.ts";

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
  const trial = tryAt(evidence, lines, { claim, file });
  if (trial.holds || !lines || trial.half || claim.defines) return trial;
  return sharesBlock(trial, lines, file) ? { ...trial, half: true } : trial;
}

/** A line that opens a block stands for what is in the block, and one of the block for what opens it. */
function sharesBlock(
  { evidence, line, isDefined, isQuote }: Trial,
  [first, last]: Lines,
  file: SourceFile,
): boolean {
  if (line === undefined || (isQuote ? evidence.weight >= weights.evidence.touching : isDefined))
    return false;
  const [above, below] = line > last ? [last, line] : [line, first];
  return opensBlock.test(file.line(above)) && file.extentOf(above) >= below;
}

const opensBlock = /(?:[{([:]|=>|\b(?:do|then|begin))\s*(?:\/\/.*|#.*)?$/;

function tryAt(
  evidence: Evidence,
  lines: Lines | undefined,
  { claim, file }: { claim: Claim; file: SourceFile },
): Trial {
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
      : line <= last + headLines && isHead(file, first, line),
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
  const found = sides.map((side) => sideAt(side, { evidence, window, lines, file })).find(Boolean);
  if (found) return { ...base, holds: true, line: found.line };
  const isHalf = printed !== undefined && belowHead(file, evidence.lines, to) !== undefined;
  if (isHalf || !isSubstantial(evidence.lines)) return { ...base, half: true };
  const places = sides.flatMap((side) => findQuote(file, side, { limit: 5 }));
  const best =
    closest(
      places.map(({ line }) => line),
      window.from,
    ) ?? anywhere(file, evidence.lines);
  if (best !== undefined) return { ...base, line: best, isUnique: places.length === 1 };
  return printed ? { ...base, ...compared(file, evidence, window) } : base;
}

type Side = { evidence: Evidence; window: Window; lines: Lines | undefined; file: SourceFile };

/** With numbers printed beside it, at those lines; the numbers may be the code's own, too. */
function sideAt(side: string[], { evidence, window, lines, file }: Side): Occurrence | undefined {
  const { gutter } = evidence;
  if (gutter.length > 0 && side === evidence.lines)
    return findQuote(file, side, { from: window.from, to: window.from, limit: 1 })[0];
  const isOwn = gutter.length > 0 && lines !== undefined;
  return findExcerpt(file, side, isOwn ? { from: lines[0], to: lines[1] } : window);
}

/** Whether what stands there contradicts the quotation, or the quotation may be said in other words. */
function compared(
  file: SourceFile,
  { lines, gutter }: Evidence,
  window: Window,
): Pick<Trial, "likeness" | "half"> {
  const { share, contradicts } = alignQuotation(file, lines, window);
  const { likeness, isAdded } = slipLikeness(file, lines, window);
  // Whoever prints the numbers beside the lines prints the lines.
  const isLiteral = gutter.length > 0;
  const isSlip = likeness >= slipShare && (contradicts || isAdded || isLiteral);
  return { likeness: isSlip ? likeness : 0, half: !isSlip && share >= paraphrase };
}

/** From this share of equal tokens on, a quotation is a slip of what stands there and no summary. */
const slipShare = 0.6;
/** So much of a quotation stands there that the rest may be said in other words. */
const paraphrase = 0.75;

/** The comment or attribute above a definition is the head of it. */
function belowHead(file: SourceFile, lines: string[], from: number): Occurrence | undefined {
  const found = findQuote(file, lines, { from: from + 1, to: from + headLines, limit: 1 })[0];
  return found && isHead(file, from, found.line) ? found : undefined;
}

const headLines = 24;

const anywhere = (file: SourceFile, lines: string[]): number | undefined =>
  lines.length > 1 ? findExcerpt(file, lines, { from: 1, to: file.lineCount })?.line : undefined;
