// A fence as quotations: what stands in its head lines, gutters, rows of a search and sides of a
// change says which file and lines it shows; otherwise the text above it does.
import type { CodeLine, MarkdownBlock } from "../../../markdown/markdown-block.ts";
import { isComment } from "../../../source/definitions.ts";
import { isField } from "../places/anchors-of.ts";
import { placedClaim, withRange, type Claim } from "../claim.ts";
import { quoteEvidence, weighed, type Evidence } from "../find-evidence.ts";
import type { Mention } from "../paths/find-mentions.ts";
import type { NumberedLines } from "../spelled-numbers.ts";
import { leadModality, sectionModality, type Modality } from "../modality.ts";
import { fenceHead, infoHead, printedBeside, type FenceHead } from "./fence-head.ts";
import { changeEvidence, hunkClaim, readHunk, type Hunk } from "./read-hunk.ts";
import { isRecordField, readListing } from "./read-listing.ts";
import { sectionOf, type Context, type ReadingUnit } from "../read-unit.ts";
import { weights } from "../weights.ts";

/** Lines of a fence that one head speaks for. */
type Piece = {
  head: { mention: Mention; start: number } | null;
  lines: CodeLine[];
  hunk?: Hunk | undefined;
};

const noQuote = /^(?:mermaid|plantuml|dot|http|ascii|tree|suggestion)\b/i;
const shell = /^(?:bash|sh|shell|zsh|console|terminal|powershell|cmd)\b/i;
const drawing = /[├└│┌┐─►▼▲]|^\s*\|?\s*(?:[-=]{2,}>|↓|→)/m;

/** Adds the fence's own claims to its unit, or its quotations to the claims above it. */
export function readFence(unit: ReadingUnit, context: Context): void {
  const { block } = unit;
  if (block.lines.length === 0) return;
  if (noQuote.test(block.info)) {
    addListing(unit, block.lines, { context, modality: sectionModality(block) });
    return;
  }
  const last = context.units.at(-1);
  const lead = last && last.block.kind !== "fence" ? leadModality(last.text) : undefined;
  const modality = lead ?? sectionModality(block);
  const pieces = piecesOf(unit, context);
  const told = last && last.block.kind !== "fence" ? numberTold(last) : undefined;
  for (const piece of pieces) {
    if (piece.head)
      claimPiece(unit, piece, {
        modality: isShown(piece.head.mention, context) && lead === "advised" ? "said" : modality,
        told: pieces.length < 4 ? told : undefined,
      });
    else if (!addListing(unit, piece.lines, { context, modality }))
      attach(unit, evidenceOf(piece.lines, unit), {
        context,
        modality,
        isCurrent: lead === "said",
      });
  }
}

/** Code with its own file and lines above it is shown, whatever a message wishes for; a document may plan it. */
const isShown = ({ ranges }: Mention, { reader }: Context): boolean =>
  ranges.length > 0 && reader.place.document === undefined;

/** The one number of a text that names no file: it may be a line of the file that is shown below. */
function numberTold({ mentions, numbers, text }: ReadingUnit): NumberedLines | undefined {
  const isLead = mentions.length === 0 && numbers.length === 1 && text.length < 400;
  return isLead ? numbers[0] : undefined;
}

/** Of a message; a document lists places of any time. Whether the lines name a file with something of it. */
function addListing(
  unit: ReadingUnit,
  lines: readonly CodeLine[],
  { context, modality }: { context: Context; modality: Modality },
): boolean {
  if (context.reader.place.document !== undefined) return false;
  const claims = readListing(unit.block, lines, { context, modality });
  unit.claims.push(...claims);
  return claims.length > 0;
}

function piecesOf(unit: ReadingUnit, { reader, report }: Context): Piece[] {
  const { block } = unit;
  const at = report.lastIndexOf(block.info, block.start);
  const info = infoHead(block.info, reader);
  let piece: Piece = { head: info ? { mention: info, start: at } : null, lines: [] };
  const pieces = [piece];
  let printedFor: { mention: Mention; written: string } | undefined;
  for (const [index, line] of block.lines.entries()) {
    const context = printedFor && printedBeside(line, printedFor);
    if (context) {
      unit.claims.push(rowClaim(context, line, block));
      continue;
    }
    const isField = isRecordField(line) && besideFields(block.lines, index);
    const found = isField ? undefined : fenceHead(line, reader);
    const hunk = piece.head && !found ? readHunk(line) : undefined;
    if (hunk) {
      pieces.push((piece = { head: piece.head, lines: [], hunk }));
      continue;
    }
    if (found?.row) {
      const { mention } = found;
      unit.claims.push(rowClaim(found, line, block));
      printedFor = { mention, written: line.text.slice(0, line.text.search(/:\d/)) };
    } else if (found)
      pieces.push((piece = { head: { mention: found.mention, start: line.start }, lines: [] }));
    else piece.lines.push(line);
  }
  return pieces.filter(
    ({ lines, head }) => head !== null || lines.some(({ text }) => text.trim() !== ""),
  );
}

/** "file: x.ts" between other fields is one of a record, not the head of a quotation. */
const besideFields = (lines: readonly CodeLine[], at: number): boolean =>
  [lines[at - 1], lines[at + 1]].some((line) => line !== undefined && isRecordField(line));

function rowClaim(
  { mention, row }: FenceHead,
  { text, start }: CodeLine,
  block: MarkdownBlock,
): Claim {
  const claim = placedClaim(block, mention, start);
  claim.evidence.push(weighed(quoteEvidence([row], 0, text.length), weights.evidence.told, true));
  return claim;
}

type Said = { modality: Modality; told: NumberedLines | undefined };

function claimPiece(unit: ReadingUnit, piece: Piece, { modality, told }: Said): void {
  const { head, lines, hunk } = piece;
  const { mention, start } = head!;
  if (hunk) {
    // What is only proposed to be added stands nowhere yet, or is moved.
    const isNew = lines.some(({ text }) => text.startsWith("+"));
    if (isNew && modality !== "said") return;
    const first = hunkClaim(mention, start, { lines, hunk, block: unit.block });
    if (!first) return;
    first.modality = modality;
    unit.claims.push(first);
    if (!told) return;
    const other = withRange(first, told);
    other.evidence = [...first.evidence];
    unit.claims.push(other);
    return;
  }
  const claim = placedClaim(unit.block, mention, start);
  claim.modality = modality;
  if (claim.range === null && told && lines.length > 0) {
    claim.range = told;
    claim.binding = weights.binding.alone;
  }
  for (const item of evidenceOf(lines, unit))
    claim.evidence.push(weighed(item, weights.evidence.told, mention.ranges.length > 0));
  unit.claims.push(claim);
}

/** Code with its line in a comment behind it. */
const trailing = /^(.*\S)\s+(?:\/\/|#|--|;|\/\*|<!--|←)\s*(?:lines?\s|L|:)(\d{1,7})\b[\s*/>-]*$/;
const gutter = /^\s*[>+*•-]?\s*(\d{1,7})(?: {0,4}[|│:→]\s?|\t|\s{2,}|[-+]\s)(.*)$/;

/** The quotation in these lines; none for commands, drawings and texts. */
function evidenceOf(lines: readonly CodeLine[], { block }: ReadingUnit): Evidence[] {
  const filled = lines.filter(({ text }) => /[^\s|^~]/.test(text));
  const written = filled.map(({ text }) => text);
  if (filled.length === 0 || filled.length > 2_000 || drawing.test(written.join("\n"))) return [];
  if (filled.every(({ text }) => isComment(text))) return [];
  const numbered = filled.map(({ text }) => numberedLine(text));
  const rows = numbered.filter((match) => match !== null);
  const quoteOf = (texts: string[]): Evidence => quoteEvidence(texts, 0, 0);
  if (rows.length >= Math.max(1, filled.length * 0.7) && ascends(rows)) {
    const kept = rows.filter(({ code }) => code.trim() !== "");
    if (kept.length === 0) return [];
    const quote = quoteOf(kept.map(({ code }) => code));
    quote.gutter = kept.map(({ line }) => line);
    // The numbers may be the code's own.
    quote.other = written;
    return [quote];
  }
  if (/^diff|^patch/i.test(block.info) || filled.some(({ text }) => text.startsWith("@@ ")))
    return changeEvidence(filled);
  if (!shell.test(block.info)) return [quoteOf(written)];
  return written.some((text) => /^\s*\$\s/.test(text)) ? [] : [weighed(quoteOf(written), 1)];
}

type Numbered = { line: number; code: string };

function numberedLine(text: string): Numbered | null {
  const before = gutter.exec(text);
  if (before) return { line: Number(before[1]), code: before[2]! };
  const behind = trailing.exec(text);
  return behind && { line: Number(behind[2]), code: behind[1]! };
}

const ascends = (rows: readonly Numbered[]): boolean =>
  rows.every(({ line }, index) => index === 0 || line > rows[index - 1]!.line);

type Setting = { context: Context; modality: Modality; isCurrent: boolean };

/** The place named directly above a fence is what it quotes; a short label may stand between. */
function attach(
  unit: ReadingUnit,
  quotes: Evidence[],
  { context, modality, isCurrent }: Setting,
): void {
  if (quotes.length === 0) return;
  const host = hostOf(unit, context);
  const lineless = quotes.filter(({ gutter: numbers }) => numbers.length === 0);
  unit.loose = lineless.length > 0 ? lineless : quotes;
  if (!host) return;
  unit.isLed = true;
  const led = ledBy(host);
  const places = new Set(led.map(({ mention, range }) => `${mention.path}:${range?.first}`));
  const tail = host.text.slice(led.at(-1)!.end - host.block.start);
  const isLabel =
    host.block.kind === "heading" || tail.length < 60 || /:\s*[*_`]*$/.test(host.text);
  const { told, far } = weights.evidence;
  const isSure = places.size === 1 && isLabel && modality === "said";
  for (const claim of host.claims)
    for (const quote of quotes) {
      const weight = isSure && led.includes(claim) ? told : far;
      const shown = weighed(quote, quote.weight === 1 ? 1 : weight, true);
      shown.isBlock = true;
      shown.isCurrent = isCurrent;
      claim.evidence.push(shown);
    }
}

/** The claims of the sentence that ends in a colon before a fence; else all of the block. */
function ledBy({ claims, text, block }: ReadingUnit): Claim[] {
  const from = Math.max(text.lastIndexOf("\n"), text.lastIndexOf(". "));
  const last = claims.filter(({ start, range }) => start - block.start > from && range !== null);
  return last.length > 0 && /:\s*[*_`]*$/.test(text) ? last : claims;
}

/** The block right above, or the one before a label of a few words. */
function hostOf({ block }: ReadingUnit, { units, byBlock }: Context): ReadingUnit | undefined {
  const [last, before] = [units.at(-1), units.at(-2)];
  const isNear = (other: ReadingUnit | undefined): boolean =>
    other !== undefined &&
    other.claims.length > 0 &&
    !["fence", "row"].includes(other.block.kind) &&
    (sectionOf(other.block) === sectionOf(block) || other.block === sectionOf(block));
  if (isNear(last)) return last;
  const isLabel = last !== undefined && last.text.trim().length < 60 && last.block.kind !== "fence";
  if (isLabel && isNear(before)) return before;
  if (isLabel && isField(last) && before && isField(before) && isNear(units.at(-3)))
    return units.at(-3);
  const parent = block.parent && byBlock.get(block.parent);
  return parent?.claims.length ? parent : undefined;
}
