// Whether a quotation stands at the lines of a claim, elsewhere in the file, or only something like it.
import { findQuote, isSubstantial } from "../../../source/find-quote.ts";
import { isCodeShaped } from "../../reading/code-names.ts";
import type { Evidence } from "../../reading/find-evidence.ts";
import type { Occurrence, SourceFile } from "../../../source/source-file.ts";
import { alignQuotation } from "./align-quotation.ts";
import { findExcerpt, slipLikeness, type Window } from "./find-excerpt.ts";
import {
  closest,
  unspelled,
  headLines,
  isHead,
  newTrial,
  spelledAt,
  type Lines,
  type Trial,
} from "../trial.ts";

export function tryQuote(evidence: Evidence, lines: Lines | undefined, file: SourceFile): Trial {
  const { gutter, other } = evidence;
  const printed: Lines | undefined = gutter.length > 0 ? [gutter[0]!, gutter.at(-1)!] : lines;
  const [from, to] = printed ?? [1, file.lineCount];
  const window = { from, to };
  const trial = newTrial(evidence, true);
  const sides = other.length > 0 ? [evidence.lines, other] : [evidence.lines];
  for (const side of sides) {
    const found = sideAt(side, { evidence, window, lines, file });
    if (!found) continue;
    trial.holds = true;
    trial.line = found.line;
    return trial;
  }
  const isHalf = printed !== undefined && belowHead(file, evidence.lines, to) !== undefined;
  trial.half = isHalf || !isSubstantial(evidence.lines);
  if (trial.half) return trial;
  const places = sides.flatMap((side) => findQuote(file, side, { limit: 5 }));
  const rows = places.map(({ line }) => line);
  trial.line = closest(rows, window.from) ?? anywhere(file, evidence.lines);
  trial.isOnly = places.length === 1;
  if (trial.line === undefined && printed) Object.assign(trial, compared(file, evidence, window));
  return trial;
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
  const isSaid = share >= paraphrase || sharesName(file, lines, window);
  return { likeness: isSlip ? likeness : 0, half: !isSlip && isSaid };
}

/** A name of the quotation that hardly stands anywhere by chance stands on the lines: it may be about that. */
function sharesName(file: SourceFile, lines: readonly string[], { from, to }: Window): boolean {
  const there = spelledAt(file, [from, to]);
  const names = lines.slice(0, 8).flatMap((line) => line.match(/[A-Za-z_$][\w$]{5,}/g) ?? []);
  return names.some((name) => isCodeShaped(name) && there.has(unspelled(name)));
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

const anywhere = (file: SourceFile, lines: string[]): number | undefined =>
  lines.length > 1 ? findExcerpt(file, lines, { from: 1, to: file.lineCount })?.line : undefined;
