// One reading tried against one file: does a name or a quotation of the claim stand at its lines?
import type { Claim } from "../reading/claim.ts";
import { lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import { weights } from "../reading/weights.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Lines, Trial } from "./trial.ts";
import { tryName } from "./try-name.ts";
import { tryQuote } from "./quotes/try-quote.ts";

/** The lines that the claim names, as far as the file has them; undefined for a claim without. */
export function claimedLines({ range }: Pick<Claim, "range">, file: SourceFile): Lines | undefined {
  if (!range) return undefined;
  const last = range.open ? file.lineCount : range.last;
  return range.vague
    ? [Math.max(1, range.first - around), Math.min(file.lineCount, last + around)]
    : [range.first, Math.min(last, file.lineCount)];
}

/** How far "around line 45" reaches. */
const around = 8;

export function tryEvidence(evidence: Evidence, claim: Claim, file: SourceFile): Trial {
  const lines = claimedLines(claim, file);
  const trial = tryAt(evidence, lines, { claim, file });
  if (trial.holds || !lines || trial.half || claim.defines) return trial;
  trial.half = sharesBlock(trial, lines, file);
  return trial;
}

/** A line that opens a block, or stands in one, stands for what is in the block. */
function sharesBlock(
  { evidence, line, isQuote }: Trial,
  [first, last]: Lines,
  file: SourceFile,
): boolean {
  if (line === undefined) return false;
  // A statement goes on: its literal stands on the next line.
  if (isQuote) return line > last && line <= last + 3 && unfinished.test(file.line(last));
  const word = lastPart(evidence.name);
  const [from, to] = blockAround(file, first, last);
  if (file.linesWith(word).some((other) => other >= from && other <= to)) return true;
  if (isOpenedBy(word, first, file)) return true;
  const distance = line > last ? line - last : first - line;
  return evidence.weight < weights.evidence.touching && distance <= nearby;
}

/** A line that opens one of the blocks around a place has the word: `func (h *HealthChecker) run() {`. */
function isOpenedBy(word: string, at: number, file: SourceFile): boolean {
  let line = file.opener(at);
  for (let depth = 0; line !== undefined && depth < mostBlocks; depth++, line = file.opener(line))
    if (file.hasWordAt(word, line)) return true;
  return false;
}

const mostBlocks = 8;

/** The innermost block that the lines open or stand in; only themselves where that is long. */
function blockAround(file: SourceFile, first: number, last: number): Lines {
  if (isOpen(file, first)) return [first, Math.max(file.extentOf(first), last)];
  const above = file.opener(first);
  const end = above === undefined ? last : file.extentOf(above);
  const isShort =
    above !== undefined && end - above <= longestBlock && !holder.test(file.line(above));
  return isShort ? [above, Math.max(end, last)] : [first, last];
}

/** What holds definitions is no block of one thing. */
const holder = /\b(?:class|interface|struct|impl|trait|module|namespace|object|enum|extension)\b/;
const isOpen = (file: SourceFile, line: number): boolean => opensBlock.test(file.line(line));
const unfinished = /(?:[([,]|=)\s*$/;
const longestBlock = 60;
/** Evidence that does not touch the place may be about what stands so many lines away. */
const nearby = 25;

const opensBlock = /(?:[{([:,]|=>|=|\b(?:do|then|begin))\s*(?:\/\/.*|#.*)?$/;

function tryAt(
  evidence: Evidence,
  lines: Lines | undefined,
  { claim, file }: { claim: Claim; file: SourceFile },
): Trial {
  const quote = evidence.lines.length > 0 ? tryQuote(evidence, lines, file) : undefined;
  const isRange = lines !== undefined && lines[0] !== lines[1];
  if (evidence.name === "" || (quote?.holds && !isRange)) return quote!;
  const name = tryName(evidence, lines, { file, claim });
  return quote ? surer(quote, name) : name;
}

/** Of a quotation and the name in it. */
function surer(quote: Trial, name: Trial): Trial {
  const { isTold, lines } = quote.evidence;
  if (quote.holds) return name.half && name.isDefined ? name : quote;
  const isStatement = isTold === true || lines.some((line) => /[;={]/.test(line));
  // The name stands there, but not with what is written behind it: that may be a paraphrase.
  if (name.holds && !isStatement) return { ...name, holds: false, half: true };
  return quote.line === undefined && !isStatement ? name : quote;
}
