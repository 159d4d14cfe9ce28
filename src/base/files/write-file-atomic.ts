// A file appears whole or not at all, and stays after a power loss: temporary file, fsync, rename,
// fsync of the folder.
import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Replaces `path`; on failure the old content stands, nothing is left beside it, and the cause is
 * thrown.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, durable = true }: { mode?: number; durable?: boolean } = {},
): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const fd = openSync(temporary, "wx", mode);
    try {
      writeFileSync(fd, content);
      if (durable) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (durable) syncFolder(dirname(path));
}

/** Makes the names in a folder durable: what was created, renamed or removed there. */
function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made; the caller hears of the real cause.
  }
}
