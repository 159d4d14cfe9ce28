// Writes a file completely or not at all, so that it survives a power loss: temporary file, fsync,
// rename, fsync of the folder.
import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Replaces `path`. On failure the old content stays, no temporary file is left, and the cause is
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

/** Makes new, renamed and removed names of the folder durable. */
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
    // The file was never created; the caller gets the real cause.
  }
}
