// One writer per transcript: a `.lock` file beside it names the process that holds it. The lock of
// a dead process is taken over, and only one of two contenders gets it. Works among processes of
// one machine that share their process ids.
import { randomUUID } from "node:crypto";
import { lstatSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { RetinueError, errorText } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import { holderPathOf, isLinkTo, linkHolder, type LockHolderFile } from "./lock-holder.ts";
import { fileMode } from "../paths.ts";
import { isAlive, processIdentity, type ProcessIdentity } from "./process-identity.ts";
import {
  registerRun,
  registeredRuns,
  sweepRegisters,
  type RegisteredRuns,
} from "./run-register.ts";
import { StorageFailure } from "../storage-failure.ts";

export type LockHolder = ProcessIdentity & {
  token?: string;
  /** Handed to that process, which has not taken it yet. */ handed?: true;
};

export type TranscriptLock = {
  readonly transcript: string;
  /** The transcript is not there yet: whoever creates it is its one writer. */
  readonly isNew?: true;
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
  const { isHanded, release } = tryLock(transcript);
  // Whoever hands a lock over is still on the register for a moment.
  const registered = isHanded ? undefined : registeredHolder(transcript);
  if (release && !registered) {
    sweepRegisters(dirname(transcript));
    return { transcript, release, handTo: (pid) => handOver(lockPathOf(transcript), pid, release) };
  }
  release?.();
  const holder = registered ?? lockHolder(transcript);
  throw beingWritten(transcript, holder?.pid);
}

/**
 * The lock of an agent that begins: a line in the register of this process. Where its transcript or
 * a lock is there already, or the disk refuses the line, it is `lockTranscript`.
 */
export function lockNewTranscript(transcript: string): TranscriptLock {
  const agentId = agentIn(transcript);
  const release = agentId === undefined ? undefined : registerRun(dirname(transcript), agentId);
  if (!release) return lockTranscript(transcript);
  // After the line: of two that begin at once, at least one sees the other.
  if (isThere(transcript) || isThere(lockPathOf(transcript))) {
    release();
    return lockTranscript(transcript);
  }
  return {
    transcript,
    isNew: true,
    release,
    handTo: (pid) => handOver(lockPathOf(transcript), pid, release),
  };
}

export function beingWritten(transcript: string, pid?: number): RetinueError {
  const who = pid === undefined ? "another process" : `process ${pid}`;
  return new RetinueError(
    "running",
    `The transcript ${transcript} is being written by ${who}. Wait until that run ends, or stop it first.`,
  );
}

const agentIn = (transcript: string): string | undefined =>
  /^agent-(a[0-9a-f]{16})\.jsonl$/.exec(basename(transcript))?.[1];

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** `registered`: the register of its folder, where it is read once for many. */
function registeredHolder(
  transcript: string,
  registered?: RegisteredRuns,
): ProcessIdentity | undefined {
  const agentId = agentIn(transcript);
  if (agentId === undefined) return undefined;
  return (registered ?? registeredRuns(dirname(transcript))).holderOf(agentId);
}

type TakenLock = { isHanded: boolean; release: (() => void) | undefined };

function tryLock(transcript: string): TakenLock {
  const path = lockPathOf(transcript);
  try {
    return { isHanded: isHandedToUs(holderIn(path)), release: takeLock(path, 0) };
  } catch (error) {
    throw new StorageFailure(transcript, `its lock cannot be taken (${errorText(error)})`, {
      cause: error,
    });
  }
}

/** The live process that holds a transcript's lock, or undefined. */
export function lockHolder(
  transcript: string,
  registered?: RegisteredRuns,
): LockHolder | undefined {
  const holder = holderIn(lockPathOf(transcript));
  return holder && isAlive(holder) ? holder : registeredHolder(transcript, registered);
}

/** A lock is a link to a regular file; anything else at its path is held by nobody. */
function holderIn(path: string): LockHolder | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const content = readText(path);
  return content === undefined ? undefined : parseHolder(content);
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
  ownIdentity ??= processIdentity(process.pid);
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
  replaceText(path, JSON.stringify({ ...processIdentity(pid), token: randomUUID(), handed: true }));
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

const isHandedToUs = (holder: LockHolder | undefined): boolean =>
  holder?.handed === true && holder.pid === process.pid;
