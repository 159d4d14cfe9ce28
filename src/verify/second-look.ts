// Before a reference is called wrong: whether another reading of the same words holds against the files. If so the words were misread, and nobody is accused.
import { isCodeShaped, speaksOfPlace, lastName, strongCode } from "./claims.ts";
import type { Claim, SymbolEvidence } from "./claims.ts";
import { definedNames, unglue } from "./glued.ts";
import { judgeClaim } from "./judge.ts";
import { standsAt } from "./judge-quote.ts";
import type { Judgement } from "./judgement.ts";
import { isSubstantial } from "./match-quote.ts";
import { normaliseCode } from "./normalise.ts";
import { resolvePath } from "./path-shape.ts";
import { isPrintedBelow, printedAt } from "./printed-lines.ts";
import type { Repository } from "./repository.ts";
import type { SourceFile } from "./source-file.ts";

/** `claims`: all of the report, in order. */
export type Surroundings = { report: string; claims: readonly Claim[]; repo: Repository };

/** The better judgement on the claim at `index`, which `judged` flags, or undefined where no other reading holds. */
export function secondLook(
  index: number,
  judged: Judgement,
  { report, claims, repo }: Surroundings,
): Judgement | undefined {
  const claim = claims[index]!;
  if (judged.verdict === "outside_root")
    return claim.path.startsWith("../") && claim.range === null
      ? quotedPath(claim, judged, { repo, ...lineOf(report, claims, index) })
      : undefined;
  if (claim.polarity === "create") return undefined;
  if (/^[\w$]+$/.test(claim.path) && claim.range !== null)
    return quotedPath(claim, judged, { repo, ...lineOf(report, claims, index) });
  if (judged.path === undefined)
    return (
      ungluedJudgement(claim, repo) ??
      quotedPath(claim, judged, { repo, ...lineOf(report, claims, index) })
    );
  const state = repo.open(judged.path);
  if (!state.ok) return undefined;
  const quoted =
    judged.kind === "quote" ? quoteReading(claim, judged, { file: state.file, report }) : undefined;
  return (
    quoted ??
    (claim.range === null
      ? undefined
      : besideReading(claim, judged, { file: state.file, ...lineOf(report, claims, index) }))
  );
}

/** A number beside the path was not understood: where what the report says stands on just that line of the file, the number is the line. */
export function numberLook(
  index: number,
  judged: Judgement,
  { report, claims, repo }: Surroundings,
): Judgement | undefined {
  const claim = claims[index]!;
  const state = judged.path === undefined ? undefined : repo.open(judged.path);
  if (!state?.ok || claim.range !== null || claim.polarity !== "present") return undefined;
  const { file } = state;
  const { free, near } = lineOf(report, claims, index);
  const numbers =
    near.length === 1
      ? numbersIn(free).filter((number) => number >= 1 && number <= file.lineCount)
      : [];
  const line = numbers.find(
    (number) =>
      evidenceAt(claim, file, number) || (numbers.length === 1 && mentions(claim, file, number)),
  );
  if (line === undefined) return undefined;
  return {
    ...judged,
    verdict: "verified",
    reason: `${file.path}:${line} has what is said about it`,
    actual: file.line(line).trim().slice(0, 200),
    line,
  };
}

function mentions({ symbols }: Claim, file: SourceFile, line: number): boolean {
  return symbols.some(
    ({ name, plain, owner }) => !plain && !owner && file.hasWordAt(lastName(name), line),
  );
}

/** There is no such path, but marks may have glued something to one that there is. */
function ungluedJudgement(claim: Claim, repo: Repository): Judgement | undefined {
  const found = unglue(claim.path, repo);
  if (!found) return undefined;
  const names = definedNames(found, repo).map((name): SymbolEvidence => ({
    name,
    plain: true,
    accuses: "outside",
    encloses: true,
  }));
  return judgeClaim(
    {
      ...claim,
      path: found.path,
      range: claim.range ?? found.range,
      unsure: claim.unsure && found.range === null,
      symbols: [...claim.symbols, ...names],
    },
    repo,
  );
}

/** "x.ts:45 reads `conf/app.json`": a path that stands in the file beside it, as a string or a name, need not be one of this repository. */
function quotedPath(
  claim: Claim,
  judged: Judgement,
  { repo, near }: Line & { repo: Repository },
): Judgement | undefined {
  const holder = near.find((other) => {
    const found =
      other === claim || other.external || other.path === claim.path
        ? undefined
        : resolvePath(other.path, repo);
    const state = found?.kind === "file" ? repo.open(found.path) : undefined;
    const [from, to] = other.range ?? claim.range ?? [1, state?.ok ? state.file.lineCount : 1];
    return (
      state?.ok && state.file.find(normaliseCode(claim.path), { from, to, limit: 1 }).length > 0
    );
  });
  return (
    holder && {
      verdict: "unverifiable",
      kind: judged.kind,
      reason: `there is no ${claim.path}, but ${holder.path} names it where the report says so`,
    }
  );
}

/** What was taken for code may have a gutter of an unknown kind, or be a tool's message above the code, or name what holds the line. */
function quoteReading(
  claim: Claim,
  { verdict }: Judgement,
  { file, report }: { file: SourceFile; report: string },
): Judgement | undefined {
  const accusing = claim.quotes.find((item) => speaksOfPlace(item) && !item.other);
  // Where a gutter was cut off and nothing held, the lines as they were written may tell of another one.
  const quote = accusing?.gutter
    ? claim.quotes.find(
        (item) => !item.gutter && !item.other && item.lines.length >= accusing.lines.length,
      )
    : accusing;
  const first = claim.range?.[0];
  if (!quote || (first !== undefined && (first < 1 || first > file.lineCount))) return undefined;
  const printed = printedAt(quote.lines, file, claim.range);
  const message =
    first !== undefined && verdict === "missing" && quote.lines.length === 1 && !accusing!.gutter;
  const line =
    printed ??
    (message && isPrintedBelow(report.slice(claim.end, claim.end + 1000), file, first)
      ? first
      : undefined);
  const base = { kind: "quote" as const, path: file.path };
  if (line !== undefined)
    return {
      ...base,
      verdict: "verified",
      reason: `${file.path}:${line} reads as quoted, behind its number`,
      actual: file.line(line).trim().slice(0, 200),
      line,
    };
  const holder =
    message && !strongCode(quote.lines[0]!) ? holderIn(quote.lines[0]!, file, first) : undefined;
  return holder === undefined
    ? undefined
    : {
        ...base,
        verdict: "exists_only",
        reason: `line ${first} is inside \`${holder}\`, which is named beside it`,
        actual: file.line(first!).trim().slice(0, 200),
      };
}

/** A short text that is no code names the definition that holds the line, as frames do. */
function holderIn(text: string, file: SourceFile, line: number): string | undefined {
  const words = text.slice(0, 200).match(/[A-Za-z_$][\w$]*/g) ?? [];
  return words.length > 5
    ? undefined
    : words.find(
        (word) =>
          word.length > 2 &&
          file.definitionsOf(word).some((at) => at <= line && file.extentOf(at) >= line),
      );
}

type Line = { free: string; near: Claim[] };

/** Another name of the same line of text is defined at the place, or another number of it is the line where the evidence stands. */
function besideReading(
  claim: Claim,
  judged: Judgement,
  { file, free, near }: Line & { file: SourceFile },
): Judgement | undefined {
  const first = claim.range![0];
  if (judged.kind === "symbol" && judged.verdict !== "out_of_range" && near.length === 1) {
    const name = namesIn(free).find(
      (word) =>
        file.isDefinition(word, first) &&
        !claim.symbols.some((symbol) => symbol.owner && symbol.name === word),
    );
    if (name !== undefined)
      return {
        verdict: "exists_only",
        kind: judged.kind,
        path: file.path,
        reason: `line ${first} defines \`${name}\`, which is named beside it`,
        ...(judged.actual === undefined ? {} : { actual: judged.actual }),
      };
  }
  const line = /\d/.test(free)
    ? numbersIn(free).find(
        (number) =>
          number <= file.lineCount &&
          !near.some(({ range }) => range?.includes(number)) &&
          evidenceAt(claim, file, number),
      )
    : undefined;
  return line === undefined
    ? undefined
    : {
        verdict: "unverifiable",
        kind: judged.kind,
        path: file.path,
        reason: `which line is meant is not clear: ${judged.reason}, but line ${line}, a number beside it, fits`,
      };
}

const widest = 300;
const mostNear = 8;

/** The claims on the same line of the report, and what is written there beside them. */
function lineOf(report: string, claims: readonly Claim[], index: number): Line {
  const { start, end } = claims[index]!;
  const before = report.slice(Math.max(0, start - widest), start);
  const from = start - before.length + before.lastIndexOf("\n") + 1;
  const stop = report.slice(end, end + widest).indexOf("\n");
  const to = stop < 0 ? Math.min(report.length, end + widest) : end + stop;
  let first = index;
  while (first > 0 && index - first < mostNear && claims[first - 1]!.end > from) first--;
  let last = index;
  while (last + 1 < claims.length && last - index < mostNear && claims[last + 1]!.start < to)
    last++;
  let free = "";
  let at = from;
  const near: Claim[] = [];
  for (let position = first; position <= last; position++) {
    const other = claims[position]!;
    near.push(other);
    if (other.start > at) free += `${report.slice(at, other.start)} `;
    at = Math.max(at, other.end);
  }
  return { free: at < to ? free + report.slice(at, to) : free, near };
}

/** Words in backticks, and words that are code by their looks. */
function namesIn(text: string): string[] {
  const found = text.match(/`[A-Za-z_$][\w$]{2,80}(?=(?:\(\))?`)|[A-Za-z_$][\w$]{2,80}/g) ?? [];
  return found
    .filter((word) => word.startsWith("`") || isCodeShaped(word))
    .slice(0, 12)
    .map((word) => word.replace("`", ""));
}

/** Numbers that may be lines: those inside code or a quotation belong to it. */
function numbersIn(text: string): number[] {
  const found =
    text
      .replace(/^\s*\d+[.)]\s/, "")
      .replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, (span) => (/^.L?\d+.$/.test(span) ? span : " "))
      .match(/(?<![\w.$-])L?\d{1,7}(?![\w%]|\.\d)/g) ?? [];
  return found.slice(0, 6).map((number) => Number(number.replace("L", "")));
}

function evidenceAt(claim: Claim, file: SourceFile, line: number): boolean {
  if (line < 1) return false;
  const quotes = claim.quotes.filter(
    (quote) => speaksOfPlace(quote) && isSubstantial(quote.lines) && !quote.gutter,
  );
  if (quotes.length > 0)
    return quotes.some((quote) => standsAt(file, quote, [line, line]) !== undefined);
  return claim.symbols.some(
    (symbol) =>
      symbol.accuses !== "never" && !symbol.owner && file.isDefinition(lastName(symbol.name), line),
  );
}
