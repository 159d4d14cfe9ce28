// Compares a claim's evidence with the file it names: quotations first, then names, then nothing but the place.
import type { Claim } from "./claims.ts";
import { judgeQuotes } from "./judge-quote.ts";
import { judgeSymbols } from "./judge-symbol.ts";
import type { Judgement } from "./judgement.ts";
import type { Repository } from "./repository.ts";
import type { SourceFile } from "./source-file.ts";
import type { ClaimKind } from "./verdict.ts";

/** The verdict on a claim whose file is open and whose lines exist. */
export function judgeEvidence(claim: Claim, file: SourceFile, { repo, kind }: { repo: Repository; kind: ClaimKind }): Judgement {
  const quoted = judgeQuotes(claim, file, repo);
  if (quoted && quoted.verdict !== "verified") return quoted;
  const named = judgeSymbols(claim, file, { repo, quotedAt: quoted?.at });
  if (quoted && (named === undefined || named.verdict === "verified" || named.verdict === "exists_only")) return quoted;
  if (named) return named;
  return bare(claim, file, kind);
}

function bare(claim: Claim, file: SourceFile, kind: ClaimKind): Judgement {
  const base = { verdict: "exists_only" as const, kind, path: file.path };
  if (!claim.range) return { ...base, reason: `${file.path} exists` };
  const actual = file.line(claim.range[0]).trim().slice(0, 200);
  return { ...base, reason: `the place exists; nothing is said about it that could be compared`, actual };
}
