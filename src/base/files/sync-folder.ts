// Makes new, renamed and removed names of a folder durable without blocking the process.
import { closeSync, fsync, openSync, statSync } from "node:fs";

type Sync = {
  running: Promise<void>;
  /** Starts when the running sync ends, for all callers that came in the meantime. */ next?: Promise<void>;
};

const syncs = new Map<string, Sync>();

/**
 * Resolves when everything done before the call is durable. Simultaneous callers share one sync
 * that starts after all of them.
 */
export function syncFolder(path: string): Promise<void> {
  const sync = syncs.get(path);
  if (!sync) return begin(path);
  const again = (): Promise<void> => begin(path);
  return (sync.next ??= sync.running.then(again, again));
}

function begin(path: string): Promise<void> {
  const sync: Sync = { running: syncNow(path) };
  syncs.set(path, sync);
  const end = (): void => {
    if (!sync.next) syncs.delete(path);
  };
  sync.running.then(end, end);
  return sync.running;
}

type OpenFolder = {
  fd: number;
  inode: bigint;
  device: bigint;
  /** Syncs that run. */ users: number;
  /** Whether it was used since the last check. */ isUsed: boolean;
  /** The last of its users closes it. */ isOver: boolean;
};

/** Folders that were synced a short while ago stay open: opening one costs more than a sync. */
const folders = new Map<string, OpenFolder>();
const mostFolders = 16;
const idleMs = 1_000;

function syncNow(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const folder = openFolder(path);
    folder.users += 1;
    fsync(folder.fd, (error) => {
      folder.users -= 1;
      if (folder.isOver && folder.users === 0) closeSync(folder.fd);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Throws if the folder is gone; opens anew where another one stands in its place now. */
function openFolder(path: string): OpenFolder {
  const { ino, dev } = statSync(path, { bigint: true });
  const known = folders.get(path);
  if (known?.inode === ino && known.device === dev) {
    known.isUsed = true;
    return known;
  }
  if (known) leave(path, known);
  if (folders.size >= mostFolders) for (const [other, folder] of folders) leave(other, folder);
  const folder: OpenFolder = {
    fd: openSync(path, "r"),
    inode: ino,
    device: dev,
    users: 0,
    isUsed: true,
    isOver: false,
  };
  folders.set(path, folder);
  leaveWhenIdle(path, folder);
  return folder;
}

function leaveWhenIdle(path: string, folder: OpenFolder): void {
  const timer = setInterval(() => {
    if (!folder.isUsed && folder.users === 0 && !folder.isOver) leave(path, folder);
    if (folder.isOver) clearInterval(timer);
    folder.isUsed = false;
  }, idleMs);
  timer.unref();
}

function leave(path: string, folder: OpenFolder): void {
  folders.delete(path);
  folder.isOver = true;
  if (folder.users === 0) closeSync(folder.fd);
}
