// From a report to its claims: units in order, evidence bound across lines (fences, sub-items, headings that name a file).
import { limits } from "../base/limits.ts";
import { frameClaim, grepClaim, readFence } from "./bind-fence.ts";
import { bindRow } from "./bind-row.ts";
import { attachFootnote, inheritName, inheritPlace, isPlaceOnly } from "./bind-parent.ts";
import { bindText } from "./bind-text.ts";
import { claimAt, codeLike, isCode, isCodeShaped, symbolName } from "./claims.ts";
import type { Claim, QuoteEvidence } from "./claims.ts";
import { completeInFolder } from "./folder-context.ts";
import { codeSpans, withoutTags } from "./inline.ts";
import { isProposal, sectionPolarity } from "./polarity.ts";
import { contextPath, lineClaims } from "./line-claims.ts";
import type { Read } from "./line-claims.ts";
import { recordClaims } from "./records.ts";
import { findReferences } from "./references.ts";
import type { Repository } from "./repository.ts";
import { separatedRows } from "./separated-rows.ts";
import { splitUnits } from "./units.ts";
import type { Unit } from "./units.ts";

/** All claims of a report in the order of their places in it; `truncated` when there were more than the limit. */
export function extractClaims(
  report: string,
  repo: Repository,
): { claims: Claim[]; truncated: boolean } {
  const read: Read[] = [];
  let count = 0;
  for (const unit of splitUnits(report)) {
    const item: Read = { unit, claims: [] };
    item.claims =
      unit.kind === "fence"
        ? fenceClaims(item, repo, read)
        : unit.kind === "row"
          ? bindRow(
              unit,
              repo,
              (ditto) => (ditto ? pathAbove(read) : undefined) ?? contextPath(unit, read),
            )
          : textClaims(unit, repo, read);
    read.push(item);
    const { claims } = item;
    count += claims.length;
    if (count > limits.verify.references) break;
  }
  const claims = read
    .flatMap((item) => item.claims)
    .sort((a, b) => a.start - b.start || a.end - b.end);
  return {
    claims: claims.slice(0, limits.verify.references),
    truncated: count > limits.verify.references,
  };
}

/** The file of the row directly above. */
function pathAbove(read: Read[]): string | undefined {
  const above = read.at(-1);
  const paths = new Set(
    above?.unit.kind === "row"
      ? above.claims.filter((claim) => !claim.external).map((claim) => claim.path)
      : [],
  );
  return paths.size === 1 ? [...paths][0] : undefined;
}

/** Nothing but a name: a list item, or the line above a fence. */
const namesFile =
  /^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?[*_]*(?:(?:from|file|path|source)\b:?[*_]*\s+)?\S+\s*$/i;

function textClaims(written: Unit, repo: Repository, read: Read[]): Claim[] {
  const unit = written.text.includes("</")
    ? { ...written, text: withoutTags(written.text) }
    : written;
  if (unit.kind === "quote" && attachQuote(unit, repo, read)) return [];
  const attributed = unit.kind === "quote" ? attributedQuote(unit, repo) : [];
  if (attributed.length > 0) return attributed;
  const whole = { start: unit.start, text: unit.text };
  const frame = /^\s*(?:File "|at |from |#\d)/.test(unit.text)
    ? frameClaim(whole, repo)
    : undefined;
  if (frame) return [frame];
  const { references, inline } = findReferences(
    unit.text,
    repo,
    unit.kind === "heading" ||
      namesFile.test(unit.text) ||
      repo.hasName(/\s[`*_]*([\w.-]{3,80})[`*_]*:\s*$/.exec(unit.text)?.[1] ?? ""),
  );
  if (/^\S+:\d+:(?:\S|\s{2,}|\t)/.test(unit.text) && references.length > 0) {
    const grep = grepClaim(whole, repo);
    if (grep) return [grep];
  }
  const recorded = /["<]|\bline=/.test(unit.text) ? recordClaims(unit.text, unit.start, repo) : [];
  if (recorded.length > 0) return recorded;
  const claims = bindText(unit.text, references, { inline, offset: unit.start });
  completeInFolder(claims, { unit, read, repo });
  const section = unit.section.at(-1);
  const polarity = section === undefined ? undefined : sectionPolarity(section);
  if (polarity)
    for (const claim of claims)
      if (claim.polarity === "present" && claim.range === null && unit.bullet)
        claim.polarity = polarity;
  if (claims.length === 0) {
    attachLabelled(unit, read);
    inheritPlace(unit, read);
  }
  attachFootnote(unit, claims, read);
  attachCaption(unit, claims, read);
  const more = lineClaims(unit, claims, { inline, read, references });
  const all = more.length === 0 ? claims : [...claims, ...more].sort((a, b) => a.start - b.start);
  inheritName(unit, all, read);
  return all;
}

/** "- **Line:** 45" below "- **File:** `x.ts`" gives that path its line. */
function attachLine(unit: Unit, read: Read[]): void {
  const match =
    /^\s*[-*+•]?\s*[*_]*lines?(?:\s+(?:number|range|no\.?))?[*_]*\s*[:=][*_]*\s*[`*]*L?(\d{1,12})(?:\s*(?:[-–—]|to)\s*L?(\d{1,12}))?[`*]*\s*$/i.exec(
      unit.text,
    );
  const target = match
    ? read
        .slice(-3)
        .reverse()
        .find((item) => item.claims.length > 0)?.claims
    : undefined;
  if (match && target?.length === 1 && target[0]!.range === null)
    target[0]!.range = [Number(match[1]), Number(match[2] ?? match[1])];
}

/** "- symbol: foo" below "- where: x.ts". */
function attachPlainName(unit: Unit, read: Read[]): void {
  const match =
    /^\s*[-*+•]\s*[*_]*(?:symbol|function|method|identifier)[*_]*\s*[:=][*_]*\s*([A-Za-z_$][\w$]*(?:(?:\.|::|#)[\w$]+)*)(?:\(\))?\s*$/i.exec(
      unit.text,
    );
  const target = match
    ? read
        .slice(-4)
        .reverse()
        .find((item) => item.claims.length > 0)?.claims
    : undefined;
  if (target?.length === 1)
    target[0]!.symbols.push({
      name: match![1]!,
      plain: !isCodeShaped(match![1]!),
      accuses: "always",
      encloses: false,
    });
}

const labelsCode = /^\W*(?:code|match|snippet|quote|line\s+reads|reads)/i;

/** "Code match: `…`" below a reference speaks about that reference. */
function attachLabelled(unit: Unit, read: Read[]): void {
  attachLine(unit, read);
  if (!unit.text.includes("`")) return attachPlainName(unit, read);
  const match =
    /^\s*(?:[-*+•>]|\d+[.)])?\s*[*_]*(?:code(?:\s+match|\s+quote)?|match(?:es|ed)?|snippet|quote|evidence|content|actual(?:\s+\w+)?|current(?:\s+\w+)?|source|text|reads|line\s+reads|symbol|function|definition|signature)[*_]*\s*[:=–—-][*_]*\s*(`.+)$/i.exec(
      unit.text,
    );
  if (!match) return;
  const span = codeSpans(match[1]!)[0];
  const target = read
    .slice(-4)
    .reverse()
    .find((item) => item.claims.length > 0);
  if (
    !span ||
    span.start !== 0 ||
    !target ||
    isProposal(unit.text.slice(0, unit.text.indexOf("`")))
  )
    return;
  const symbol = symbolName(span.text);
  const only = target.claims.length === 1;
  for (const claim of target.claims) {
    if (symbol && !symbol.call)
      claim.symbols.push({
        name: symbol.name,
        plain: symbol.everyday,
        accuses: only ? "always" : "never",
        encloses: false,
      });
    else if (isCode(span.text))
      claim.quotes.push({
        lines: [span.text],
        accuses: only && (!symbol || labelsCode.test(unit.text)) ? "always" : "never",
      });
  }
}

function fenceClaims(item: Read, repo: Repository, read: Read[]): Claim[] {
  const { unit } = item;
  const rows = /^(?:csv|tsv|text|txt)?$/i.test(unit.info) ? separatedRows(unit) : [];
  if (rows.length > 0) return rows.flatMap((row) => bindRow(row, repo, () => undefined));
  const previous = read.at(-1);
  const proposed =
    (previous !== undefined && isProposal(lastClause(previous.unit))) ||
    isProposal(unit.section.at(-1) ?? "") ||
    /^suggestion/i.test(unit.info);
  const { claims, quotes } = readFence(unit, repo, proposed);
  if (proposed && claims.length === 0) pairWithBefore(unit, read);
  if (proposed || quotes.length === 0) return claims;
  item.quotes = quotes;
  item.holders = attachToPrevious(quotes, read, unit);
  return claims;
}

/** "Before: … After: …": where the change was made already, the second block stands there and not the first. */
function pairWithBefore(unit: Unit, read: Read[]): void {
  const before = read.at(-2)?.unit.kind === "fence" ? read.at(-2)! : read.at(-1);
  if (before?.unit.kind !== "fence" || unit.lines.length > 400) return;
  const lines = unit.lines.map(({ text }) => text);
  const held = (before.holders ?? []).flatMap(({ quotes }) =>
    quotes.filter((quote) => before.quotes!.some((own) => own.lines === quote.lines)),
  );
  for (const quote of [...held, ...before.claims.flatMap(({ quotes }) => quotes)])
    if (!quote.gutter) quote.other ??= { lines, line: 0 };
}

/** "> code" with "> — x.ts:45" below it. */
function attributedQuote(unit: Unit, repo: Repository): Claim[] {
  const filled = unit.lines.filter(({ text }) => text.trim() !== "");
  const last = filled.at(-1);
  const lead =
    filled.length > 1 && filled.length < 200
      ? /^\s*(?:[—–]|-{1,2}\s|~\s|\*|_|\(|source\b|from\b)/i.exec(last!.text)
      : null;
  const { references } = lead ? findReferences(last!.text, repo, true) : { references: [] };
  const [place] = references;
  if (references.length !== 1 || place!.external || place!.ranges.length > 1) return [];
  const claim = claimAt({
    start: last!.start + place!.start,
    end: last!.start + place!.end,
    path: place!.path,
    range: place!.ranges[0] ?? null,
  });
  const lines = filled.slice(0, -1).map(({ text }) => text.replace(/^ ?`?|`$/g, ""));
  if (isPlaceOnly({ ...unit, start: last!.start, text: last!.text }, claim))
    claim.quotes.push({
      lines,
      accuses: lines.some((text) => codeLike(text)) ? "always" : "outside",
    });
  return claim.quotes.length > 0 ? [claim] : [];
}

const captionWords =
  /^(?:source|from|in|see|file|path|code|snippet|listing|figure|fig|excerpt|at|found|taken|location|ref|reference|lines?|ll?|the|above|this|is|of|to|and|through|caption|where|defined|block|l?\d+)$/i;

/** "*x.ts:45*" directly below a fence says where its code stands, unless a line that ends in a colon did so above it. */
function attachCaption(unit: Unit, claims: Claim[], read: Read[]): void {
  const fence = read.at(-1);
  if (
    !fence?.quotes ||
    claims.length !== 1 ||
    claims[0]!.external ||
    claims[0]!.quotes.length > 0 ||
    unit.bullet
  )
    return;
  const [claim] = claims as [Claim];
  const around =
    unit.text.slice(0, claim.start - unit.start) + unit.text.slice(claim.end - unit.start);
  const marked = /^\s*(?:[*_(↑^—–<]|--|source|from\b|listing|figure|excerpt|taken)/i.test(
    unit.text,
  );
  if (
    (unit.apart && !marked) ||
    /:\s*[*_`]*\s*$/.test(unit.text) ||
    !(around.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => captionWords.test(word))
  )
    return;
  if (/:\s*[*_`]*\s*$/.test(read.at(-2)?.unit.text ?? "") && fence.holders!.length > 0) return;
  for (const holder of fence.holders!)
    holder.quotes = holder.quotes.filter(
      (quote) => !fence.quotes!.some((own) => own.lines === quote.lines),
    );
  claim.quotes.push(...fence.quotes);
}

/** The words between the last full stop and the fence. */
function lastClause(unit: Unit): string {
  if (unit.kind === "fence") return "";
  const text = unit.text.slice(-300).trimEnd();
  const stop = text.slice(0, -1).search(/(?:[.!?]\s+(?=[A-Z`*])|;\s)(?=[^.!?;]*$)/);
  return stop < 0 ? text : text.slice(stop + 1);
}

const labelHeading =
  /^\s*#+\s*[*_]*(?:current|actual|existing|relevant|affected|offending|vulnerable|source|code|snippet|evidence|quote|excerpt|context|before)\b/i;

/** The fence quotes the place named directly before it; a label such as "Current code:" may stand between. Answers with the claims that it now speaks about. */
function attachToPrevious(quotes: QuoteEvidence[], read: Read[], fence: Unit): Claim[] {
  for (let back = 1; back <= 3; back++) {
    const item = read.at(-back);
    if (!item || item.unit.kind === "fence" || item.unit.kind === "row") return [];
    const claims = item.claims.filter((claim) => !claim.external);
    if (claims.length === 0) {
      if (
        item.unit.text.trim().length > 60 ||
        (item.unit.kind === "heading" && !labelHeading.test(item.unit.text))
      )
        return [];
      continue;
    }
    const last = claims.at(-1)!;
    const places = new Set(claims.map((claim) => `${claim.path}:${claim.range?.join("-")}`));
    const colon =
      /:\s*[*_`]*\s*$/.test(item.unit.text) &&
      (last.range !== null ||
        last.start >= item.unit.start + item.unit.text.length - lastClause(item.unit).length - 1);
    const near = last.end >= item.unit.start + item.unit.text.trimEnd().length - 60 || colon;
    // A fence at the margin behind a list belongs to the list only where a colon says so.
    const outside =
      item.unit.bullet &&
      fence.apart &&
      fence.indent <= item.unit.indent &&
      !/:\s*[*_`]*\s*$/.test(item.unit.text);
    for (const claim of claims)
      for (const quote of quotes)
        claim.quotes.push({
          ...quote,
          accuses:
            places.size === 1 && !outside && (near || item.unit.kind === "heading")
              ? quote.accuses
              : "never",
        });
    return claims;
  }
  return [];
}

/** A block quote below "x.ts:45:" quotes that place; whatever looks like a path in it is part of the quotation. */
function attachQuote(unit: Unit, repo: Repository, read: Read[]): boolean {
  const previous = read.at(-1);
  if (!previous || previous.unit.kind === "fence" || isProposal(lastClause(previous.unit)))
    return false;
  const only =
    previous.claims.length === 1 &&
    isPlaceOnly(previous.unit, previous.claims[0]!) &&
    unit.lines.some(({ text }) => codeLike(text)) &&
    !/^\s*(?:\[!|\*\*)/.test(unit.lines[0]!.text);
  const colon = only || (/:\s*[*_`]*\s*$/.test(previous.unit.text) && previous.claims.length === 1);
  if (!colon && findReferences(unit.text, repo).references.length > 0) return false;
  for (const claim of previous.claims)
    claim.quotes.push({
      lines: unit.lines.map(({ text }) => text.replace(/^ ?`?|`$/g, "")),
      accuses: colon ? "always" : "never",
    });
  return colon;
}
