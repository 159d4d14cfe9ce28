// Checks every reference of a report against files: the entry of this room.
import { posix } from "node:path";
import { limits } from "../base/limits.ts";
import { checkGiven } from "./check-given.ts";
import { judgeClaim } from "./judging/judge-claim.ts";
import { lookAtMessage } from "./message/look-at-message.ts";
import { heldBefore } from "./second-look/held-before.ts";
import type { JudgedClaim } from "./second-look/judged-document.ts";
import { secondLook } from "./second-look/second-look.ts";
import { excuseStated } from "./second-look/stated-commit.ts";
import { lastPart } from "./reading/code-names.ts";
import { readClaims } from "./reading/read-claims.ts";
import type { Claim } from "./reading/claim.ts";
import type { Judgement } from "./judgement.ts";
import type { RepositoryReader } from "../source/reader.ts";
import { Repository } from "../source/repository.ts";
import { gradeOf, isFault, isFlagged } from "./verdict.ts";
import type { Check, Verdict } from "./verdict.ts";

/** What the agent was really shown, by the runtime's ledger. */
export type EvidenceLookup = { seen(path: string, lines: [number, number]): boolean };

export type VerifyOptions = {
  /** The tree to check against; pass a `Repository` to check many reports against one index. */
  reader: RepositoryReader | Repository;
  /** The tree before the run, or an older commit: what matched there and no longer does is stale. */
  base?: RepositoryReader | Repository;
  evidence?: EvidenceLookup;
  /** The path of the document itself, relative to the root: its links are read from its folder. */
  document?: string;
};

export type Verification = {
  checks: Check[];
  counts: Record<Verdict, number> & { total: number; flagged: number };
  /** The report was longer, or had more references, than is checked. */
  truncated: boolean;
};

/** One check for every reference in `report`. Read-only; never throws because of what a report or a file holds. */
export function verifyReport(report: string, options: VerifyOptions): Verification {
  checkGiven("verifyReport", report, options);
  const { reader, base, evidence } = options;
  const repo = indexed(reader);
  const before = base ? indexed(base) : undefined;
  const { document } = options;
  const place = { document, folder: document === undefined ? undefined : posix.dirname(document) };
  const text = report.slice(0, limits.verify.reportBytes);
  const { claims: read, units, truncated } = readClaims(text, { repo, place });
  repo.expect(namesElsewhere(read, repo));
  const judged = read.map((claim) => ({ claim, judged: judgeBoth(claim, repo, before) }));
  const settled =
    document === undefined
      ? lookAtMessage(judged, { units, repo })
      : settleDocument(judged, { document, report: text, repo });
  const checks = settled.map((one, index) =>
    toCheck(one.claim, one.judged, { id: `c${index + 1}`, report, evidence }),
  );
  return {
    checks,
    counts: countVerdicts(checks),
    truncated: truncated || report.length > limits.verify.reportBytes,
  };
}

type DocumentSetting = { document: string; report: string; repo: Repository };

/** A document that was just written speaks of the tree as it is: it needs no second look. */
function settleDocument(
  judged: readonly JudgedClaim[],
  { document, report, repo }: DocumentSetting,
): readonly JudgedClaim[] {
  if (repo.isKept(document) === false) return judged;
  const before = heldBefore(judged, repo);
  const settled = secondLook(judged, { report, repo, before }).map((one, index) => ({
    claim: judged[index]!.claim,
    judged: one,
  }));
  return excuseStated(settled, { report, repo });
}

/** Names that do not stand in the file that is named with them: they are looked for elsewhere. */
function* namesElsewhere(claims: readonly Claim[], repo: Repository): Generator<string> {
  for (const { evidence, mention } of claims) {
    const state = mention.external ? undefined : repo.open(mention.path);
    for (const { name } of evidence) {
      const word = lastPart(name);
      if (word !== "" && !(state?.ok && state.file.holds(word))) yield word;
    }
  }
}

function indexed(reader: RepositoryReader | Repository): Repository {
  return reader instanceof Repository ? reader : new Repository(reader);
}

function judgeBoth(claim: Claim, repo: Repository, base: Repository | undefined): Judgement {
  const judged = judgeClaim(claim, repo);
  if (!base || !isFlagged(judged.verdict) || judged.verdict === "outside_root") return judged;
  const then = judgeClaim(claim, base);
  return then.verdict === "verified"
    ? { ...judged, verdict: "stale", reason: `it stood there in the base; now ${judged.reason}` }
    : judged;
}

type Setting = { id: string; report: string; evidence: EvidenceLookup | undefined };

function toCheck(claim: Claim, judged: Judgement, { id, report, evidence }: Setting): Check {
  const { verdict, suggestion } = judged;
  const path = judged.path ?? (claim.mention.external ? null : claim.mention.path);
  const lines =
    suggestion && verdict === "relocated"
      ? ([suggestion.line, suggestion.line] as [number, number])
      : linesOf(claim);
  const seen =
    evidence !== undefined &&
    path !== null &&
    lines !== null &&
    evidence.seen(suggestion?.path ?? path, lines);
  const { start, end } = claim;
  const range = linesOf(claim);
  const symbol = symbolOf(claim);
  const { kind, reason } = judged;
  const span: [number, number] = [start, end];
  const text = report.slice(start, end);
  const grade = gradeOf(verdict, { seen, repaired: judged.unique === true });
  // Written out twice: an object put together from parts costs more than the rest of this function.
  const check: Check =
    symbol !== undefined
      ? { id, span, kind, text, path, lines: range, symbol, verdict, grade, reason }
      : { id, span, kind, text, path, lines: range, verdict, grade, reason };
  if (suggestion) check.suggestion = suggestion;
  if (judged.actual !== undefined) check.actual = judged.actual;
  if (judged.doubted) check.doubted = true;
  return check;
}

const linesOf = ({ range }: Claim): [number, number] | null =>
  range ? [range.first, range.last] : null;

/** The name that speaks most surely of the place. */
function symbolOf({ evidence }: Claim): string | undefined {
  let best: Claim["evidence"][number] | undefined;
  for (const item of evidence)
    if (item.name !== "" && !item.isPlain && item.weight > (best?.weight ?? 2)) best = item;
  return best?.name;
}

export function countVerdicts(checks: readonly Check[]): Verification["counts"] {
  const counts = {
    verified: 0,
    relocated: 0,
    stale: 0,
    altered: 0,
    missing: 0,
    out_of_range: 0,
    wrong_symbol: 0,
    outside_root: 0,
    ambiguous: 0,
    exists_only: 0,
    unverifiable: 0,
    unsupported: 0,
    weakened: 0,
    countered: 0,
    not_judged: 0,
    total: checks.length,
    flagged: 0,
  };
  for (const { verdict } of checks) {
    counts[verdict]++;
    if (isFault(verdict)) counts.flagged++;
  }
  return counts;
}
