// The verdict on a claim's quotations: at the place, exactly elsewhere, there but changed, or nowhere.
import type { Claim, QuoteEvidence } from "./claims.ts";
import { strongCode, symbolName } from "./claims.ts";
import { isComment } from "./definitions.ts";
import { quotePlaces } from "./elsewhere.ts";
import type { Judgement } from "./judgement.ts";
import { findQuote, isSubstantial, mostAlike, resemblance } from "./match-quote.ts";
import { atWordBounds, likenessTo, normaliseCode, wordsOf } from "./normalise.ts";
import type { Range } from "./path-token.ts";
import type { Repository } from "./repository.ts";
import type { Occurrence, SourceFile } from "./source-file.ts";
import type { Place } from "./verdict.ts";

/** `open`: code stands beside the place that nobody can judge; a name may still be wrong, and none makes up for it. */
export type QuoteJudgement = Judgement & { at?: Occurrence; open?: true };

/** Undefined where no quotation of the claim can speak: none, too short, or none that may accuse and none that matches. */
export function judgeQuotes(
  claim: Claim,
  file: SourceFile,
  repo: Repository,
): QuoteJudgement | undefined {
  const quotes = claim.quotes.filter((quote) => isSubstantial(quote.lines));
  for (const quote of quotes) {
    const at = standsAt(file, quote, claim.range);
    if (at)
      return {
        verdict: "verified",
        kind: "quote",
        reason: `${file.path}:${at.line} reads as quoted`,
        path: file.path,
        actual: shown(file, at.line),
        at,
        line: at.line,
      };
  }
  const accusing = quotes.find((quote) => quote.accuses === "always");
  if (accusing)
    return lenient(claim, file, accusing) ?? contradicted(claim, file, { quote: accusing, repo });
  const loose = quotes.filter(
    (quote) =>
      quote.accuses === "outside" &&
      (quote.beside || (claim.range && substance(quote.lines) >= leastElsewhere)),
  );
  for (const quote of loose) {
    const judged = lenient(claim, file, quote) ?? contradicted(claim, file, { quote, repo });
    if (
      isKnownFromHere(judged, quote, { claim, file, repo }) ||
      (quote.alone && isMadeOf(file, quote.lines[0]!)) ||
      (quote.beside && judged.verdict === "exists_only")
    )
      return judged;
  }
  return loose.some(({ beside }) => beside)
    ? {
        verdict: "exists_only",
        kind: "quote",
        path: file.path,
        reason: `the code beside the place does not stand there, and nothing says that it was read there`,
        ...(claim.range ? { actual: shown(file, claim.range[0]) } : {}),
        open: true,
      }
    : undefined;
}

/** Code that was not clearly called a quotation may be an example, a value, a query: it accuses only where it is known to come from here, and has as much in it as does not stand elsewhere by chance. */
const leastElsewhere = 14;
const leastInRepository = 30;
const leastLine = 10;

type Setting = { claim: Claim; file: SourceFile; repo: Repository };

function isKnownFromHere(
  { verdict, suggestion }: Judgement,
  quote: QuoteEvidence,
  { claim, file, repo }: Setting,
): boolean {
  const size = substance(quote.lines);
  if (verdict === "altered") return isSlightlyAltered(claim, file, quote);
  if (verdict !== "relocated" || !suggestion) return false;
  return (
    size >= (suggestion.path === file.path ? leastElsewhere : leastInRepository) ||
    (quote.beside === true && size >= leastLine && isWholeLine(quote, suggestion, repo))
  );
}

/** Code whose names are all from the file, and a few of them: an error's text, a query or a value has others. */
function isMadeOf(file: SourceFile, code: string): boolean {
  const names = new Set(
    wordsOf(code.slice(0, 400)).filter(
      (word) => /^[A-Za-z_$][\w$]{2,}$/.test(word) && symbolName(word)?.everyday === false,
    ),
  );
  return (
    names.size >= leastNames &&
    strongCode(code) &&
    [...names].every((name) => file.linesWith(name).length > 0)
  );
}

const leastNames = 3;

/** Nobody writes a whole line of a file by chance; what leaves something out may be any such line. */
function isWholeLine({ lines }: QuoteEvidence, { path, line }: Place, repo: Repository): boolean {
  const state = repo.open(path);
  if (lines.some((text) => /\.{3}|…/.test(text))) return false;
  return (
    state.ok &&
    findQuote(state.file, lines, { from: line, to: line, limit: 1, whole: true }).length > 0
  );
}

function isSlightlyAltered(
  { range }: Claim,
  file: SourceFile,
  { lines, beside }: QuoteEvidence,
): boolean {
  if (
    range !== null &&
    resemblance(file, lines, range[0]) >= (beside ? leastAlikeBeside : leastAlike)
  )
    return true;
  if (
    range !== null &&
    beside &&
    likenessTo(lines[0]!)(asLongAs(lines[0]!, file, range[0])) >= leastAlike
  )
    return true;
  return substance(lines) >= leastElsewhere && mostAlike(file, lines).score >= leastAlike;
}

/** The file's text from a line on, as much of it as the quoted line takes where a statement was quoted in one. */
function asLongAs(code: string, file: SourceFile, first: number): string {
  let text = file.line(first).trim().slice(0, 2000);
  for (let line = first + 1; line <= first + widestReflow && text.length < code.length; line++)
    text += ` ${file.line(line).trim().slice(0, 2000)}`;
  return text.slice(0, code.length + 8);
}

const leastAlike = 0.75;
const leastAlikeBeside = 0.6;

function shown(file: SourceFile, line: number): string {
  return file.line(line).trim().slice(0, 200);
}

/** The occurrence at the claimed place, if there is one. */
export function standsAt(
  file: SourceFile,
  quote: QuoteEvidence,
  range: Range | null,
): Occurrence | undefined {
  if (quote.gutter) return standsAtGutter(file, quote, range);
  const whole = quote.lines.length > 1;
  if (range === null)
    return (
      findQuote(file, quote.lines, { limit: 1, whole })[0] ??
      (quote.other && isSubstantial(quote.other.lines)
        ? findQuote(file, quote.other.lines, { limit: 1, whole: true })[0]
        : undefined)
    );
  const [first, last] = range;
  const found = findQuote(file, quote.lines, { from: first, to: last, limit: 400, whole }).find(
    (item) => item.line === first || item.endLine <= last,
  );
  if (!found && !whole && quote.accuses !== "never" && reflowed(file, quote.lines[0]!, range))
    return { line: first, endLine: Math.max(first, last) };
  if (found || !quote.other || !isSubstantial(quote.other.lines)) return found;
  const at = quote.other.line || first;
  return findQuote(file, quote.other.lines, { from: at, to: at, limit: 1, whole: true })[0];
}

const widestReflow = 12;

/** A statement over several lines that was quoted in one: equal once the breaks count as blanks. */
function reflowed(file: SourceFile, line: string, [first, last]: Range): boolean {
  const code = normaliseCode(line.trim());
  if (code.length < 12 || code.length > 4000) return false;
  const rows: string[] = [];
  for (
    let at = first;
    at <= Math.min(file.lineCount, Math.max(first + widestReflow, Math.min(last, first + 60)));
    at++
  )
    rows.push(file.line(at).slice(0, 2000));
  const text = normaliseCode(rows.join(" "));
  const at = text.indexOf(code);
  return at >= 0 && at < normaliseCode(rows[0]!).length && atWordBounds(text, at, at + code.length);
}

/** Printed line numbers are claims too: the code must stand at them, and the claimed line among them. */
function standsAtGutter(
  file: SourceFile,
  quote: QuoteEvidence,
  range: Range | null,
): Occurrence | undefined {
  const gutter = quote.gutter!;
  const right = runs(gutter).every(([from, to]) =>
    rowsStand(file, {
      lines: quote.lines.slice(from, to),
      line: gutter[from]!,
      last: gutter[to - 1]!,
    }),
  );
  const covers = range === null || (gutter[0]! <= range[1] && gutter.at(-1)! >= range[0]);
  return right && covers ? { line: gutter[0]!, endLine: gutter.at(-1)! } : undefined;
}

/** Index ranges of numbers that follow each other without a gap. */
function runs(numbers: number[]): [number, number][] {
  const found: [number, number][] = [];
  for (let from = 0, to = 1; to <= numbers.length; to++) {
    if (to < numbers.length && numbers[to] === numbers[to - 1]! + 1) continue;
    found.push([from, to]);
    from = to;
  }
  return found;
}

function rowsStand(
  file: SourceFile,
  { lines, line, last }: { lines: string[]; line: number; last: number },
): boolean {
  const first = lines.findIndex((text) => text.trim() !== "");
  if (first < 0) return true;
  if (!lines.some((text) => /[\w\u0080-\uffff]/.test(text)))
    return lines.every(
      (text, index) => normaliseCode(file.line(line + index)) === normaliseCode(text),
    );
  return findQuote(file, lines, { from: line + first, to: line + first, whole: true }).some(
    ({ endLine }) => endLine <= last,
  );
}

/** Places that are neither right nor wrong: "around line 45", a line after the quoted comment or decorator, an abbreviated signature. */
function lenient(claim: Claim, file: SourceFile, quote: QuoteEvidence): QuoteJudgement | undefined {
  const cut =
    quote.lines.length > 1 && !quote.gutter
      ? findQuote(
          file,
          quote.lines,
          claim.range ? { from: claim.range[0], to: claim.range[0], limit: 1 } : { limit: 1 },
        )[0]
      : undefined;
  if (cut)
    return {
      verdict: "exists_only",
      kind: "quote",
      path: file.path,
      actual: shown(file, cut.line),
      reason: `line ${cut.line} has the quoted code, but the quotation shows an outer line only in part`,
    };
  if (!claim.range) return undefined;
  const first = claim.range[0];
  const around = findQuote(file, quote.lines, { from: Math.max(1, first - 40), to: first + 12 });
  const base = {
    verdict: "exists_only" as const,
    kind: "quote" as const,
    path: file.path,
    actual: shown(file, first),
  };
  const vague = around.find((item) => Math.abs(item.line - first) <= 12);
  if (claim.vague && vague)
    return {
      ...base,
      reason: `the code stands at line ${vague.line}, near the line that was named`,
    };
  const covering = isLead(file.line(first))
    ? undefined
    : around.find(
        (item) => item.line < first && item.endLine >= first && leadsIn(file, item.line, first),
      );
  if (covering)
    return {
      ...base,
      reason: `the quotation begins at line ${covering.line} with the comment or decorator of line ${first}`,
    };
  const signature =
    quote.lines.length === 1 ? /^([^()]*\w)\(\)\s*[{:;]?$/.exec(quote.lines[0]!.trim()) : null;
  if (signature && findQuote(file, [signature[1]!], { from: first, to: claim.range[1] }).length > 0)
    return { ...base, reason: `line ${first} has the quoted name; its arguments were left out` };
  return undefined;
}

function leadsIn(file: SourceFile, from: number, to: number): boolean {
  for (let line = from; line < to; line++) {
    const text = file.line(line);
    if (text.trim() !== "" && !isLead(text)) return false;
  }
  return true;
}

/** A comment, a decorator or an attribute. */
function isLead(text: string): boolean {
  return (
    isComment(text) ||
    /^\s*(?:@(?!import|use|include|media|forward|extend|mixin)[\w.]+|#\[|#)/.test(text)
  );
}

function contradicted(
  claim: Claim,
  file: SourceFile,
  { quote, repo }: { quote: QuoteEvidence; repo: Repository },
): QuoteJudgement {
  const kind = "quote" as const;
  const at = claim.range?.[0] ?? quote.gutter?.[0] ?? 1;
  const inFile = findQuote(file, quote.lines);
  if (inFile.length > 0) {
    const best = inFile.reduce((a, b) => (Math.abs(b.line - at) < Math.abs(a.line - at) ? b : a));
    // Of numbered lines the claimed one is meant, not the first.
    const below = claim.range ? Math.max(0, quote.gutter?.indexOf(at) ?? 0) : 0;
    return {
      verdict: "relocated",
      kind,
      reason: `${here(file, at)}; the quoted code stands at ${file.path}:${best.line + below}`,
      path: file.path,
      suggestion: { path: file.path, line: best.line + below },
      unique: inFile.length === 1,
      actual: shown(file, best.line + below),
    };
  }
  const alike = claim.range ? resemblance(file, quote.lines, at) : 0;
  const elsewhere =
    substance(quote.lines) >= 12 || alike < 0.5
      ? quotePlaces(quote, { claimed: file.path }, repo).filter((place) => place.path !== file.path)
      : [];
  if (elsewhere.length > 0 && alike < 0.9) {
    const best = elsewhere.find((place) => place.line === at) ?? elsewhere[0]!;
    return {
      verdict: "relocated",
      kind,
      reason: `${file.path} does not have the quoted code; it stands at ${best.path}:${best.line}`,
      path: file.path,
      suggestion: best,
      unique: elsewhere.length === 1,
    };
  }
  if (alike >= 0.5)
    return {
      verdict: "altered",
      kind,
      reason: `${here(file, at)}, which differs from the quotation`,
      path: file.path,
      actual: shown(file, at),
    };
  const nearest = mostAlike(file, quote.lines);
  if (nearest.score >= 0.6)
    return {
      verdict: "altered",
      kind,
      reason: `${here(file, at)}; most like the quotation is line ${nearest.line}: \`${shown(file, nearest.line)}\``,
      path: file.path,
      suggestion: { path: file.path, line: nearest.line },
      unique: false,
      actual: shown(file, nearest.line),
    };
  return {
    verdict: "missing",
    kind,
    reason: `${claim.range ? `${here(file, at)}; the` : "the"} quoted code is nowhere in ${file.path}`,
    path: file.path,
    ...(claim.range ? { actual: shown(file, at) } : {}),
  };
}

function here(file: SourceFile, line: number): string {
  const text = shown(file, line);
  return text === "" ? `line ${line} is blank` : `line ${line} is \`${text.slice(0, 120)}\``;
}

function substance(lines: string[]): number {
  return lines.join("").replace(/\s/g, "").length;
}

/** The name in a quotation such as `foo(a, b)`, which may be a call, a signature or a paraphrase of either. */
export function nameOfCall(quote: QuoteEvidence): string | undefined {
  return quote.accuses === "typo" && quote.lines.length === 1
    ? symbolName(quote.lines[0]!)?.name
    : undefined;
}
