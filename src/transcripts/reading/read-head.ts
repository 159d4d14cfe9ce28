// Reads the first bytes of a regular file. A symbolic link, a pipe, a folder or an unreadable file
// gives nothing and never blocks.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** At most `bytes` of its beginning, and the size of the whole file. */
export function readHead(path: string, bytes: number): { head: Buffer; size: number } | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const buffer = Buffer.allocUnsafe(Math.min(stat.size, bytes));
    return { head: buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, 0)), size: stat.size };
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
