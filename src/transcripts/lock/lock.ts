// One writer per transcript: a `.lock` file beside it names the process that holds it. The lock of
// a dead process is taken over, and only one of two contenders gets it. Works among processes of
// one machine that share their process ids.
import { randomUUID } from "node:crypto";
import { lstatSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { dirname } from "node:path";
import { RetinueError, errorText } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import type { Boot } from "../fact-line.ts";
import { holderPathOf, isLinkTo, linkHolder, type LockHolderFile } from "./lock-holder.ts";
import { fileMode } from "../paths.ts";
import { StorageFailure } from "../storage-failure.ts";

export type LockHolder = {
  pid: number;
  startTime: string | null;
  bootId: string | null;
  token?: string;
  /** Handed to that process, which has not taken it yet. */ handed?: true;
};

export type TranscriptLock = {
  readonly transcript: string;
  release(): void;
  /**
   * Hands the lock to another process, which takes it with lockTranscript. There is no moment
   * without a holder.
   */
  handTo(pid: number): void;
};

const deepestTakeover = 4;
let ownIdentity: LockHolder | undefined;

export const lockPathOf = (transcript: string): string => `${transcript}.lock`;

/**
 * Takes the lock of a transcript and creates its folder if needed. Throws RetinueError `running` if
 * a live process holds it, StorageFailure if the disk refuses.
 */
export function lockTranscript(transcript: string): TranscriptLock {
  const release = tryLock(transcript);
  if (release)
    return { transcript, release, handTo: (pid) => handOver(lockPathOf(transcript), pid, release) };
  const holder = lockHolder(transcript);
  const who = holder ? `process ${holder.pid}` : "another process";
  throw new RetinueError(
    "running",
    `The transcript ${transcript} is being written by ${who}. Wait until that run ends, or stop it first.`,
  );
}

function tryLock(transcript: string): (() => void) | undefined {
  try {
    return takeLock(lockPathOf(transcript), 0);
  } catch (error) {
    throw new StorageFailure(transcript, `its lock cannot be taken (${errorText(error)})`, {
      cause: error,
    });
  }
}

/** The live process that holds a transcript's lock, or undefined. */
export function lockHolder(transcript: string): LockHolder | undefined {
  const path = lockPathOf(transcript);
  // A lock is a link to a regular file; anything else at this path means that nobody holds the
  // lock.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const content = readText(path);
  const holder = content === undefined ? undefined : parseHolder(content);
  return holder && isAlive(holder) ? holder : undefined;
}

/**
 * The function that gives the lock back; undefined if a live process holds the lock or is about to.
 */
function takeLock(path: string, depth: number): (() => void) | undefined {
  if (depth > deepestTakeover) return undefined;
  for (;;) {
    // The content must be complete as soon as the lock exists, so the file is written first and
    // then linked.
    const own = linkOwn(path);
    if (own) return held(path, own);
    const found = readText(path);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (holder && isAlive(holder) && !isHandedToUs(holder)) return undefined;
    const releaseGuard = takeLock(`${path}.next`, depth + 1);
    if (!releaseGuard) return undefined;
    try {
      // Whoever replaces a dead lock holds the guard, so the content read here cannot change before
      // the rename.
      if (readText(path) === found) return replaceDead(path, holder);
    } finally {
      releaseGuard();
    }
  }
}

function linkOwn(path: string): LockHolderFile | false {
  ownIdentity ??= identityOf(process.pid);
  return linkHolder(dirname(path), path, ownIdentity);
}

function replaceDead(path: string, dead: LockHolder | undefined): () => void {
  const temporary = `${path}.${randomUUID()}`;
  const own = linkOwn(temporary);
  if (!own) throw new Error(`${temporary} stands there already`);
  try {
    renameSync(temporary, path);
  } catch (error) {
    held(temporary, own)();
    throw error;
  }
  if (dead?.token !== undefined) removeQuietly(holderPathOf(dirname(path), dead.token));
  return held(path, own);
}

/** The call that took each lock last: links of one process look the same. */
const takers = new Map<string, object>();

function held(path: string, own: LockHolderFile): () => void {
  const taker = {};
  takers.set(path, taker);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    own.locks -= 1;
    if (takers.get(path) !== taker) return;
    takers.delete(path);
    removeIfOwn(path, own);
  };
}

/**
 * Never throws: the work under the lock is done, and what is left of the lock belongs to a process
 * that will be gone.
 */
function removeIfOwn(path: string, own: LockHolderFile): void {
  try {
    if (isLinkTo(path, own)) unlinkSync(path);
  } catch {
    // Its folder was removed, or cannot be read any more.
  }
}

function handOver(path: string, pid: number, release: () => void): void {
  replaceText(path, JSON.stringify({ ...identityOf(pid), token: randomUUID(), handed: true }));
  release();
}

/** Undefined if there is nothing; never waits for a pipe and never follows a link. */
function readText(path: string): string | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (!facts) return undefined;
  if (!facts.isFile()) throw new Error(`${path} is no regular file; move it away`);
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function replaceText(path: string, content: string): void {
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, content, { flag: "wx", mode: fileMode });
  renameSync(temporary, path);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone already: it was renamed, or its folder was removed.
  }
}

/** Undefined for anything that is no lock, such as the empty file that a power loss leaves. */
function parseHolder(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockHolder> | null;
    if (!Number.isSafeInteger(value?.pid) || value!.pid! <= 0) return undefined;
    return {
      pid: value!.pid!,
      startTime: value!.startTime ?? null,
      bootId: value!.bootId ?? null,
      ...(isUuid(value!.token) ? { token: value!.token } : {}),
      ...(value!.handed ? { handed: true as const } : {}),
    };
  } catch {
    return undefined;
  }
}

function isAlive(holder: LockHolder): boolean {
  const bootId = currentBootId();
  if (holder.bootId !== null && bootId !== null && holder.bootId !== bootId) return false;
  if (!processExists(holder.pid)) return false;
  const startTime = startTimeOf(holder.pid);
  return holder.startTime === null || startTime === undefined || startTime === holder.startTime;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function identityOf(pid: number): LockHolder {
  return { pid, startTime: startTimeOf(pid) ?? null, bootId: currentBootId() };
}

const isHandedToUs = (holder: LockHolder): boolean =>
  holder.handed === true && holder.pid === process.pid;

/**
 * Clock ticks from boot to the start of the process; null for a zombie, undefined without /proc.
 */
function startTimeOf(pid: number): string | null | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : fields[19];
  } catch {
    return undefined;
  }
}

let uptimeRead = { seconds: 0, atMs: Number.NEGATIVE_INFINITY };
const uptimeGoodMs = 10_000;

/** Asking the system means reading a file; for some seconds the clock gives the answer. */
export function currentBoot(): Boot {
  const now = Date.now();
  const since = now - uptimeRead.atMs;
  if (!(since >= 0 && since < uptimeGoodMs)) uptimeRead = { seconds: uptime(), atMs: now };
  return {
    id: currentBootId(),
    uptimeSeconds: Math.floor(uptimeRead.seconds + (now - uptimeRead.atMs) / 1_000),
  };
}

let bootId: string | null | undefined;

/** Null if the system does not tell (macOS). */
function currentBootId(): string | null {
  if (bootId !== undefined) return bootId;
  try {
    bootId = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    bootId = null;
  }
  return bootId;
}
