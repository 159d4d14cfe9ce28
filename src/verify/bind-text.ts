// Binds the evidence of a sentence to its references: which backticked names and pieces of code speak about which place.
import { claimAt, isCode, isCodeShaped, strongCode, symbolName } from "./claims.ts";
import type { Accusation, Claim, QuoteEvidence, SymbolEvidence } from "./claims.ts";
import { connects } from "./connecting-words.ts";
import { isAscii } from "./normalise.ts";
import type { Polarity } from "./polarity.ts";
import { isCreated, isDeniedOrProposed, pathPolarity } from "./polarity.ts";
import type { Inline, Reference } from "./references.ts";

type Mark = { start: number; end: number; text: string; symbol: string | undefined; everyday: boolean; call: boolean; code: boolean };

/** Claims of one piece of running text; `offset` is where it starts in the report. */
export function bindText(text: string, references: Reference[], { inline, offset }: { inline: Inline; offset: number }): Claim[] {
  if (references.length === 0) return [];
  const quoted = quotedMarks(text, references, inline);
  const marks = quoted.length === 0 ? marksOf(inline, references) : [...marksOf(inline, references), ...quoted].sort((a, b) => a.start - b.start);
  let hidden: string | undefined;
  const masked = () => (hidden ??= text.replace(/`[^`]*`/g, (span) => `\`${"x".repeat(Math.max(0, span.length - 2))}\``));
  const bounds = sentenceBounds(text, [...inline.spans, ...references, ...quoted]);
  return references.flatMap((reference, index) => {
    const sentence = sentenceAt(bounds, reference.start, text.length);
    const within = marks.filter((mark) => mark.start >= sentence[0] && mark.end <= sentence[1]).slice(0, 24);
    const alone = references.filter((other) => other.start >= sentence[0] && other.start < sentence[1]).length === 1;
    const context: Context = { text, masked, references, index, marks: within, alone };
    return claimsOf(reference, { offset, symbols: symbolsFor(reference, context), quotes: quotesFor(reference, context), text });
  });
}

type Parts = { offset: number; symbols: SymbolEvidence[]; quotes: QuoteEvidence[]; text: string };

function claimsOf(reference: Reference, { offset, symbols, quotes, text }: Parts): Claim[] {
  const before = text.slice(Math.max(0, reference.start - 100), reference.start);
  const written = text.slice(reference.start, reference.end);
  const claim = claimAt({ start: offset + reference.start, end: offset + reference.end, path: reference.path, range: null }, { symbols, quotes });
  claim.external = reference.external ?? false;
  if (!claim.external) claim.polarity = polarityOf(before, text.slice(reference.end, reference.end + 60), reference.ranges.length > 0 || symbols.length > 0 || quotes.length > 0);
  claim.vague = /\b(?:around|near|about|approx\w*|circa|roughly|ca\.|~)\s*(?:at\s+)?(?:the\s+)?(?:lines?|L)\b|~\s*L?\d/i.test(written) || /\b(?:around|near|approximately|roughly|close\s+to)\s+[`*_(]*$/i.test(before);
  claim.unsure = reference.ranges.length === 0 && (/(?:^|[^\w.])[A-Za-z:#]?\d{1,6}\W{0,3}$/.test(before.slice(-14)) || /^\W{0,6}[A-Za-z:#]{0,5}\d{1,6}(?![\w.])/.test(text.slice(reference.end, reference.end + 16)));
  claim.defines = /\b(?:defin|declar|implement)\w*/i.test(`${before.slice(-60)} ${text.slice(reference.end, reference.end + 40)}`);
  const ranges = reference.ranges.length > 0 ? reference.ranges : [null];
  // Of several lines one may be the quoted one: then a quotation speaks for none of the others.
  if (ranges.length > 1) claim.quotes = quotes.map((quote) => ({ ...quote, accuses: "never" }));
  return ranges.map((range) => ({ ...claim, range }));
}

/** A line, a name or a quotation says that something is there, whatever else the sentence does: only "created" outweighs it. */
function polarityOf(before: string, after: string, evidenced: boolean): Polarity {
  if (!evidenced) return pathPolarity(before, after);
  return isCreated(before) && pathPolarity(before, after) === "created" ? "created" : "present";
}

function marksOf(inline: Inline, references: Reference[]): Mark[] {
  return inline.spans
    .filter((span) => !references.some((reference) => span.start < reference.end && reference.start < span.end))
    .map((span) => {
      const symbol = symbolName(span.text);
      const code = (symbol === undefined || symbol.call) && isCode(span.text);
      return { start: span.start, end: span.end, text: span.text, symbol: symbol?.name, everyday: symbol?.everyday ?? false, call: symbol?.call ?? false, code };
    })
    .filter((mark) => mark.symbol !== undefined || mark.code);
}

/** Code between double quotes, where there is one such pair beside one reference and what it holds can be nothing but code. */
function quotedMarks(text: string, references: Reference[], inline: Inline): Mark[] {
  if (references.length !== 1 || !/["“]/.test(text)) return [];
  const taken = [...inline.spans, ...references];
  const marks = [...text.matchAll(/["“”]/g)].map(({ index }) => index).filter((at) => !taken.some((item) => at >= item.start - 1 && at <= item.end));
  const [first, last] = [marks[0]!, marks.at(-1)!];
  const reference = references[0]!;
  if (marks.length < 2 || marks.length > 12 || (first < reference.start && last > reference.end)) return [];
  const quoted = text.slice(first + 1, last);
  return strongCode(quoted) && symbolName(quoted)?.call !== false ? [{ start: first, end: last + 1, text: quoted, symbol: undefined, everyday: false, call: false, code: true }] : [];
}

/** Offsets behind a full stop that ends a sentence; dots inside code and paths do not. */
function sentenceBounds(text: string, taken: { start: number; end: number }[]): number[] {
  const bounds: number[] = [];
  sentenceEnd.lastIndex = 0;
  for (let match = sentenceEnd.exec(text); match; match = sentenceEnd.exec(text)) {
    const { index } = match;
    if (!taken.some((item) => index >= item.start && index < item.end)) bounds.push(index + 1);
  }
  return bounds;
}

const sentenceEnd = /[.!?;](?=\s+[A-Z`*"([{]|\s*$)/g;

function sentenceAt(bounds: number[], at: number, length: number): [number, number] {
  let start = 0;
  for (const bound of bounds) {
    if (bound > at) return [start, bound];
    start = bound;
  }
  return [start, length];
}

type Context = { text: string; masked: () => string; references: Reference[]; index: number; marks: Mark[]; alone: boolean };

/** The words between two offsets, or undefined where another reference stands between them. */
function wordsBetween(context: Context, from: number, to: number): string[] | undefined {
  if (to - from > 120 || context.references.some((other) => other.start >= from && other.end <= to)) return undefined;
  const between = context.text.slice(from, to).toLowerCase();
  const words = between.match(isAscii(between) ? /[a-z0-9_'.]+/g : /[\p{L}\p{N}_'’.]+/gu);
  return words?.map((word) => (word.endsWith(".") ? word.slice(0, -1) : word)) ?? [];
}

/** Whether a text says nothing but where or what something is. */
export function onlyConnects(text: string): boolean {
  return (text.toLowerCase().match(/[\p{L}\p{N}_'’]+/gu) ?? []).every((word) => connects(word));
}

function isTight(words: string[] | undefined): boolean {
  return words !== undefined && words.length <= 8 && words.every((word) => connects(word));
}

function between(reference: Reference, mark: { start: number; end: number }): [number, number] {
  return mark.end <= reference.start ? [mark.end, reference.start] : [reference.end, mark.start];
}

function symbolsFor(reference: Reference, context: Context): SymbolEvidence[] {
  const found: SymbolEvidence[] = [];
  if (reference.symbol !== undefined) found.push({ name: reference.symbol, plain: false, accuses: reference.frame ? "outside" : "always", encloses: reference.frame ?? false, ...(reference.frame ? { frame: true } : {}) });
  const printed = reference.quote === undefined ? undefined : symbolName(grepText(reference, context));
  if (printed?.call === false) found.push({ name: printed.name, plain: true, accuses: "always", encloses: false });
  if (reference.label !== undefined) found.push(...labelSymbol(reference, reference.label));
  const symbols = context.marks.filter((mark) => mark.symbol !== undefined && !mark.code);
  const owners = symbols.length > 1 ? symbols.filter((mark) => isOwner(mark, context)) : [];
  const named = owners.length === 0 ? { ...context, marks: symbols } : { ...context, text: blanked(context.text, owners), marks: symbols.filter((mark) => !owners.includes(mark)) };
  for (const mark of named.marks) found.push(markEvidence(mark, reference, named));
  for (const { symbol } of owners) found.push({ name: symbol!, plain: false, accuses: "typo", encloses: true, owner: true });
  if (found.every((item) => item.accuses === "never")) found.push(...plainSymbols(reference, context));
  return found;
}

/** "`bar` of `Foo`": Foo holds what stands there and need not stand there itself. */
function isOwner(mark: Mark, { text, marks }: Context): boolean {
  const before = marks.findLast((other) => other.end <= mark.start);
  return before !== undefined && before.symbol !== undefined && /^[*_]*\s+(?:method\s+|function\s+|field\s+|member\s+)?(?:of|on|in|from|inside|within)\s+(?:the\s+)?(?:class\s+|struct\s+|trait\s+|module\s+|interface\s+|object\s+|type\s+|namespace\s+)?[*_]*$/i.test(text.slice(before.end, mark.start));
}

function blanked(text: string, marks: Mark[]): string {
  return marks.reduce((rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end), text);
}

function labelSymbol({ path, labelInCode }: Reference, label: string): SymbolEvidence[] {
  // The file's own name is a label for the file.
  const symbol = /\s/.test(label) || path === label || path.endsWith(`/${label}`) ? undefined : symbolName(label);
  return symbol ? [{ name: symbol.name, plain: labelInCode !== true || symbol.everyday, accuses: "always", encloses: false }] : [];
}

function markEvidence(mark: Mark, reference: Reference, context: Context): SymbolEvidence {
  const before = context.text.slice(Math.max(0, mark.start - 160), mark.start);
  const encloses = /\b(?:in|inside|within|under|body\s+of|inside\s+of)\s+(?:the\s+)?(?:body\s+of\s+)?(?:function\s+|method\s+|class\s+|handler\s+|routine\s+)?[*_]*$/i.test(before);
  return { name: mark.symbol!, plain: mark.everyday, accuses: isDeniedOrProposed(before) ? "never" : accusation(mark, reference, context), encloses };
}

function accusation(mark: Mark, reference: Reference, context: Context): Accusation {
  const words = wordsBetween(context, ...between(reference, mark));
  if (words === undefined) return "never";
  const rivals = context.marks.filter((other) => other !== mark && isTight(wordsBetween(context, ...between(reference, other))));
  const tight = isTight(words) && !stolen(mark, reference, context);
  if (tight && inList(mark, context)) return "never";
  if (tight) return rivals.some((other) => distance(other, reference) < distance(mark, reference)) ? "never" : "always";
  if (!context.alone || rivals.length > 0 || context.marks.length > 1) return "never";
  const inside = /\b(?:in|inside|within)\s+[`*_]*$/i.test(context.text.slice(Math.max(0, mark.start - 12), mark.start));
  const relation = /\b(?:bypass|skip|ignor|avoid|without|instead|lack|miss|not|never|before|after|unlike|should|could|must|need|fail|similar|like|than|shadow|overrid|remov|replac|delet|but|although|while|because|wrong|bug|vulnerab)\w*/i;
  if (words.some((word) => relation.test(word) || word.endsWith("n't"))) return "typo";
  if (mark.start >= reference.end && words.filter((word) => !connects(word)).length <= 3 && !inside) return "always";
  return mark.end <= reference.start || words.length <= 8 ? "outside" : "typo";
}

/** "`a`, `b` (x.ts:4, x.ts:17)": which name goes with which place is not said. */
function inList(mark: Mark, context: Context): boolean {
  const joined = /^\s*(?:,|\/|&|,?\s*and|,?\s*or)\s*$/;
  return context.marks.some((other) => (other.end <= mark.start && joined.test(context.text.slice(other.end, mark.start))) || (other.start >= mark.end && joined.test(context.text.slice(mark.end, other.start))));
}

/** The name stands nearer to another reference, in the same tight way. */
function stolen(mark: Mark, reference: Reference, context: Context): boolean {
  const own = distance(mark, reference);
  return context.references.some((other) => other !== reference && distance(mark, other) < own && isTight(wordsBetween(context, ...between(other, mark))));
}

function distance(mark: { start: number; end: number }, reference: Reference): number {
  const gap = mark.end <= reference.start ? reference.start - mark.end : mark.start - reference.end;
  return gap;
}

const kindNouns = new Set("function func fn method class struct interface type enum const constant variable macro module field property hook component helper handler constructor symbol procedure subroutine sub trait".split(" "));

const labelWords = new Set("bug issue problem note fix error warning todo example found summary result root cause details impact risk title id where what why how affected related".split(" "));

/** Names without backticks: `(name)` behind the reference, or a code-like word beside it. */
function plainSymbols(reference: Reference, context: Context): SymbolEvidence[] {
  const keyed = context.alone ? /["'](?:symbol|function|name|method|class|identifier)["']\s*:\s*["']([A-Za-z_$][\w$.:#-]*)["']/.exec(context.text) : null;
  if (keyed) return [{ name: keyed[1]!, plain: false, accuses: "always", encloses: false }];
  const behind = context.masked().slice(reference.end, reference.end + 100);
  const paren = /^[`*_)]*\s*\(\s*([A-Za-z_$][\w$.:#]*)(?:\(\))?\s*\)/.exec(behind);
  if (paren) return [{ name: paren[1]!, plain: true, accuses: "always", encloses: false }];
  const before = context.masked().slice(Math.max(0, reference.start - 100, context.references[context.index - 1]?.end ?? 0), reference.start);
  const label = /^\s*(?:[-*+•]\s+|\d+[.)]\s+)?\**([A-Za-z_$][\w$]*)\**(?:\(\))?\s*(?:[-–—:→=>@|(]+)\s*[`*[(]*$/.exec(before);
  if (label && !connects(label[1]!.toLowerCase()) && !labelWords.has(label[1]!.toLowerCase())) return [{ name: label[1]!, plain: true, accuses: "always", encloses: false }];
  const name = nearestWord(before.split(/\s+/).reverse()) ?? nearestWord(behind.slice(0, Math.max(0, (context.references[context.index + 1]?.start ?? Infinity) - reference.end)).split(/\s+/));
  return name === undefined ? [] : [{ name, plain: true, accuses: "always", encloses: false }];
}

/** Walks away from the reference over connecting words to the first other word, if it can be a name. */
function nearestWord(words: string[]): string | undefined {
  let kind = false;
  for (const [index, raw] of words.slice(0, 9).entries()) {
    // What stands in backticks was weighed already.
    if (raw.includes("`") && /\w/.test(raw)) return undefined;
    const word = raw.replace(/^[^\w$]+|[^\w$)]+$/g, "").replace(/(?<!\()\)$/, "");
    if (word === "" || (connects(word.toLowerCase()) && !isCodeShaped(word))) {
      kind ||= kindNouns.has(word.toLowerCase());
      if (/[.!?]$/.test(raw) && index > 0) return undefined;
      continue;
    }
    const bare = word.replace(/\(\)$/, "").replace(/^_([A-Za-z]\w*)_$/, "$1");
    const named = kind || kindNouns.has((words[index + 1] ?? "").toLowerCase().replace(/\W/g, ""));
    return /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[\w$]+)*$/.test(bare) && (isCodeShaped(word) || named) ? bare : undefined;
  }
  return undefined;
}

function quotesFor(reference: Reference, context: Context): QuoteEvidence[] {
  const found: QuoteEvidence[] = reference.quote === undefined || symbolName(reference.quote)?.call === false ? [] : [{ lines: [grepText(reference, context)], accuses: "always" }];
  for (const mark of context.marks) {
    if (!mark.code) continue;
    const before = context.text.slice(Math.max(0, mark.start - 160), mark.start);
    if (isDeniedOrProposed(before)) continue;
    const words = wordsBetween(context, ...between(reference, mark));
    const tight = isTight(words) && !stolen(mark, reference, context);
    const accuses: Accusation = mark.call && !/\b(?:code|snippet|quote|reads|line)[*_]*:[*_\s]*$/i.test(before) ? "typo" : tight || (context.alone && words !== undefined && strongCode(mark.text)) ? "always" : "never";
    if (words !== undefined) found.push({ lines: [mark.text], accuses });
  }
  return found;
}

/** grep's line goes on to the end of what was written. */
function grepText(reference: Reference, context: Context): string {
  const opens = context.text.slice(0, reference.start).trim();
  const rest = context.text.slice(reference.end);
  return context.text[reference.start] !== "`" && (opens === "" || /^[-*+>]$/.test(opens)) ? reference.quote! + rest.trimEnd() : reference.quote!;
}
