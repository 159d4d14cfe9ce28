// Changes a small shared file so that no writer's change is lost: takes a lock beside it, reads it
// again, and replaces it atomically.
import { limits } from "../limits.ts";
import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { RetinueError } from "../errors.ts";
import { makePrivateDir } from "./make-private-dir.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

const staleMs = limits.lock.staleMs;
const patienceMs = limits.lock.patienceMs;

/**
 * `change` gets the present text, or undefined if there is no file. The folder is created with mode
 * 0700, the file with 0600.
 */
export function updateFile(path: string, change: (text: string | undefined) => string): void {
  makePrivateDir(dirname(path));
  const lock = `${path}.lock`;
  acquire(lock);
  try {
    writeFileAtomic(path, change(textOf(path)), { mode: 0o600 });
  } finally {
    removeQuietly(lock);
  }
}

function acquire(lock: string): void {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      const handle = openSync(lock, "wx", 0o600);
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (isStale(lock)) removeQuietly(lock);
    else if (performance.now() > deadline)
      throw new RetinueError(
        "storage",
        `another process holds ${lock}; remove it if none is running`,
      );
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

/** A lock is held for milliseconds; an old one was left by a process that died. */
function isStale(lock: string): boolean {
  const facts = statSync(lock, { throwIfNoEntry: false });
  return facts !== undefined && Date.now() - facts.mtimeMs > staleMs;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process removed it first.
  }
}
