// The verdict on the names that a claim gives: on the line, around it, somewhere else, nowhere.
import type { Claim, SymbolEvidence } from "./claims.ts";
import { isCodeShaped, lastName } from "./claims.ts";
import { definitionStrength } from "./definitions.ts";
import { nameOfCall } from "./judge-quote.ts";
import type { Judgement } from "./judgement.ts";
import { matchSymbol } from "./match-symbol.ts";
import type { SymbolMatch } from "./match-symbol.ts";
import type { Repository } from "./repository.ts";
import type { Occurrence, SourceFile } from "./source-file.ts";

type Setting = { repo: Repository; quotedAt: Occurrence | undefined };

/** Undefined where no name of the claim counts. */
export function judgeSymbols(
  claim: Claim,
  file: SourceFile,
  { repo, quotedAt }: Setting,
): Judgement | undefined {
  const range = quotedAt
    ? ([
        Math.min(quotedAt.line, claim.range?.[0] ?? quotedAt.line),
        Math.max(quotedAt.endLine, claim.range?.[1] ?? 0),
      ] as [number, number])
    : claim.range;
  const place = { ...claim, range };
  const matched = [
    ...claim.symbols.filter((symbol) => counts(symbol, file, repo) && !(quotedAt && symbol.plain)),
    ...calls(claim),
  ].map((symbol) => ({
    symbol,
    match: matchSymbol(file, symbol.name, { range, repo, defines: claim.defines }),
  }));
  const judged = matched.map(({ symbol, match }) => ({
    symbol,
    judgement:
      symbol.call && match.kind === "here"
        ? paraphrased(symbol, file, match.line)
        : judgeOne(symbol, match, { claim: place, file, repo }),
  }));
  const flagged = judged.find(
    ({ judgement }) =>
      judgement && judgement.verdict !== "verified" && judgement.verdict !== "exists_only",
  );
  const verified = judged.find(({ judgement }) => judgement?.verdict === "verified");
  const inside = matched.some(({ match }) => match.kind === "inside");
  // "`foo` at x.ts:45 calls `bar`": inside foo, with bar on the line, is as good as foo on the line.
  if (verified && (!flagged || inside)) return verified.judgement;
  return flagged?.judgement ?? judged.find(({ judgement }) => judgement)?.judgement;
}

function calls(claim: Claim): SymbolEvidence[] {
  return claim.quotes.flatMap((quote) => {
    const name = nameOfCall(quote);
    return name === undefined
      ? []
      : [{ name, plain: false, accuses: "outside" as const, encloses: true, call: true }];
  });
}

/** `foo(a, b)` where the line has `foo` with other arguments: a signature in other words, or a wrong quotation. */
function paraphrased(symbol: SymbolEvidence, file: SourceFile, line: number): Judgement {
  return {
    verdict: "exists_only",
    kind: "symbol",
    path: file.path,
    reason: `line ${line} has \`${symbol.name}\`, with other arguments than the report`,
    actual: file.line(line).trim().slice(0, 200),
  };
}

/** A plain word is a name only where the repository defines it; an everyday word only where the file itself does. */
function counts(symbol: SymbolEvidence, file: SourceFile, repo: Repository): boolean {
  if (!symbol.plain) return true;
  const word = lastName(symbol.name);
  if (file.definitionsOf(word).length > 0) return true;
  // "Cart.add": where Cart is something here, add is meant as a name.
  const owner =
    word === symbol.name
      ? undefined
      : symbol.name
          .slice(0, -word.length)
          .split(/\.|::|->|#|\?\./)
          .filter(Boolean)
          .at(-1);
  if (
    symbol.frame &&
    isCodeShaped(word) &&
    !/^_|\$/.test(word) &&
    repo.complete &&
    repo.spread(word) === 0
  )
    return true;
  if (owner !== undefined && /^[A-Z]/.test(owner) && file.definitionsOf(owner).length > 0)
    return true;
  return isCodeShaped(symbol.name) && repo.definedAt(word).length > 0;
}

type Place = { claim: Claim; file: SourceFile; repo: Repository };

function judgeOne(
  symbol: SymbolEvidence,
  match: SymbolMatch,
  { claim, file, repo }: Place,
): Judgement | undefined {
  const base = { kind: "symbol" as const, path: file.path };
  if (match.kind === "here" && symbol.owner) return undefined;
  if (match.kind === "here") return judgeHere(symbol, match, { claim, file, repo });
  const first = claim.range?.[0];
  const actual = first === undefined ? {} : { actual: file.line(first).trim().slice(0, 200) };
  const stands =
    first === undefined
      ? `${file.path} does not have \`${symbol.name}\``
      : `line ${first} is ${actual.actual === "" ? "blank" : `\`${actual.actual!.slice(0, 120)}\``}`;
  if (match.kind === "header")
    return {
      ...base,
      ...actual,
      verdict: "exists_only",
      reason: `${stands}; it belongs to \`${symbol.name}\`, defined at line ${match.line}`,
    };
  if (symbol.accuses === "never") return undefined;
  if (match.kind === "inside") {
    if (symbol.encloses || symbol.accuses !== "always" || claim.vague)
      return {
        ...base,
        ...actual,
        verdict: "exists_only",
        reason: `line ${first} is inside \`${symbol.name}\`, which begins at line ${match.line}`,
      };
    return {
      ...base,
      ...actual,
      verdict: "wrong_symbol",
      reason: `${stands}; \`${symbol.name}\` is defined at ${file.path}:${match.line}`,
      suggestion: { path: file.path, line: match.line },
      unique: true,
    };
  }
  if (match.kind === "elsewhere")
    return symbol.accuses === "typo" || (symbol.frame && !isFunctionAt(file, symbol, match.place))
      ? undefined
      : elsewhere(symbol, match, { claim, file, repo });
  if (
    symbol.accuses === "always" ||
    match.typo !== undefined ||
    (symbol.accuses === "outside" &&
      isCodeShaped(symbol.name) &&
      (symbol.frame || !symbol.encloses))
  )
    return {
      ...base,
      ...actual,
      verdict: "missing",
      reason: `${stands}; \`${symbol.name}\` is nowhere in the repository${match.typo === undefined ? "" : `, the line has \`${match.typo}\``}`,
    };
  return undefined;
}

function judgeHere(
  symbol: SymbolEvidence,
  match: SymbolMatch & { kind: "here" },
  { claim, file, repo }: Place,
): Judgement {
  const base = {
    kind: "symbol" as const,
    path: file.path,
    actual: file.line(match.line).trim().slice(0, 200),
    line: match.line,
  };
  if (!qualifierFits(symbol.name, file, repo))
    return {
      ...base,
      verdict: "exists_only",
      reason: `line ${match.line} has \`${lastName(symbol.name)}\`, but nothing here is called \`${symbol.name}\``,
    };
  if (
    symbol.plain &&
    (/^(?:function|class|def|return|if|else|new)$/.test(symbol.name) ||
      (!match.definition && !isCodeShaped(symbol.name)))
  )
    return {
      ...base,
      verdict: "exists_only",
      reason: `line ${match.line} has the word \`${symbol.name}\``,
    };
  if (
    /\w[?!]$/.test(symbol.name) &&
    !file.line(match.line).includes(lastName(symbol.name) + symbol.name.at(-1)!)
  )
    return {
      ...base,
      verdict: "exists_only",
      reason: `line ${match.line} has \`${lastName(symbol.name)}\`, but not \`${symbol.name}\``,
    };
  const definitions = claim.defines && claim.range ? file.definitionsOf(lastName(symbol.name)) : [];
  if (claim.defines && !match.definition && definitions.length > 0)
    return {
      ...base,
      verdict: "exists_only",
      reason: `line ${match.line} mentions \`${symbol.name}\`; it is defined at line ${definitions[0]}`,
    };
  return {
    ...base,
    verdict: "verified",
    reason: claim.range
      ? `line ${match.line} has \`${symbol.name}\``
      : `${file.path} has \`${symbol.name}\` at line ${match.line}`,
  };
}

function isFunctionAt(
  file: SourceFile,
  symbol: SymbolEvidence,
  place: { path: string; line: number },
): boolean {
  if (place.path !== file.path) return isCodeShaped(symbol.name);
  return (
    definitionStrength(file.line(place.line), lastName(symbol.name)) >=
    (isCodeShaped(symbol.name) ? 2 : 3)
  );
}

/** `Foo.bar`: Foo must be something here, a module's name included. */
function qualifierFits(name: string, file: SourceFile, repo: Repository): boolean {
  if (!/[.:>#]/.test(name)) return true;
  const parts = name
    .split(/\.|::|->|#|\?\./)
    .slice(0, -1)
    .filter((part) => part.length > 1);
  return parts.every(
    (part) =>
      file.linesWith(part).length > 0 ||
      file.path.toLowerCase().includes(part.toLowerCase()) ||
      repo.spread(part) > 0,
  );
}

function elsewhere(
  symbol: SymbolEvidence,
  match: SymbolMatch & { kind: "elsewhere" },
  { claim, file }: Place,
): Judgement | undefined {
  const { place } = match;
  const inFile = place.path === file.path;
  const close = inFile && claim.range && Math.abs(place.line - claim.range[0]) <= 12;
  const base = {
    kind: "symbol" as const,
    path: file.path,
    suggestion: place,
    unique: match.unique,
  };
  const verb = match.definition ? "is defined" : "stands";
  if (claim.vague && close)
    return {
      kind: "symbol",
      path: file.path,
      verdict: "exists_only",
      reason: `\`${symbol.name}\` ${verb} at line ${place.line}, near the line that was named`,
    };
  const first = claim.range?.[0];
  const actual = first === undefined ? "" : file.line(first).trim().slice(0, 200);
  const stands =
    first === undefined
      ? `${file.path} does not have it`
      : `line ${first} is ${actual === "" ? "blank" : `\`${actual.slice(0, 120)}\``}`;
  return {
    ...base,
    ...(first === undefined ? {} : { actual }),
    verdict: "wrong_symbol",
    reason: `${stands}; \`${symbol.name}\` ${verb} at ${place.path}:${place.line}`,
  };
}
