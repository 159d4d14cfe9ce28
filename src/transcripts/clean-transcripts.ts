// Removes old sessions that Retinue wrote, each completely or not at all. Sessions in use, with
// foreign files or of doubtful age stay.
import { limits } from "../base/limits.ts";
import { lstatSync, readdirSync, rmSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { RetinueError, errorText } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import type { Boot } from "./fact-line.ts";
import { foldersIn, readHeader, sessionsIn, transcriptsOf } from "./reading/list-runs.ts";
import { isHolderName } from "./lock/lock-holder.ts";
import { lockHolder, lockTranscript, type TranscriptLock } from "./lock/lock.ts";
import { currentBoot } from "./lock/process-identity.ts";
import { isRegisterName, registeredRuns } from "./lock/run-register.ts";
import { sessionPaths } from "./paths.ts";
import { readTail } from "./reading/read-tail.ts";

export type CleanOptions = {
  projects: string;
  days: number;
  nowMs: number;
  boot?: Boot;
  dryRun?: boolean;
};
export type CleanReport = { removed: string[]; kept: { session: string; reason: string }[] };

const dayMs = 86_400_000;
/** A session that changed within the last hour counts as in use, whatever its locks say. */
const recentMs = limits.transcript.recentMs;
const ownFolders = ["subagents", "tasks", "flows", "journals", "spill"];

export function cleanTranscripts(options: CleanOptions): CleanReport {
  if (!(options.days >= 0))
    throw new RetinueError(
      "usage",
      `cleanupPeriodDays is ${options.days}: expected a number of days, 0 or more.`,
    );
  const report: CleanReport = { removed: [], kept: [] };
  for (const folder of foldersIn(options.projects)) {
    const project = join(options.projects, folder);
    for (const sessionId of sessionsIn(project)) {
      const session = join(project, sessionId);
      const reason = tryClean({ project, sessionId }, options);
      if (reason === undefined) report.removed.push(session);
      else report.kept.push({ session, reason });
    }
  }
  return report;
}

type Session = { project: string; sessionId: string };

/** Undefined when the session is removed, else the reason why it stays. */
function tryClean(session: Session, options: CleanOptions): string | undefined {
  try {
    const transcripts = transcriptsOf(session.project, session.sessionId).map(({ path }) => path);
    const reason = reasonToKeep(session, transcripts, options);
    if (reason !== undefined || options.dryRun) return reason;
    return removeLocked(session, transcripts, options);
  } catch (error) {
    return errorText(error);
  }
}

function reasonToKeep(
  session: Session,
  transcripts: readonly string[],
  options: CleanOptions,
): string | undefined {
  const { dir } = sessionPaths(session.project, session.sessionId);
  if ([dir, ...ownFolders.map((name) => join(dir, name))].some((path) => !isFolderOrNothing(path)))
    return "a folder of it is something else, such as a symbolic link";
  if (transcripts.length === 0) return "it has no transcript";
  const strangers = namesIn(join(dir, "subagents"))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(dir, "subagents", name));
  if ([...transcripts, ...strangers].some((path) => !readHeader(path)))
    return "it was not written by Retinue";
  const registered = registeredRuns(join(dir, "subagents"));
  if (transcripts.some((path) => lockHolder(path, registered))) return "it is being written";
  const age = options.nowMs - Math.max(...transcripts.map(lastRecordedMs), newestChangeMs(session));
  if (!(age > Math.max(options.days * dayMs, recentMs))) return "it is not old enough";
  const boot = options.boot ?? currentBoot();
  if (transcripts.some((path) => isYoungByUptime(path, boot, options.days)))
    return "the clock says it is old, the time since this machine started says it is not";
  return undefined;
}

/** All locks are held while files are removed, so that no resume can begin in between. */
function removeLocked(
  session: Session,
  transcripts: readonly string[],
  options: CleanOptions,
): string | undefined {
  const locks: TranscriptLock[] = [];
  try {
    for (const path of transcripts) locks.push(lockTranscript(path));
    // A run may have begun and ended between the first look and the locks.
    const changed =
      options.nowMs - Math.max(...transcripts.map(lastRecordedMs)) <= options.days * dayMs;
    if (changed) return "it was used just now";
    remove(session, transcripts);
    return undefined;
  } finally {
    for (const lock of locks) lock.release();
  }
}

function remove({ project, sessionId }: Session, transcripts: readonly string[]): void {
  const { dir, main } = sessionPaths(project, sessionId);
  // Transcripts are removed last: after a crash the rest still has its first line and is found
  // again.
  for (const folder of ownFolders.filter((name) => name !== "subagents"))
    rmSync(join(dir, folder), { recursive: true, force: true });
  for (const path of transcripts.filter((item) => item !== main)) rmSync(path, { force: true });
  rmSync(join(dir, "subagents"), { recursive: true, force: true });
  rmSync(main, { force: true });
  rmSync(`${main}.torn`, { force: true });
  // Removed only if nothing foreign is left in it.
  if (lstatSync(dir, { throwIfNoEntry: false }) && namesIn(dir).length === 0) rmdirSync(dir);
}

function isFolderOrNothing(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined || stat.isDirectory();
}

const namesIn = (folder: string): string[] =>
  lstatSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];

/** The newest time in the lines themselves; a time in the far future if no line has one. */
function lastRecordedMs(path: string): number {
  const times = [readHeader(path), ...readTail(path)]
    .map((line) => Date.parse(String(line?.["timestamp"])))
    .filter((time) => !Number.isNaN(time));
  return times.length > 0 ? Math.max(...times) : Infinity;
}

/**
 * The newest change of any file of the session. A link counts with its own time; files of locks do
 * not count.
 */
function newestChangeMs({ project, sessionId }: Session): number {
  const { dir, main } = sessionPaths(project, sessionId);
  let newest = lstatSync(main, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const path of ownFolders.map((name) => join(dir, name))) {
    for (const name of namesIn(path).filter((item) => !isHolderName(item) && !isRegisterName(item)))
      newest = Math.max(
        newest,
        lstatSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
      );
  }
  return newest;
}

/**
 * Whether it began since the machine started and, by the monotonic clock, fewer days ago than the
 * limit.
 */
function isYoungByUptime(path: string, boot: Boot, days: number): boolean {
  const written = readHeader(path)?.["boot"];
  if (
    !isObject(written) ||
    boot.id === null ||
    written["id"] !== boot.id ||
    typeof written["uptimeSeconds"] !== "number"
  )
    return false;
  return (boot.uptimeSeconds - written["uptimeSeconds"]) * 1_000 < days * dayMs;
}
