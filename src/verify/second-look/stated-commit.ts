// The commit that the head of a document names: of that state of the tree it speaks.
import { Repository } from "../../source/repository.ts";
import type { Judgement } from "../judgement.ts";
import { judgeClaim } from "../judging/judge-claim.ts";
import type { Claim } from "../reading/claim.ts";
import { isFlagged } from "../verdict.ts";
import type { JudgedClaim } from "./judged-document.ts";
import { accusationOf } from "./second-look.ts";

const atTheHead = 2_000;
const stated = new RegExp(
  String.raw`(?<![\w-])(?:commit|head|sha|revision|git_commit|base(?:line)?|main|master|develop|trunk|@|` +
    "커밋|提交|コミット|коммит)" +
    String.raw`[^\w\n]{1,8}(?=[\da-f]*\d)([\da-f]{7,40})(?!\w)`,
  "i",
);

/** An id in marks, or behind a word of place: "ran at f02101f", "tip `96f5a26`". */
const mentioned =
  /(?:`|(?<![\w-])(?:at|tip|against|on|of|from|since|rev|ref)\s)(?=[\da-f]*\d)(?=[\da-f]*[a-f])([\da-f]{7,40})(?!\w)/i;

/** "Reviewed `18f8401..ea3271f`": the state at its end. */
const span = /(?<![\w.])[\da-f]{7,40}\.{2,3}([\da-f]{7,40})(?!\w)/i;

/** The commit that the head of a document names first, best as one: of that one it may speak. */
export function statedCommit(report: string): string | undefined {
  const head = report.slice(0, atTheHead);
  return span.exec(head)?.[1] ?? (stated.exec(head) ?? mentioned.exec(head))?.[1];
}

type Setting = { report: string; repo: Repository };

/** What does not fail at that commit, or cannot be looked up there, is left open. */
export function excuseStated(
  settled: readonly JudgedClaim[],
  { report, repo }: Setting,
): readonly JudgedClaim[] {
  if (!settled.some(({ judged }) => isFlagged(judged.verdict))) return settled;
  const excuses = excusesOf(report, repo);
  return settled.map(({ claim, judged }) => {
    const why = isFlagged(judged.verdict) ? excuses?.(claim) : undefined;
    return { claim, judged: why === undefined ? judged : excused(judged, why) };
  });
}

/** Why a place that fails today is not held against the document; undefined where it names no commit. */
export function excusesOf(
  report: string,
  repo: Repository,
): ((claim: Claim) => string | undefined) | undefined {
  const commit = statedCommit(report);
  if (commit === undefined) return undefined;
  const reader = repo.reader.at?.(commit);
  const then = reader && new Repository(reader);
  const named = `${commit.slice(0, 12)}, the commit that the document names`;
  if (!then) return () => `${named}, is not here to look at; today`;
  return (claim) => {
    const judged = judgeClaim(claim, then);
    if (accusationOf(judged)) return undefined;
    return judged.verdict === "verified"
      ? `it stood there at ${named}; now`
      : `it may have stood there at ${named}; now`;
  };
}

function excused(judged: Judgement, why: string): Judgement {
  const { trial: _, suggestion: __, unique: ___, ...rest } = judged;
  return { ...rest, verdict: "unverifiable", doubted: true, reason: `${why} ${judged.reason}` };
}
