// A file that identifies this process, one in each folder where it takes locks; every lock is a
// hard link to it. So a lock needs no new file, which is slow after many removals. The file is
// removed when it is idle and when the process ends.
import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { fileMode } from "../paths.ts";

export type LockHolderFile = {
  folder: string;
  path: string;
  inode: bigint;
  device: bigint;
  /** Links that are locks now. */ locks: number;
  /** Whether it was used since the last check. */ isUsed: boolean;
};

const idleMs = 1_000;
const holders = new Map<string, LockHolderFile>();
let isWatchingExit = false;

/**
 * The file of the process with this token; a process that takes over a dead process's lock removes
 * it too.
 */
export const holderPathOf = (folder: string, token: string): string =>
  join(folder, `.${token}.holder`);

export const isHolderName = (name: string): boolean => /^\.[0-9a-f-]{36}\.holder$/.test(name);

/**
 * Makes `path` a link to this process's file in `folder`, which is created if missing. False if
 * `path` exists already.
 */
export function linkHolder(folder: string, path: string, identity: object): LockHolderFile | false {
  for (let attempt = 0; ; attempt++) {
    const holder = holders.get(folder) ?? makeHolder(folder, identity);
    try {
      linkSync(holder.path, path);
      holder.locks += 1;
      holder.isUsed = true;
      return holder;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      // Another process removed it, or it has as many links as the disk allows.
      if (attempt > 0 || (code !== "ENOENT" && code !== "EMLINK")) throw error;
      if (holders.get(folder) === holder) holders.delete(folder);
    }
  }
}

/** Whether `path` is a link to that file now. */
export function isLinkTo(path: string, { inode, device }: LockHolderFile): boolean {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat !== undefined && stat.ino === inode && stat.dev === device;
}

function makeHolder(folder: string, identity: object): LockHolderFile {
  makePrivateDir(folder);
  const token = randomUUID();
  const path = holderPathOf(folder, token);
  writeFileSync(path, JSON.stringify({ ...identity, token }), { flag: "wx", mode: fileMode });
  const { ino, dev } = lstatSync(path, { bigint: true });
  const holder: LockHolderFile = { folder, path, inode: ino, device: dev, locks: 0, isUsed: true };
  holders.set(folder, holder);
  removeWhenIdle(holder);
  if (!isWatchingExit) process.once("exit", removeAll);
  isWatchingExit = true;
  return holder;
}

function removeWhenIdle(holder: LockHolderFile): void {
  const timer = setInterval(() => {
    const isIdle = holder.locks === 0 && !holder.isUsed;
    holder.isUsed = false;
    if (!isIdle && holders.get(holder.folder) === holder) return;
    clearInterval(timer);
    remove(holder);
  }, idleMs);
  timer.unref();
}

function removeAll(): void {
  for (const holder of holders.values()) remove(holder);
}

function remove(holder: LockHolderFile): void {
  if (holders.get(holder.folder) === holder) holders.delete(holder.folder);
  try {
    unlinkSync(holder.path);
  } catch {
    // It was removed together with its folder.
  }
}
