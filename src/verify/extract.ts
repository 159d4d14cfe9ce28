// From a report to its claims: units in order, evidence bound across lines (fences, sub-items, headings that name a file).
import { limits } from "../base/limits.ts";
import { frameClaim, grepClaim, readFence } from "./bind-fence.ts";
import { bindRow } from "./bind-row.ts";
import { bindText } from "./bind-text.ts";
import { claimAt, isCode, symbolName } from "./claims.ts";
import type { Claim, QuoteEvidence } from "./claims.ts";
import { codeSpans } from "./inline.ts";
import type { Span } from "./inline.ts";
import type { Range } from "./path-token.ts";
import { isProposal, sectionPolarity } from "./polarity.ts";
import { findReferences } from "./references.ts";
import type { Repository } from "./repository.ts";
import { splitUnits } from "./units.ts";
import type { Unit } from "./units.ts";

type Read = { unit: Unit; claims: Claim[] };

/** All claims of a report in the order of their places in it; `truncated` when there were more than the limit. */
export function extractClaims(report: string, repo: Repository): { claims: Claim[]; truncated: boolean } {
  const read: Read[] = [];
  let count = 0;
  for (const unit of splitUnits(report)) {
    const claims = unit.kind === "fence" ? fenceClaims(unit, repo, read) : unit.kind === "row" ? bindRow(unit, repo) : textClaims(unit, repo, read);
    read.push({ unit, claims });
    count += claims.length;
    if (count > limits.verify.references) break;
  }
  const claims = read.flatMap((item) => item.claims).sort((a, b) => a.start - b.start || a.end - b.end);
  return { claims: claims.slice(0, limits.verify.references), truncated: count > limits.verify.references };
}

function textClaims(unit: Unit, repo: Repository, read: Read[]): Claim[] {
  if (unit.kind === "quote" && attachQuote(unit, repo, read)) return [];
  const whole = { start: unit.start, text: unit.text };
  const frame = /^\s*(?:File "|at |from |#\d)/.test(unit.text) ? frameClaim(whole, repo) : undefined;
  if (frame) return [frame];
  const { references, inline } = findReferences(unit.text, repo, unit.kind === "heading" || /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S+\s*$/.test(unit.text));
  if (/^\S+:\d+:(?:\S|\s{2,}|\t)/.test(unit.text) && references.length > 0) {
    const grep = grepClaim(whole, repo);
    if (grep) return [grep];
  }
  const claims = bindText(unit.text, references, { inline, offset: unit.start });
  const section = unit.section.at(-1);
  const polarity = section === undefined ? undefined : sectionPolarity(section);
  if (polarity) for (const claim of claims) if (claim.polarity === "present" && claim.range === null && unit.bullet) claim.polarity = polarity;
  if (claims.length === 0) attachLabelled(unit, read);
  attachFootnote(unit, claims, read);
  const short = shorthand(unit, claims, read);
  return short.length === 0 ? claims : [...claims, ...short].sort((a, b) => a.start - b.start);
}

/** "[^1]: x.ts:45" speaks about what carries the mark further up. */
function attachFootnote(unit: Unit, claims: Claim[], read: Read[]): void {
  const mark = /^\s*\[\^([\w-]{1,20})\]:/.exec(unit.text)?.[1];
  if (mark === undefined || claims.length !== 1) return;
  const marked = read.slice(-60).flatMap(({ unit: other }) => codeSpans(other.text).filter((span) => other.text.startsWith(`[^${mark}]`, span.end)));
  const symbol = marked.length > 0 ? symbolName(marked.at(-1)!.text) : undefined;
  if (symbol && !symbol.call) claims[0]!.symbols.push({ name: symbol.name, plain: symbol.everyday, accuses: "always", encloses: false });
}

/** "- **Line:** 45" below "- **File:** `x.ts`" gives that path its line. */
function attachLine(unit: Unit, read: Read[]): void {
  const match = /^\s*[-*+•]?\s*[*_]*lines?(?:\s+(?:number|range|no\.?))?[*_]*\s*[:=][*_]*\s*[`*]*L?(\d{1,12})(?:\s*(?:[-–—]|to)\s*L?(\d{1,12}))?[`*]*\s*$/i.exec(unit.text);
  const target = match ? read.slice(-3).reverse().find((item) => item.claims.length > 0)?.claims : undefined;
  if (match && target?.length === 1 && target[0]!.range === null) target[0]!.range = [Number(match[1]), Number(match[2] ?? match[1])];
}

/** "Code match: `…`" below a reference speaks about that reference. */
function attachLabelled(unit: Unit, read: Read[]): void {
  attachLine(unit, read);
  if (!unit.text.includes("`")) return;
  const match = /^\s*(?:[-*+•>]|\d+[.)])?\s*[*_]*(?:code(?:\s+match|\s+quote)?|match(?:es|ed)?|snippet|quote|evidence|content|actual(?:\s+\w+)?|current(?:\s+\w+)?|source|text|reads|line\s+reads|symbol|function|definition|signature)[*_]*\s*[:=–—-][*_]*\s*(`.+)$/i.exec(unit.text);
  if (!match) return;
  const span = codeSpans(match[1]!)[0];
  const target = read.slice(-4).reverse().find((item) => item.claims.length > 0);
  if (!span || span.start !== 0 || !target || isProposal(unit.text.slice(0, unit.text.indexOf("`")))) return;
  const symbol = symbolName(span.text);
  const only = target.claims.length === 1;
  for (const claim of target.claims) {
    if (symbol && !symbol.call) claim.symbols.push({ name: symbol.name, plain: symbol.everyday, accuses: only ? "always" : "never", encloses: false });
    else if (isCode(span.text)) claim.quotes.push({ lines: [span.text], accuses: only && !symbol ? "always" : "never" });
  }
}

const spokenLine = /(?<![\w./`:])(?:`?:(\d{1,7})(?:[-–](\d{1,7}))?`?(?![\w:]|\.\d)|(?:lines?|L(?=\d))\s?#?(\d{1,7})(?:\s?(?:[-–—]|to)\s?L?(\d{1,7}))?(?![\w%]|\.\d))/gi;

/** ":89" or "line 89" without a path of its own: it goes on about the last file that was named. */
function shorthand(unit: Unit, claims: Claim[], read: Read[]): Claim[] {
  const found: Claim[] = [];
  if (!/:\d|lines?\s?#?\d|L\d/i.test(unit.text)) return found;
  let spans: Span[] | undefined;
  spokenLine.lastIndex = 0;
  for (let match = spokenLine.exec(unit.text); match; match = spokenLine.exec(unit.text)) {
    const { index } = match;
    const start = unit.start + index;
    const end = start + match[0].length;
    if (claims.some((claim) => start < claim.end + 1 && claim.start < end)) continue;
    spans ??= codeSpans(unit.text);
    // A colon with a number inside a piece of code is code.
    if (spans.some((span) => start > unit.start + span.start && end < unit.start + span.end && !/^:?L?\d[\d–-]*$/.test(span.text.trim()))) continue;
    const before = claims.filter((claim) => claim.end <= start && !claim.external).at(-1);
    const path = before?.path ?? (claims.length === 0 ? contextPath(unit, read) : undefined);
    const range: Range = match[1] ? [Number(match[1]), Number(match[2] ?? match[1])] : [Number(match[3]), Number(match[4] ?? match[3])];
    if (path === undefined || (match[1] && !before)) continue;
    const joined = before && /^[`*_"')\]]*(?:\s*(?:,|and|&|or|\/)\s*)+[`*_"'(]*$/.test(unit.text.slice(before.end - unit.start, index));
    found.push(claimAt({ start, end, path, range }, { symbols: joined ? before.symbols : [], quotes: joined ? [] : localQuotes(unit, end - unit.start) }));
  }
  return found;
}

/** "Line 45: `code`" in a list below a file's name. */
function localQuotes(unit: Unit, at: number): QuoteEvidence[] {
  const match = /^[*_`)\]]*\s*(?:[:–—-]|reads|is|has|contains)\s*[*_]*(`.+)$/.exec(unit.text.slice(at, at + 2000));
  const span = match ? codeSpans(match[1]!)[0] : undefined;
  return span && span.start === 0 && isCode(span.text) && !symbolName(span.text) ? [{ lines: [span.text], accuses: "always" }] : [];
}

/** The one file that the parent item, the line before a list or the nearest heading names. */
function contextPath(unit: Unit, read: Read[]): string | undefined {
  for (let index = read.length - 1; index >= Math.max(0, read.length - 60); index--) {
    const { unit: other, claims } = read[index]!;
    const parent = other.kind === "heading" || other.kind === "quote" || (other.kind === "text" && (!other.bullet || other.indent < unit.indent || !unit.bullet));
    if (!parent) continue;
    const paths = new Set(claims.filter((claim) => !claim.external).map((claim) => claim.path));
    if (paths.size === 1) return [...paths][0];
    if (paths.size > 1 || other.kind === "heading") return undefined;
  }
  return undefined;
}

function fenceClaims(unit: Unit, repo: Repository, read: Read[]): Claim[] {
  const previous = read.at(-1);
  const proposed = previous !== undefined && isProposal(lastClause(previous.unit)) || isProposal(unit.section.at(-1) ?? "");
  const { claims, quotes } = readFence(unit, repo, proposed);
  if (!proposed) for (const quote of quotes) attachToPrevious(quote, read);
  return claims;
}

/** The words between the last full stop and the fence. */
function lastClause(unit: Unit): string {
  if (unit.kind === "fence") return "";
  const text = unit.text.slice(-300).trimEnd();
  const stop = text.slice(0, -1).search(/[.!?]\s+(?=[A-Z`*][^.!?]*$)/);
  return stop < 0 ? text : text.slice(stop + 1);
}

/** The fence quotes the place named directly before it; a label such as "Current code:" may stand between. */
function attachToPrevious(quote: QuoteEvidence, read: Read[]): void {
  for (let back = 1; back <= 3; back++) {
    const item = read.at(-back);
    if (!item || item.unit.kind === "fence" || item.unit.kind === "row") return;
    const claims = item.claims.filter((claim) => !claim.external);
    if (claims.length === 0) {
      if (item.unit.text.trim().length > 60) return;
      continue;
    }
    const last = claims.at(-1)!;
    const places = new Set(claims.map((claim) => `${claim.path}:${claim.range?.join("-")}`));
    const near = last.end >= item.unit.start + item.unit.text.trimEnd().length - 60 || /:\s*[*_`]*\s*$/.test(item.unit.text);
    for (const claim of claims) claim.quotes.push({ ...quote, accuses: places.size === 1 && (near || item.unit.kind === "heading") ? quote.accuses : "never" });
    return;
  }
}

/** A block quote below "x.ts:45:" quotes that place; whatever looks like a path in it is part of the quotation. */
function attachQuote(unit: Unit, repo: Repository, read: Read[]): boolean {
  const previous = read.at(-1);
  if (!previous || previous.unit.kind === "fence" || isProposal(lastClause(previous.unit))) return false;
  const colon = /:\s*[*_`]*\s*$/.test(previous.unit.text) && previous.claims.length === 1;
  if (!colon && findReferences(unit.text, repo).references.length > 0) return false;
  for (const claim of previous.claims) claim.quotes.push({ lines: unit.lines.map(({ text }) => text.replace(/^ ?`?|`$/g, "")), accuses: colon ? "always" : "never" });
  return colon;
}
