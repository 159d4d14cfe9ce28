// What a report says that was done to files, row by row and in sentences, as checks against the
// trees and the record.
import { posix } from "node:path";
import type { PlacedReport } from "../../contract/report/parse-report.ts";
import type { AssessedCheck } from "../assessment.ts";
import type { Repository } from "../../source/repository.ts";
import type { Check } from "../verdict.ts";
import {
  judgeFileClaim,
  spokenFileClaim,
  type FileEvidence,
  type FileJudgement,
} from "./judge-files.ts";

export type FileCheck = Check & Pick<AssessedCheck, "file_claim" | "spoken">;
type PlacedClaim = PlacedReport["file_claims"][number];
type FileSetting = { checks: readonly Check[]; evidence: FileEvidence; repo: Repository };

/** What the trees say of a file outweighs that it merely exists. */
export function fileChecks(
  report: string,
  { file_claims }: PlacedReport,
  { checks, evidence, repo }: FileSetting,
): FileCheck[] {
  const judged = new Map<Check, FileCheck>();
  const added: FileCheck[] = [];
  let next = 0;
  for (const placed of [...file_claims].sort((a, b) => a.span[0] - b.span[0])) {
    while (next < checks.length && isBefore(checks[next]!, placed.span)) next++;
    const first = checks[next];
    const own = first && first.span[1] <= placed.span[1] ? first : undefined;
    const path = own?.path ?? relativePath(placed.claim.path, repo);
    const found = judgeFileClaim(placed.claim, path, evidence);
    if (!found) continue;
    if (own) judged.set(own, claimCheck(report, own, { path, ...found }));
    else {
      const place = { id: "", span: pathSpan(report, placed), lines: null };
      added.push(claimCheck(report, place, { path, ...found }));
    }
  }
  return [
    ...checks.map(
      (check) =>
        judged.get(check) ??
        spokenCheck(check, report, evidence) ??
        goneCheck(check, evidence) ??
        check,
    ),
    ...added,
  ];
}

function claimCheck(
  report: string,
  { id, span, lines }: Pick<Check, "id" | "span" | "lines">,
  { word, path, ...verdict }: FileJudgement & { path: string },
): FileCheck {
  const told = { id, span, kind: "file_claim" as const, text: report.slice(...span), path, lines };
  return { ...told, ...verdict, ...(word ? { file_claim: word } : {}) };
}

const isBefore = (check: Check, [from, to]: [number, number]): boolean =>
  check.span[0] < from || (check.path === null && check.span[0] < to);

/** Where the claim's path stands, or the whole row. */
function pathSpan(report: string, { claim, span }: PlacedClaim): [number, number] {
  const at = report.indexOf(claim.path, span[0]);
  return at >= 0 && at < span[1] ? [at, at + claim.path.length] : span;
}

/** "Created `src/a.ts`" in a sentence is a claim like a row of a table. */
function spokenCheck(check: Check, report: string, evidence: FileEvidence): FileCheck | undefined {
  if (check.path === null) return undefined;
  const line = lineBefore(report, check.span[0], 200);
  const claim = line.includes("|") ? null : spokenFileClaim(line, check.path);
  const found = claim && judgeFileClaim(claim, claim.path, evidence);
  if (!found) return undefined;
  const { path, span, suggestion: _none, ...rest } = check;
  const { word, ...verdict } = found;
  return {
    ...rest,
    path,
    span,
    kind: "file_claim",
    ...verdict,
    ...(word ? { file_claim: word } : {}),
  };
}

/** A file that the run itself removed is named by whoever tells of it. */
function goneCheck(check: Check, { diff }: FileEvidence): FileCheck | undefined {
  if (
    check.kind !== "path" ||
    check.verdict !== "missing" ||
    check.path === null ||
    !diff?.deleted.includes(check.path)
  )
    return undefined;
  const { suggestion: _none, ...rest } = check;
  return {
    ...rest,
    verdict: "unverifiable",
    grade: "E0",
    reason: `${check.path} was there before the run and is gone`,
  };
}

function relativePath(path: string, repo: Repository): string {
  const { root } = repo.reader;
  const inside =
    root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  return posix.normalize(inside.replaceAll("\\", "/")).replace(/^\.\//, "");
}

/**
 * What stands on the line before an offset, at most so much of it: a line of many references is
 * looked through once, not once for each.
 */
export function lineBefore(report: string, at: number, most: number): string {
  const before = report.slice(Math.max(0, at - most), at);
  return before.slice(before.lastIndexOf("\n") + 1);
}
