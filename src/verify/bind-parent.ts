// A name above and its place below, or the other way round: what a list item, a heading or a mark says about the item or the note that belongs to it.
import { onlyConnects } from "./bind-text.ts";
import { isCode, symbolName, tightQuote } from "./claims.ts";
import type { Accusation, Claim } from "./claims.ts";
import { codeSpans } from "./inline.ts";
import type { Span } from "./inline.ts";
import type { Read } from "./line-claims.ts";
import { isDeniedOrProposed, isProposal } from "./polarity.ts";
import type { Unit } from "./units.ts";

const placeLabel =
  /^(?:location|located|file|path|filename|source|src|where|line|lines|at|in|on|of|the|is|here|see|ref|reference|def|defined|definition|declared|declaration|implemented|implementation|impl|found|lives|starts|begins|position|place|datei|zeile|ort|fichier|ligne|archivo|línea|l?\d+)$/i;

/** "- `foo`" above "  - Location: x.ts:45": the place is that of the name, where nothing else is said about it. */
export function inheritName(unit: Unit, claims: Claim[], read: Read[]): void {
  const [claim] = claims;
  if (
    claims.length !== 1 ||
    !claim ||
    claim.external ||
    isEvidenced(claim) ||
    !isPlaceOnly(unit, claim)
  )
    return;
  const parent = parentOf(unit, read);
  if (!parent || parent.item.claims.length > 0) return;
  const span = onlySpan(parent.item.unit);
  if (!span) encloseName(claim, parent.item.unit);
  const accuses: Accusation = parent.placed ? "typo" : "always";
  if (span) bind(claim, span, accuses);
  else {
    const name = plainName(parent.item.unit);
    if (name) claim.symbols.push({ name, plain: true, accuses, encloses: false });
  }
}

/** "#### Race in `foo`" above a place: the place need only be inside foo. */
function encloseName(claim: Claim, { kind, text }: Unit): void {
  const spans = kind === "heading" && !isProposal(text) ? codeSpans(text) : [];
  const symbol =
    spans.length === 1 && !isDeniedOrProposed(text.slice(0, spans[0]!.start))
      ? symbolName(spans[0]!.text)
      : undefined;
  if (symbol && !symbol.call)
    claim.symbols.push({
      name: symbol.name,
      plain: symbol.everyday,
      accuses: "outside",
      encloses: true,
    });
}

/** "- `code`" directly below "- x.ts:45" is what stands there. */
export function inheritPlace(unit: Unit, read: Read[]): void {
  const parent = read.at(-1);
  const [claim] = parent?.claims ?? [];
  if (
    !parent ||
    parent.claims.length !== 1 ||
    !claim ||
    claim.external ||
    claim.range === null ||
    isEvidenced(claim)
  )
    return;
  const spans =
    parent.unit.kind === "heading" && /\b(?:here|hier|ici|aquí)\b/i.test(unit.text)
      ? codeSpans(unit.text)
      : [];
  if (spans.length === 1 && !isDeniedOrProposed(unit.text.slice(0, spans[0]!.start)))
    bind(
      claim,
      spans[0]!,
      onlyConnects(unit.text.slice(0, spans[0]!.start) + unit.text.slice(spans[0]!.end))
        ? "always"
        : "outside",
    );
  if (
    !unit.bullet ||
    !parent.unit.bullet ||
    parent.unit.indent >= unit.indent ||
    isProposal(parent.unit.text)
  )
    return;
  const text = unit.text.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, "").trim();
  const [span] = codeSpans(text);
  if (span && span.start === 0 && span.end === text.length) bind(claim, span, "always");
}

/** "[^1]: x.ts:45", "[impl]: x.ts#L45" and "[1] x.ts:45" speak about what carries the mark further up. */
export function attachFootnote(unit: Unit, claims: Claim[], read: Read[]): void {
  if (claims.length !== 1 || !/^\s*(?:[-*+•]\s+)?[[¹²³⁴-⁹]/.test(unit.text)) return;
  const written =
    /^\s*(?:[-*+•]\s+)?(?:\[(\^?[\w-]{1,20})\](?::|(?<=\d\])\s)|([¹²³⁴-⁹]{1,2})[:.)]?\s)/.exec(
      unit.text,
    );
  if (!written) return;
  const mark = written[2] ?? written[1]!;
  const sign = written[2] ?? `[${mark}]`;
  const carries = (text: string, { end }: Span) =>
    text.startsWith(sign, end) ||
    text.startsWith(`]${sign}`, end) ||
    text.startsWith(` ${sign}`, end);
  const marked = read
    .slice(-60)
    .flatMap(({ unit: other }) =>
      other.text.includes(mark)
        ? codeSpans(other.text).filter((span) => carries(other.text, span))
        : [],
    );
  if (marked.length > 0) bind(claims[0]!, marked.at(-1)!, "always");
  else if (!isEvidenced(claims[0]!))
    for (const span of clauseSpans(sign, read)) bind(claims[0]!, span, "outside");
}

/** "`foo` is never closed [1]": the one name of the clause that ends in the mark. */
function clauseSpans(mark: string, read: Read[]): Span[] {
  for (const { unit } of read.slice(-60).reverse()) {
    const at = unit.kind === "fence" ? -1 : unit.text.indexOf(mark);
    if (at <= 0) continue;
    const clause = /(?:[^.;!?[\]]|[.;!?](?!\s))*$/.exec(
      unit.text.slice(Math.max(0, at - 240), at),
    )![0];
    const spans = codeSpans(clause);
    return spans.length === 1 &&
      !isDeniedOrProposed(clause.slice(0, spans[0]!.start)) &&
      !isProposal(clause)
      ? spans
      : [];
  }
  return [];
}

function isEvidenced({ symbols, quotes }: Claim): boolean {
  return (
    symbols.some(({ accuses }) => accuses !== "never") ||
    quotes.some(({ accuses }) => accuses !== "never")
  );
}

function bind(claim: Claim, span: Span, accuses: Accusation): void {
  const symbol = symbolName(span.text);
  if (symbol && !symbol.call)
    claim.symbols.push({ name: symbol.name, plain: symbol.everyday, accuses, encloses: false });
  else if (isCode(span.text))
    claim.quotes.push(
      accuses === "always" && !symbol
        ? tightQuote(span.text, false)
        : { lines: [span.text], accuses: symbol ? "typo" : accuses },
    );
}

/** Nothing is said beside the place but that it is one. */
export function isPlaceOnly(unit: Unit, claim: Claim): boolean {
  const around =
    `${unit.text.slice(0, claim.start - unit.start)} ${unit.text.slice(claim.end - unit.start)}`.replace(
      /^\s*\d{1,3}[.)]\s/,
      "",
    );
  return (
    around.length < 120 &&
    (around.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => placeLabel.test(word))
  );
}

/** The item above that this one stands below, or a heading directly above a list; `placed` where an item between has a place already. */
function parentOf(unit: Unit, read: Read[]): { item: Read; placed: boolean } | undefined {
  let placed = false;
  for (let back = 1; back <= 12; back++) {
    const item = read.at(-back);
    if (!item || item.unit.kind === "fence" || item.unit.kind === "row") return undefined;
    const { kind, bullet, indent } = item.unit;
    if (kind === "heading" || !bullet)
      return (kind === "heading" || kind === "text") &&
        (!unit.bullet || unit.indent <= 1 || back === 1)
        ? { item, placed }
        : undefined;
    if (unit.bullet && indent < unit.indent) return { item, placed };
    if (!unit.bullet) return undefined;
    placed ||= item.claims.length > 0;
  }
  return undefined;
}

/** The one code span at the head of an item, with nothing before it that says more than what it is. */
function onlySpan({ text }: Unit): Span | undefined {
  const spans = codeSpans(text.slice(0, 600));
  const before =
    spans.length === 1
      ? text
          .slice(0, spans[0]!.start)
          .replace(/^\s*(?:#{1,6}\s+)?(?:[-*+•]\s+)?(?:\[[ x]\]\s+)?(?:\d{1,3}[.)]\s+)?/i, "")
      : "";
  return spans.length === 1 &&
    onlyConnects(before) &&
    !isDeniedOrProposed(before) &&
    !isProposal(text)
    ? spans[0]
    : undefined;
}

/** "**foo**", "foo():": a name alone, without backticks. */
function plainName({ text }: Unit): string | undefined {
  return /^\s*(?:#{1,6}\s+)?(?:[-*+•]\s+)?(?:\d{1,3}[.)]\s+)?[*_]*([A-Za-z_$][\w$]*(?:(?:\.|::|#)[\w$]+)*)(?:\(\))?[*_]*:?[*_]*\s*$/.exec(
    text,
  )?.[1];
}
