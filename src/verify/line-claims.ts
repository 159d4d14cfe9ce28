// Lines without a path of their own, ":89" or "line 89": they go on about the last file that was named, here or further up.
import { bindText } from "./bind-text.ts";
import { claimAt, isCode, symbolName } from "./claims.ts";
import type { Claim, QuoteEvidence } from "./claims.ts";
import { codeSpans } from "./inline.ts";
import { countedLine, lineWord, mayNameLine, toWord } from "./line-words.ts";
import { toRange } from "./path-token.ts";
import type { Range } from "./path-token.ts";
import type { Inline, Reference } from "./references.ts";
import type { Unit } from "./units.ts";

/** A unit that was read; a fence keeps its quotations and the claims that they were given to. */
export type Read = { unit: Unit; claims: Claim[]; quotes?: QuoteEvidence[]; holders?: Claim[] };

const spokenLine = new RegExp(
  `(?<![\\w./\`:-])(?:\`?:(\\d{1,7})(?:[-–](\\d{1,7}))?\`?(?![\\w:]|\\.\\d)|${lineWord}\\s?#?(-?\\d{1,7})(?:\\s?(?:[-–—]|${toWord})\\s?(?:${lineWord}\\s?)?(\\d{1,7}))?(?![\\w%]|\\.\\d)|${countedLine})`,
  "gi",
);
/** "- 12: `code`" in a list below a file's name. */
const listedLine =
  /^(\s*[-*+•]\s+[`*_]*)(\d{1,7})(?:\s?[-–—]\s?(\d{1,7}))?(?=[`*_]*\s*(?::|–|—|-|→|\|)\s*[`*_]*`)/;

type Mention = { start: number; end: number; range: Range; colon: boolean };

type Setting = { inline: Inline; read: Read[]; references: Reference[] };

/** Claims for the lines that are mentioned beside `claims`, the unit's own. */
export function lineClaims(
  unit: Unit,
  claims: Claim[],
  { inline, read, references }: Setting,
): Claim[] {
  const mentions = mentionsOf(unit, claims);
  if (mentions.length === 0) return [];
  if (claims.length === 0) return inContext(unit, mentions, { inline, read });
  const behind = mentions.flatMap((mention) => {
    const before = claims
      .filter((claim) => claim.end <= unit.start + mention.start && !claim.external)
      .at(-1);
    return before &&
      !(before.range?.[0] === mention.range[0] && before.range[1] === mention.range[1])
      ? [{ mention, before }]
      : [];
  });
  const shared = behind.filter(
    ({ mention, before }) => mention.colon || isJoined(unit, before, mention),
  );
  return [
    ...shared.map(({ mention, before }) => besides(unit, mention, before)),
    ...goingOn(
      unit,
      behind.filter((item) => !shared.includes(item)),
      { inline, references },
    ),
  ];
}

/** "`a` is at x.ts:4. Line 17 has `b`": the words around the second line speak about it as they would about a path. */
function goingOn(
  unit: Unit,
  later: { mention: Mention; before: Claim }[],
  { inline, references }: Pick<Setting, "inline" | "references">,
): Claim[] {
  if (later.length === 0) return [];
  const own = new Map(
    later.map(({ mention: { start, end, range }, before }): [number, Reference] => [
      unit.start + start,
      { start, end, path: before.path, ranges: [range] },
    ]),
  );
  const all = [...references, ...own.values()].sort((a, b) => a.start - b.start);
  return bindText(unit.text, all, { inline, offset: unit.start }).filter((claim) =>
    own.has(claim.start),
  );
}

function mentionsOf(unit: Unit, claims: Claim[]): Mention[] {
  const listed = claims.length === 0 ? listedLine.exec(unit.text) : null;
  if (listed)
    return [
      {
        start: listed[1]!.length,
        end: listed[0].length,
        range: [Number(listed[2]), Number(listed[3] ?? listed[2])],
        colon: false,
      },
    ];
  const free = outside(unit, claims);
  if (!/\d/.test(free) || (!/:\d/.test(free) && !mayNameLine.test(free))) return [];
  const spans = codeSpans(unit.text);
  const found: Mention[] = [];
  for (const match of unit.text.matchAll(spokenLine)) {
    const [start, end] = [match.index, match.index + match[0].length];
    // A colon with a number inside a piece of code is code.
    if (
      spans.some(
        (span) => start > span.start && end < span.end && !/^:?L?\d[\d–-]*$/.test(span.text.trim()),
      )
    )
      continue;
    if (
      claims.some((claim) => unit.start + start < claim.end + 1 && claim.start < unit.start + end)
    )
      continue;
    const colon = match[1] !== undefined;
    found.push({
      start,
      end,
      range: toRange(match[1] ?? match[3] ?? match[5]!, match[2] ?? match[4] ?? match[6]),
      colon,
    });
  }
  return found;
}

/** What is written beside the claims. */
function outside(unit: Unit, claims: Claim[]): string {
  let free = "";
  let from = 0;
  for (const { start, end } of claims) {
    if (start - unit.start > from) free += unit.text.slice(from, start - unit.start);
    from = Math.max(from, end - unit.start);
  }
  return from === 0 ? unit.text : free + unit.text.slice(from);
}

/** Nothing but lines here: the file stands further up, and the words around each line speak about it. */
function inContext(
  unit: Unit,
  mentions: Mention[],
  { inline, read }: Pick<Setting, "inline" | "read">,
): Claim[] {
  const spoken = mentions.filter(
    (mention) =>
      !mention.colon || (unit.bullet && /^[\s*_+•-]*$/.test(unit.text.slice(0, mention.start))),
  );
  const named = spoken.length > 0 ? contextPath(unit, read) : undefined;
  const path = named ?? (spoken.length > 0 ? siblingPath(unit, read) : undefined);
  if (path === undefined) return [];
  const references = spoken.map(({ start, end, range }): Reference => ({
    start,
    end,
    path,
    ranges: [range],
    loose: named === undefined,
  }));
  return bindText(unit.text, references, { inline, offset: unit.start });
}

/** "- Read `x.ts`" directly above: the item names a file and nothing in it. */
function siblingPath(unit: Unit, read: Read[]): string | undefined {
  for (const { unit: other, claims } of read.slice(-4).reverse()) {
    if (!unit.bullet || !other.bullet || other.indent !== unit.indent) return undefined;
    const [claim] = claims;
    if (!claim) continue;
    const alone = claims.length === 1 && !claim.external && claim.polarity === "present";
    return alone &&
      ((claim.range === null && claim.symbols.length + claim.quotes.length === 0) || claim.loose)
      ? claim.path
      : undefined;
  }
  return undefined;
}

/** "x.ts:45 and :89", "x.ts:45, line 89". */
function isJoined(unit: Unit, before: Claim, { start }: Mention): boolean {
  return /^[`*_"')\]]*(?:\s*(?:,|and|&|or|\/)\s*)+[`*_"'(]*$/.test(
    unit.text.slice(before.end - unit.start, start),
  );
}

/** Behind a full reference: what is joined to it shares its name, anything else has only what directly follows. */
function besides(unit: Unit, mention: Mention, before: Claim): Claim {
  const { start, end, range } = mention;
  const joined = isJoined(unit, before, mention);
  return claimAt(
    { start: unit.start + start, end: unit.start + end, path: before.path, range },
    { symbols: joined ? before.symbols : [], quotes: joined ? [] : quotesBehind(unit, end) },
  );
}

/** "line 45: `code`". */
function quotesBehind(unit: Unit, at: number): QuoteEvidence[] {
  const match = /^[*_`)\]]*\s*(?:[:–—-]|reads|is|has|contains)\s*[*_]*(`.+)$/.exec(
    unit.text.slice(at, at + 2000),
  );
  const span = match ? codeSpans(match[1]!)[0] : undefined;
  return span && span.start === 0 && isCode(span.text) && !symbolName(span.text)
    ? [{ lines: [span.text], accuses: "always" }]
    : [];
}

const sameFile =
  /\b(?:same\s+(?:file|module|source)|ibid|ibidem|idem|ebd|ebenda|gleiche[nr]?\s+datei|même\s+fichier|mismo\s+(?:archivo|fichero))\b|同一文件|同じファイル/i;

/** The one file that the parent item, the line before a list or the nearest heading names. */
export function contextPath(unit: Unit, read: Read[]): string | undefined {
  if (sameFile.test(unit.text))
    return read
      .slice(-60)
      .flatMap(({ claims }) => claims)
      .filter((claim) => !claim.external)
      .at(-1)?.path;
  for (let index = read.length - 1; index >= Math.max(0, read.length - 60); index--) {
    const { unit: other, claims } = read[index]!;
    const parent =
      other.kind === "heading" ||
      other.kind === "quote" ||
      (other.kind === "text" && (!other.bullet || other.indent < unit.indent || !unit.bullet));
    if (!parent) continue;
    const paths = new Set(claims.filter((claim) => !claim.external).map((claim) => claim.path));
    if (paths.size === 1) return [...paths][0];
    // A name that looks like a path and was not understood: what follows is about that one.
    if (
      paths.size === 0 &&
      other.bullet &&
      codeSpans(other.text).some(({ text }) => /^\S*[\w-]\/\S+$/.test(text))
    )
      return undefined;
    if (paths.size > 1 || other.kind === "heading") return undefined;
  }
  return undefined;
}
