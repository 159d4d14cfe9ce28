// Compares a claim's evidence with the file it names: quotations first, then names, then nothing but the place.
import type { Claim } from "./claims.ts";
import { speaksOfPlace } from "./claims.ts";
import { judgeQuotes, standsAt } from "./judge-quote.ts";
import { judgeSymbols } from "./judge-symbol.ts";
import type { Judgement } from "./judgement.ts";
import { isSubstantial } from "./match-quote.ts";
import { hasSymbol } from "./match-symbol.ts";
import type { Repository } from "./repository.ts";
import type { SourceFile } from "./source-file.ts";
import type { ClaimKind } from "./verdict.ts";

/** The verdict on a claim whose file is open and whose lines exist. */
export function judgeEvidence(
  claim: Claim,
  file: SourceFile,
  { repo, kind }: { repo: Repository; kind: ClaimKind },
): Judgement {
  const quoted = judgeQuotes(claim, file, repo);
  if (quoted && quoted.verdict !== "verified" && !quoted.open) return quoted;
  const named = judgeSymbols(claim, file, { repo, quotedAt: quoted?.at });
  if (
    quoted &&
    (named === undefined || named.verdict === "verified" || named.verdict === "exists_only")
  )
    return quoted;
  if (named) return named;
  return bare(claim, file, kind);
}

/** Whether `file` can verify the claim at all: no more than is needed to leave out the many files that cannot. */
export function canStandIn(claim: Claim, file: SourceFile): boolean {
  const { range } = claim;
  if (range && (range[0] < 1 || range[1] < range[0] || range[1] > file.lineCount)) return false;
  const quotes = claim.quotes.filter((quote) => isSubstantial(quote.lines));
  if (quotes.some((quote) => standsAt(file, quote, range))) return true;
  return (
    !quotes.some(speaksOfPlace) &&
    claim.symbols.some((symbol) => hasSymbol(file, symbol.name, range))
  );
}

function bare(claim: Claim, file: SourceFile, kind: ClaimKind): Judgement {
  const base = { verdict: "exists_only" as const, kind, path: file.path };
  if (!claim.range) return { ...base, reason: `${file.path} exists` };
  const actual = file.line(claim.range[0]).trim().slice(0, 200);
  return {
    ...base,
    reason: `the place exists; nothing is said about it that could be compared`,
    actual,
  };
}
