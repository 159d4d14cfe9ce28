// Binds the evidence of a sentence to its references: which backticked names and pieces of code speak about which place.
import {
  claimAt,
  codeLike,
  isCode,
  isCodeShaped,
  strongCode,
  symbolName,
  tightQuote,
} from "./claims.ts";
import type { Accusation, Claim, QuoteEvidence, SymbolEvidence } from "./claims.ts";
import { connects } from "./connecting-words.ts";
import { isAscii } from "./normalise.ts";
import type { Polarity } from "./polarity.ts";
import { isCreated, isDeniedOrProposed, isPlan, pathPolarity } from "./polarity.ts";
import type { Inline, Reference } from "./references.ts";

type Mark = {
  start: number;
  end: number;
  text: string;
  symbol: string | undefined;
  everyday: boolean;
  call: boolean;
  code: boolean;
};

/** Claims of one piece of running text; `offset` is where it starts in the report. */
export function bindText(
  text: string,
  references: Reference[],
  { inline, offset }: { inline: Inline; offset: number },
): Claim[] {
  if (references.length === 0) return [];
  const quoted = quotedMarks(text, references, inline);
  const marks =
    quoted.length === 0
      ? marksOf(inline, references)
      : [...marksOf(inline, references), ...quoted].sort((a, b) => a.start - b.start);
  let hidden: string | undefined;
  const masked = () =>
    (hidden ??= text.replace(
      /`[^`]*`/g,
      (span) => `\`${"x".repeat(Math.max(0, span.length - 2))}\``,
    ));
  const bounds = sentenceBounds(text, [...inline.spans, ...references, ...quoted]);
  return references.flatMap((reference, index) => {
    const sentence = sentenceAt(bounds, reference.start, text.length);
    const own = marks
      .filter((mark) => mark.start >= sentence[0] && mark.end <= sentence[1])
      .slice(0, 24);
    const asked =
      own.length === 0 && text[sentence[0] - 1] === "?"
        ? sentenceAt(bounds, sentence[0] - 1, text.length)
        : undefined;
    const question = asked
      ? marks.filter((mark) => mark.start >= asked[0] && mark.end <= asked[1])
      : [];
    const within = question.length === 1 ? question : own;
    const alone =
      references.filter((other) => other.start >= sentence[0] && other.start < sentence[1])
        .length === 1;
    const paired =
      !alone &&
      /\b(?:respectively|resp\.|jeweils|respectivement|respectivamente|rispettivamente|соответственно)/i.test(
        text.slice(...sentence),
      );
    const context: Context = {
      text,
      masked,
      references,
      index,
      marks: within,
      alone,
      sentence,
      paired: paired && samePairs(references, within, sentence),
    };
    return claimsOf(reference, {
      offset,
      symbols: symbolsFor(reference, context),
      quotes: quotesFor(reference, context),
      text,
      masked,
    });
  });
}

/** "`a` and `b` are at x.ts:4 and x.ts:17 respectively": as many names as places, in the same order. */
function samePairs(
  references: Reference[],
  marks: Mark[],
  [start, end]: [number, number],
): boolean {
  return (
    references.filter((other) => other.start >= start && other.start < end).length ===
    marks.filter((mark) => mark.symbol !== undefined && !mark.code).length
  );
}

type Parts = {
  offset: number;
  symbols: SymbolEvidence[];
  quotes: QuoteEvidence[];
  text: string;
  masked: () => string;
};

function claimsOf(reference: Reference, { offset, symbols, quotes, text, masked }: Parts): Claim[] {
  const before = text.slice(Math.max(0, reference.start - 100), reference.start);
  const written = text.slice(reference.start, reference.end);
  const claim = claimAt(
    {
      start: offset + reference.start,
      end: offset + reference.end,
      path: reference.path,
      range: null,
    },
    { symbols, quotes },
  );
  claim.external = reference.external ?? false;
  claim.loose = reference.loose ?? false;
  if (!claim.external)
    claim.polarity = polarityOf(
      before,
      text.slice(reference.end, reference.end + 60),
      reference.ranges.length > 0 ||
        [...symbols, ...quotes].some(
          ({ accuses }) => accuses === "always" || accuses === "outside",
        ),
    );
  if (claim.polarity === "present" && reference.ranges.length === 0 && isPlan(text))
    claim.polarity = "absent";
  claim.vague =
    /\b(?:around|near|about|approx\w*|circa|roughly|ca\.|~)\s*(?:at\s+)?(?:the\s+)?(?:lines?|L)\b|~\s*L?\d/i.test(
      written,
    ) || /\b(?:around|near|approximately|roughly|close\s+to)\s+[`*_(]*$/i.test(before.slice(-28));
  claim.unsure =
    reference.ranges.length === 0 &&
    (numberBefore.test(masked().slice(Math.max(0, reference.start - 50), reference.start)) ||
      numberBehind.test(masked().slice(reference.end, reference.end + 60)) ||
      /`\s?[([]\d{1,6}[)\]]/.test(text));
  claim.defines =
    definingWord.test(before.slice(-60)) ||
    definingWord.test(text.slice(reference.end, reference.end + 40));
  const ranges = reference.ranges.length > 0 ? reference.ranges : [null];
  // Of several lines one may be the quoted one: then a quotation speaks for none of the others.
  if (ranges.length > 1) claim.quotes = quotes.map((quote) => ({ ...quote, accuses: "never" }));
  return ranges.map((range) => ({ ...claim, range }));
}

const definingWord = /\b(?:defin|declar|implement)/i;

/** A number beside a path, with a word or two between, may be a line in words that nobody here knows. */
const numberBefore =
  /(?:^(?!\d+[.)]\s)|[^\w.]|\w\s)[A-Za-z:#]?\d{1,6}(?:\s*[-–—]\s*\d{1,6})?[^\w.]{0,3}(?:[\p{L}.]{1,12}[^\w.]{1,3}){0,3}$/u;
const numberBehind =
  /^[^\w.]{0,6}(?:[\p{L}.]{1,12}[^\p{L}\d.]{1,3}){0,2}[A-Za-z:#]{0,5}\d{1,6}(?![\w%]|\.\d)/u;

/** A line, a name or a quotation says that something is there, whatever else the sentence does: only "created" outweighs it. */
function polarityOf(before: string, after: string, evidenced: boolean): Polarity {
  if (!evidenced) return pathPolarity(before, after);
  return isCreated(before) && pathPolarity(before, after) === "created" ? "created" : "present";
}

function marksOf(inline: Inline, references: Reference[]): Mark[] {
  return inline.spans
    .filter(
      (span) =>
        !references.some((reference) => span.start < reference.end && reference.start < span.end),
    )
    .map((span) => {
      const symbol = symbolName(span.text);
      const code = (symbol === undefined || symbol.call) && isCode(span.text);
      return {
        start: span.start,
        end: span.end,
        text: span.text,
        symbol: symbol?.name,
        everyday: symbol?.everyday ?? false,
        call: symbol?.call ?? false,
        code,
      };
    })
    .filter((mark) => mark.symbol !== undefined || mark.code);
}

/** Code between double quotes, where there is one such pair beside one reference and what it holds can be nothing but code. */
function quotedMarks(text: string, references: Reference[], inline: Inline): Mark[] {
  if (references.length !== 1 || !/["“]/.test(text)) return [];
  const taken = [...inline.spans, ...references];
  const marks = [...text.matchAll(/["“”]/g)]
    .map(({ index }) => index)
    .filter((at) => !taken.some((item) => at >= item.start - 1 && at <= item.end));
  const [first, last] = [marks[0]!, marks.at(-1)!];
  const reference = references[0]!;
  if (marks.length < 2 || marks.length > 12 || (first < reference.start && last > reference.end))
    return [];
  const quoted = text.slice(first + 1, last);
  const told = /\b(?:says|reads?|shows|contains|states)\s*:?\s*$/.test(
    text.slice(Math.max(0, first - 12), first),
  );
  return (told ? codeLike(quoted) : strongCode(quoted)) && symbolName(quoted)?.call !== false
    ? [
        {
          start: first,
          end: last + 1,
          text: quoted,
          symbol: undefined,
          everyday: false,
          call: false,
          code: true,
        },
      ]
    : [];
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

type Context = {
  text: string;
  masked: () => string;
  references: Reference[];
  index: number;
  marks: Mark[];
  alone: boolean;
  sentence: [number, number];
  paired: boolean;
};

/** The words between two offsets, or undefined where another reference stands between them. */
function wordsBetween(context: Context, from: number, to: number): string[] | undefined {
  if (to - from > 120 || context.references.some((other) => other.start >= from && other.end <= to))
    return undefined;
  const between = context.text.slice(from, to).toLowerCase();
  // Behind a semicolon begins another thought.
  if (between.includes(";")) return [";"];
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
  if (reference.symbol !== undefined)
    found.push({
      name: reference.symbol,
      plain: false,
      accuses: reference.frame ? "outside" : "always",
      encloses: reference.frame ?? false,
      ...(reference.frame ? { frame: true } : {}),
    });
  const printed =
    reference.quote === undefined ? undefined : symbolName(grepText(reference, context));
  if (printed?.call === false)
    found.push({ name: printed.name, plain: true, accuses: "always", encloses: false });
  if (reference.label !== undefined) found.push(...labelSymbol(reference, reference.label));
  const symbols = context.marks.filter((mark) => mark.symbol !== undefined && !mark.code);
  const owners = symbols.length > 1 ? symbols.filter((mark) => isOwner(mark, context)) : [];
  const pair = context.paired
    ? symbols[
        context.references
          .filter(
            (other) => other.start >= context.sentence[0] && other.start < context.sentence[1],
          )
          .indexOf(reference)
      ]
    : undefined;
  if (pair)
    return [
      ...found,
      { name: pair.symbol!, plain: pair.everyday, accuses: "always", encloses: false },
    ];
  const named =
    owners.length === 0
      ? { ...context, marks: symbols }
      : {
          ...context,
          text: blanked(context.text, owners),
          marks: symbols.filter((mark) => !owners.includes(mark)),
        };
  for (const mark of named.marks) found.push(markEvidence(mark, reference, named));
  for (const { symbol } of owners)
    found.push({ name: symbol!, plain: false, accuses: "typo", encloses: true, owner: true });
  if (found.every((item) => item.accuses === "never"))
    found.push(...plainSymbols(reference, context));
  return found;
}

/** "`bar` of `Foo`": Foo holds what stands there and need not stand there itself. */
function isOwner(mark: Mark, { text, marks }: Context): boolean {
  const before = marks.findLast((other) => other.end <= mark.start);
  return (
    before !== undefined &&
    before.symbol !== undefined &&
    /^[*_]*\s+(?:method\s+|function\s+|field\s+|member\s+)?(?:of|on|in|from|inside|within)\s+(?:the\s+)?(?:class\s+|struct\s+|trait\s+|module\s+|interface\s+|object\s+|type\s+|namespace\s+)?[*_]*$/i.test(
      text.slice(before.end, mark.start),
    )
  );
}

function blanked(text: string, marks: Mark[]): string {
  return marks.reduce(
    (rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end),
    text,
  );
}

const linkWords = new Set(
  "source src here link code file view see impl implementation definition def line lines this ref reference github gitlab permalink docs doc details more".split(
    " ",
  ),
);

function labelSymbol({ path, labelInCode }: Reference, label: string): SymbolEvidence[] {
  // The file's own name is a label for the file, and "source" one for any.
  const symbol =
    /\s/.test(label) ||
    (labelInCode !== true && linkWords.has(label.toLowerCase())) ||
    path === label ||
    path.endsWith(`/${label}`)
      ? undefined
      : symbolName(label);
  return symbol
    ? [
        {
          name: symbol.name,
          plain: labelInCode !== true || symbol.everyday,
          accuses: "always",
          encloses: false,
        },
      ]
    : [];
}

function markEvidence(mark: Mark, reference: Reference, context: Context): SymbolEvidence {
  const before = context.text.slice(Math.max(0, mark.start - 160), mark.start);
  const encloses =
    /\b(?:in|inside|within|under|body\s+of|inside\s+of)\s+(?:the\s+)?(?:body\s+of\s+)?(?:function\s+|method\s+|class\s+|handler\s+|routine\s+)?[*_]*$/i.test(
      before,
    );
  return {
    name: mark.symbol!,
    plain: mark.everyday,
    accuses: isDeniedOrProposed(before, context.text.slice(mark.end, mark.end + 80))
      ? "never"
      : accusation(mark, reference, context),
    encloses,
  };
}

function accusation(mark: Mark, reference: Reference, context: Context): Accusation {
  const words = wordsBetween(context, ...between(reference, mark));
  if (words === undefined) return "never";
  const rivals = context.marks.filter(
    (other) => other !== mark && isTight(wordsBetween(context, ...between(reference, other))),
  );
  const tight = isTight(words) && !stolen(mark, reference, context);
  if (tight && inList(mark, context)) return "never";
  if (tight)
    return rivals.some((other) => distance(other, reference) < distance(mark, reference))
      ? "never"
      : "always";
  if (!context.alone || rivals.length > 0 || context.marks.length > 1) return "never";
  if (reference.ranges.length === 0) return "typo";
  const inside = /\b(?:in|inside|within)\s+[`*_]*$/i.test(
    context.text.slice(Math.max(0, mark.start - 12), mark.start),
  );
  if (words.some(relates)) return "typo";
  if (mark.start >= reference.end && words.filter((word) => !connects(word)).length <= 3 && !inside)
    return "always";
  return mark.end <= reference.start || words.length <= 8 ? "outside" : "typo";
}

const relation =
  /\b(?:bypass|skip|ignor|avoid|without|instead|lack|miss|not|never|before|after|unlike|should|could|must|need|fail|similar|like|than|shadow|overrid|remov|replac|delet|but|although|while|because|wrong|bug|vulnerab)\w*|n['’]t\b/i;

/** Whether words say how one thing stands to another, so that a name among them may stand elsewhere. */
export function relates(words: string): boolean {
  return relation.test(words);
}

/** "`a`, `b` (x.ts:4, x.ts:17)": which name goes with which place is not said. */
function inList(mark: Mark, context: Context): boolean {
  const joined = /^\s*(?:,|\/|&|,?\s*and|,?\s*or)\s*$/;
  return context.marks.some(
    (other) =>
      (other.end <= mark.start && joined.test(context.text.slice(other.end, mark.start))) ||
      (other.start >= mark.end && joined.test(context.text.slice(mark.end, other.start))),
  );
}

/** The name stands nearer to another reference, in the same tight way. */
function stolen(mark: Mark, reference: Reference, context: Context): boolean {
  const own = distance(mark, reference);
  return context.references.some(
    (other) =>
      other !== reference &&
      distance(mark, other) < own &&
      isTight(wordsBetween(context, ...between(other, mark))),
  );
}

function distance(mark: { start: number; end: number }, reference: Reference): number {
  const gap = mark.end <= reference.start ? reference.start - mark.end : mark.start - reference.end;
  return gap;
}

const kindNouns = new Set(
  "function func fn method class struct interface type enum const constant variable macro module field property hook component helper handler constructor symbol procedure subroutine sub trait".split(
    " ",
  ),
);

const labelWords = new Set(
  "bug issue problem note fix error warning todo example found summary result root cause details impact risk title id where what why how affected related".split(
    " ",
  ),
);

/** Names without backticks: `(name)` behind the reference, or a code-like word beside it. */
function plainSymbols(reference: Reference, context: Context): SymbolEvidence[] {
  const keyed = context.alone
    ? /["'](?:symbol|function|name|method|class|identifier)["']\s*:\s*["']([A-Za-z_$][\w$.:#-]*)["']/.exec(
        context.masked(),
      )
    : null;
  if (keyed) return [{ name: keyed[1]!, plain: false, accuses: "always", encloses: false }];
  const behind = context.masked().slice(reference.end, reference.end + 100);
  const paren = /^[`*_)]*\s*\(\s*([A-Za-z_$][\w$.:#]*)(\(\))?\s*\)/.exec(behind);
  if (paren)
    return [{ name: paren[1]!, plain: paren[2] === undefined, accuses: "always", encloses: false }];
  const before = context
    .masked()
    .slice(
      Math.max(0, reference.start - 100, context.references[context.index - 1]?.end ?? 0),
      reference.start,
    );
  const label =
    /^\s*(?:[-*+•]\s+|\d+[.)]\s+)?\**([A-Za-z_$][\w$]*(?:(?:\.|::|#)[\w$]+)*)\**(\(\))?\**\s*(?:[-–—:→⟶=>@|(]+|\.{2,40}|…)\s*[`*[(]*$/.exec(
      before,
    );
  if (label && !connects(label[1]!.toLowerCase()) && !labelWords.has(label[1]!.toLowerCase()))
    return [{ name: label[1]!, plain: label[2] === undefined, accuses: "always", encloses: false }];
  const name =
    nearestWord(before.split(/\s+/).reverse()) ??
    nearestWord(
      behind
        .slice(
          0,
          Math.max(0, (context.references[context.index + 1]?.start ?? Infinity) - reference.end),
        )
        .split(/\s+/),
    );
  // Nobody writes "()" behind a word that is no name.
  return name === undefined
    ? []
    : [
        {
          name: name.replace(/\(\)$/, ""),
          plain: !name.endsWith("()"),
          accuses: "always",
          encloses: false,
        },
      ];
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
    const bare = word.replace(/^_([A-Za-z]\w*)_$/, "$1");
    const named = kind || kindNouns.has((words[index + 1] ?? "").toLowerCase().replace(/\W/g, ""));
    const qualified = /^[A-Za-z_$][\w$]+(?:\.|::|#)[\w$]{2,}/.test(bare);
    return /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[\w$]+)*(?:\(\))?$/.test(bare) &&
      (isCodeShaped(word) || named || qualified)
      ? bare
      : undefined;
  }
  return undefined;
}

const labelled = /\b(?:code|snippet|quote|reads|line(?:\s\d{1,7})?|L\d{1,7})[*_]*:[*_\s]*$/i;
const called = /\b(?:code|snippet|quote|line|lines|statement|excerpt)\s+[*_]*$/i;
/** Verbs that say what a place has in writing; "shows" and "returns" may tell of what it does. */
const reading =
  /^(?:reads|contains|quotes|lautet|enthält|lit|contient|contiene|contém|содержит|написано)$/;

function quotesFor(reference: Reference, context: Context): QuoteEvidence[] {
  const found: QuoteEvidence[] =
    reference.quote === undefined || symbolName(reference.quote)?.call === false
      ? []
      : [{ lines: [grepText(reference, context)], accuses: "always" }];
  for (const mark of context.marks) {
    if (!mark.code) continue;
    const before = context.text.slice(Math.max(0, mark.start - 160), mark.start);
    if (isDeniedOrProposed(before, context.text.slice(mark.end, mark.end + 80))) continue;
    const words = wordsBetween(context, ...between(reference, mark));
    const tight = isTight(words) && !stolen(mark, reference, context);
    // A sentence about a whole file may hold code of any other.
    const placed = reference.ranges.length > 0;
    if (words === undefined) continue;
    const accuses: Accusation | undefined =
      mark.call && (words.some(relates) || (!tight && context.marks.length > 1))
        ? "never"
        : mark.call && !labelled.test(before)
          ? "typo"
          : tight
            ? undefined
            : placed && context.alone && (strongCode(mark.text) || context.marks.length === 1)
              ? "outside"
              : "never";
    const quote = accuses
      ? { lines: [mark.text], accuses }
      : tightQuote(
          mark.text,
          words.some((word) => reading.test(word)) || labelled.test(before) || called.test(before),
        );
    found.push(
      quote.beside && isOnly(context, reference, mark) ? { ...quote, alone: true } : quote,
    );
  }
  return found;
}

/** Nothing is written but the place, the code and marks. */
function isOnly({ text }: Context, reference: Reference, mark: Mark): boolean {
  const [first, last] = mark.start < reference.start ? [mark, reference] : [reference, mark];
  return !/[\p{L}\p{N}]/u.test(
    text.slice(0, first.start).replace(/^\s*\d{1,3}[.)]\s/, "") +
      text.slice(first.end, last.start) +
      text.slice(last.end),
  );
}

/** grep's line goes on to the end of what was written. */
function grepText(reference: Reference, context: Context): string {
  const opens = context.text.slice(0, reference.start).trim();
  const rest = context.text.slice(reference.end);
  return context.text[reference.start] !== "`" && (opens === "" || /^[-*+>]$/.test(opens))
    ? reference.quote! + rest.trimEnd()
    : reference.quote!;
}
