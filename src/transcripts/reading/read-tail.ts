// Reads the last lines of a transcript without the rest, and repairs a last line that a crash left
// unfinished.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { limits } from "../../base/limits.ts";
import { parseLine } from "./parse-line.ts";
import type { TranscriptLock } from "../lock/lock.ts";
import { fileMode } from "../paths.ts";

const newline = 0x0a;
const chunkBytes = 64 * 1024;

/**
 * The parsed lines within the last `bytes` of a file, oldest first; unreadable lines are left out.
 * A missing file has none.
 */
export function readTail(
  path: string,
  bytes: number = 2 * limits.transcript.lineBytes,
): Record<string, unknown>[] {
  const lines = withFile(path, constants.O_RDONLY, (fd, size) => {
    const start = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(size - start);
    const read = readSync(fd, buffer, 0, buffer.length, start);
    const from = start === 0 ? 0 : buffer.indexOf(newline) + 1;
    return buffer
      .toString("utf8", from, read)
      .split("\n")
      .map(parseLine)
      .filter((line) => line !== undefined);
  });
  return lines ?? [];
}

export type TornTail = { start: number; bytes: number; setAside: string };

/**
 * Makes the file end with a complete line. An unfinished last line is appended to `<file>.torn` and
 * cut off; a line that lacks only its newline gets it. Only for the holder of the lock. Returns
 * what was cut off.
 */
export function repairTail({ transcript }: TranscriptLock): TornTail | undefined {
  return withFile(transcript, constants.O_RDWR, (fd, size) => {
    const start = lastLineStart(fd, size);
    if (start === size) return undefined;
    if (
      size - start <= limits.transcript.loadLineBytes &&
      parseLine(readRange(fd, start, size).toString("utf8"))
    ) {
      writeAll(fd, Buffer.from("\n"), size);
      return undefined;
    }
    const setAside = `${transcript}.torn`;
    copyAside(fd, { start, size, setAside });
    ftruncateSync(fd, start);
    fsyncSync(fd);
    return { start, bytes: size - start, setAside };
  });
}

function withFile<T>(
  path: string,
  flags: number,
  use: (fd: number, size: number) => T,
): T | undefined {
  let fd: number;
  try {
    fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() ? use(fd, stat.size) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** The offset after the last newline. */
function lastLineStart(fd: number, size: number): number {
  for (let end = size; end > 0; end -= chunkBytes) {
    const start = Math.max(0, end - chunkBytes);
    const found = readRange(fd, start, end).lastIndexOf(newline);
    if (found >= 0) return start + found + 1;
  }
  return 0;
}

function copyAside(
  fd: number,
  { start, size, setAside }: { start: number; size: number; setAside: string },
): void {
  const aside = openSync(
    setAside,
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
    fileMode,
  );
  try {
    for (let at = start; at < size; at += chunkBytes)
      writeAll(aside, readRange(fd, at, Math.min(size, at + chunkBytes)), null);
    writeAll(aside, Buffer.from("\n"), null);
    fsyncSync(aside);
  } finally {
    closeSync(aside);
  }
}

function readRange(fd: number, start: number, end: number): Buffer {
  const buffer = Buffer.alloc(end - start);
  return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, start));
}

function writeAll(fd: number, bytes: Buffer, position: number | null): void {
  if (writeSync(fd, bytes, 0, bytes.length, position) !== bytes.length)
    throw new Error("the disk took only a part of the write (is it full?)");
}
