// Checks the final messages of transcripts that lie on this machine: read-only, one project after the
// other, so that memory holds one tree at a time. What could not be judged is counted, not hidden.
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "../../base/errors.ts";
import { projectRoot } from "../../base/files/project-folders.ts";
import { isBesideTranscripts } from "../../transcripts/paths.ts";
import { assessReport } from "../assess-report.ts";
import type { AssessedCheck, Assessment } from "../assessment.ts";
import { readLedger } from "../evidence/ledger.ts";
import { Repository } from "../../source/repository.ts";
import { treeReader } from "../../source/tree-reader.ts";
import { isUndecided } from "../trust/trust-word.ts";
import { isPlace, placesRightThen } from "./places-right-then.ts";

/** How the claims of one kind came out. */
export type AuditCounts = {
  places: number;
  places_wrong: number;
  /** Wrong today, right in the commits around the message. */
  places_moved: number;
  places_corrected: number;
  results: number;
  results_without_run: number;
  results_contradicted: number;
  results_stale: number;
  countered: number;
  /** Places and results that could not be compared with anything; they are counted nowhere else. */
  not_judged: number;
};

/** What is wrong in one message, in the order in which it stands there. */
export type AuditFlag = { verdict: string; text: string; reason: string };

export type AuditedReport = {
  transcript: string;
  project: string;
  agent_type: string;
  model: string;
  counts: AuditCounts;
  flags: AuditFlag[];
};

/** A transcript that could not be judged, and why. */
export type UnjudgedTranscript = { transcript: string; reason: string };

export type TranscriptAudit = {
  reports: AuditedReport[];
  unjudged: UnjudgedTranscript[];
  /** Older than asked for. */
  skipped: number;
  totals: AuditCounts;
};

export type AuditOptions = {
  /** Folder of transcripts, searched whole. */
  folder: string;
  /** Only files that changed since then. */
  sinceMs: number;
  signal: AbortSignal;
  onProgress: (done: number, all: number) => void;
};

const maxFlags = 20;
const shortMessage = 20;

export async function auditTranscripts({
  folder,
  sinceMs,
  signal,
  onProgress,
}: AuditOptions): Promise<TranscriptAudit> {
  const audit: TranscriptAudit = { reports: [], unjudged: [], skipped: 0, totals: noCounts() };
  const files = await transcriptsIn(folder, sinceMs, audit);
  const byRoot = files
    .map((file) => ({ file, cwd: folderIn(file) }))
    .sort((a, b) => ((a.cwd ?? "") < (b.cwd ?? "") ? -1 : 1));
  let tree: { root: string; repo: Repository } | undefined;
  for (const [index, { file, cwd }] of byRoot.entries()) {
    if (signal.aborted) break;
    onProgress(index, byRoot.length);
    if (cwd === null || !existsSync(cwd)) {
      audit.unjudged.push({
        transcript: file,
        reason: cwd === null ? "it names no folder" : `${cwd} is gone`,
      });
      continue;
    }
    const root = projectRoot(cwd);
    if (tree?.root !== root) tree = { root, repo: new Repository(treeReader(root)) };
    await auditOne(file, tree, audit);
  }
  onProgress(byRoot.length, byRoot.length);
  return audit;
}

async function auditOne(
  transcript: string,
  { root, repo }: { root: string; repo: Repository },
  audit: TranscriptAudit,
): Promise<void> {
  try {
    const ledger = await readLedger(transcript, { root });
    const { text, agentType, model, at } = ledger.final;
    if (text.length < shortMessage) throw new Error("it has no final message");
    const known = ledger.isUnderstood ? { ledger } : {};
    const isSearch = model === "offline";
    const options = { contract: "none", isSearch, ...known } as const;
    const assessment = await assessReport(text, { ...options, reader: repo });
    const moved = await placesRightThen(assessment, { root, at, options });
    const counts = countsOf(assessment, moved);
    for (const key of Object.keys(counts) as (keyof AuditCounts)[])
      audit.totals[key] += counts[key];
    audit.reports.push({
      transcript,
      project: root,
      agent_type: agentType ?? "main thread",
      model: model ?? "unknown",
      counts,
      flags: flagsOf(assessment, moved),
    });
  } catch (error) {
    audit.unjudged.push({ transcript, reason: errorText(error) });
  }
}

const noCounts = (): AuditCounts => ({
  places: 0,
  places_wrong: 0,
  places_moved: 0,
  places_corrected: 0,
  results: 0,
  results_without_run: 0,
  results_contradicted: 0,
  results_stale: 0,
  countered: 0,
  not_judged: 0,
});

function countsOf({ checks }: Assessment, moved: ReadonlySet<AssessedCheck>): AuditCounts {
  const counts = noCounts();
  for (const check of checks) {
    if (check.verdict === "countered") counts.countered++;
    else if (isUndecided(check)) counts.not_judged++;
    else if (isPlace(check)) {
      counts.places++;
      if (moved.has(check)) counts.places_moved++;
      else if (check.corrected !== undefined) counts.places_corrected++;
      else if (check.grade === "X") counts.places_wrong++;
    } else {
      counts.results++;
      if (check.verdict === "unsupported") counts.results_without_run++;
      else if (check.verdict === "stale") counts.results_stale++;
      else if (check.grade === "X") counts.results_contradicted++;
    }
  }
  return counts;
}

/** Results first: they say more about the work than a place that has moved. */
function flagsOf({ checks }: Assessment, moved: ReadonlySet<AssessedCheck>): AuditFlag[] {
  const wrong = checks.filter(
    (check) =>
      check.corrected === undefined &&
      !moved.has(check) &&
      (check.grade === "X" ||
        check.verdict === "unsupported" ||
        check.verdict === "countered" ||
        (check.verdict === "stale" && !isPlace(check))),
  );
  return [...wrong.filter((check) => !isPlace(check)), ...wrong.filter(isPlace)]
    .slice(0, maxFlags)
    .map(({ verdict, text, reason }) => ({ verdict, text: text.slice(0, 200), reason }));
}

async function transcriptsIn(
  folder: string,
  sinceMs: number,
  audit: TranscriptAudit,
): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith(".jsonl")) continue;
    const path = join(entry.parentPath, entry.name);
    if (isBesideTranscripts(path)) continue;
    const { mtimeMs } = await stat(path);
    if (mtimeMs < sinceMs) audit.skipped++;
    else found.push(path);
  }
  return found;
}

const headBytes = 256 * 1024;

/** The working directory that the first lines name; the file is not read whole for it. */
function folderIn(file: string): string | null {
  const handle = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(headBytes);
    const head = buffer.subarray(0, readSync(handle, buffer)).toString("utf8");
    const found = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head)?.[1];
    return found === undefined ? null : (JSON.parse(found) as string);
  } finally {
    closeSync(handle);
  }
}
