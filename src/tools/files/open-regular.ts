// Opens regular files only: no link is followed, no FIFO is waited for, and the open file is the
// one that the path meant.
import { constants, readlinkSync, realpathSync, type BigIntStats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import type { PathKind } from "../../base/files/path-facts.ts";

export type Opened =
  | { ok: true; handle: FileHandle; stats: BigIntStats }
  | { ok: false; problem: string };

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** `real` is a path without links; the caller closes the handle. */
export async function openRegular(real: string, shown: string): Promise<Opened> {
  let handle: FileHandle;
  try {
    handle = await open(real, flags);
  } catch (error) {
    return { ok: false, problem: openProblem(error as NodeJS.ErrnoException, shown) };
  }
  try {
    const stats = await handle.stat({ bigint: true });
    const problem = stats.isFile() ? undefined : kindProblem(stats, shown);
    if (problem === undefined && pathOfHandle(handle, real) === real)
      return { ok: true, handle, stats };
    await handle.close();
    return {
      ok: false,
      problem:
        problem ??
        `${shown} was moved or replaced by a link while it was being opened; nothing was read. Try again.`,
    };
  } catch (error) {
    await handle.close();
    return { ok: false, problem: openProblem(error as NodeJS.ErrnoException, shown) };
  }
}

/** Where an open file really is: the kernel's answer, or the path resolved once more. */
export function pathOfHandle(handle: FileHandle, path: string): string | undefined {
  try {
    return process.platform === "linux"
      ? readlinkSync(`/proc/self/fd/${handle.fd}`)
      : realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The sentence for a path that exists and is no regular file. */
export function notAFile(kind: PathKind, shown: string): string {
  if (kind === "directory")
    return `${shown} is a directory, not a file. Use Glob to list what is in it.`;
  if (kind === "fifo")
    return `${shown} is a FIFO (named pipe), not a regular file; reading it could wait forever.`;
  if (kind === "socket") return `${shown} is a socket, not a regular file.`;
  return `${shown} is a device, not a regular file.`;
}

function kindProblem(stats: BigIntStats, shown: string): string {
  if (stats.isDirectory()) return notAFile("directory", shown);
  if (stats.isFIFO()) return notAFile("fifo", shown);
  return notAFile(stats.isSocket() ? "socket" : "device", shown);
}

function openProblem(error: NodeJS.ErrnoException, shown: string): string {
  switch (error.code) {
    case "ENOENT":
      return `${shown} does not exist.`;
    case "EACCES":
    case "EPERM":
      return `${shown} cannot be read: permission denied.`;
    case "ELOOP":
      return `${shown} was replaced by a symbolic link while it was being opened; nothing was read. Try again.`;
    case "ENXIO":
      return notAFile("socket", shown);
    case "ENOTDIR":
      return `${shown} does not exist: a part of its path is a file.`;
    case "ENAMETOOLONG":
      return "The path is too long for this file system.";
    default:
      return `${shown} cannot be opened: ${error.message}`;
  }
}
