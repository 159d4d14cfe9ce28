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
import { writeWaitingLines } from "../waiting-lines.ts";

const newline = 0x0a;
const chunkBytes = 64 * 1024;
/** Read at once where a file ends with zeros. */
const zeroBytes = 4 * 1024 * 1024;
const shortTail = 16 * 1024;

/**
 * The parsed lines within the last `bytes` of a file, oldest first; unreadable lines are left out.
 * A missing file has none. With `words` only lines that contain one of them: parsing is most of the
 * work.
 */
export function readTail(
  path: string,
  bytes: number = 2 * limits.transcript.lineBytes,
  words?: readonly string[],
): Record<string, unknown>[] {
  writeWaitingLines();
  const lines = withFile(path, constants.O_RDONLY, (fd, whole) => {
    const size = contentEnd(fd, whole);
    const start = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(size - start);
    const read = readSync(fd, buffer, 0, buffer.length, start);
    const tail = buffer.subarray(start === 0 ? 0 : buffer.indexOf(newline) + 1, read);
    return (words ? linesWith(tail, words) : tail.toString("utf8").split("\n"))
      .map(parseLine)
      .filter((line) => line !== undefined);
  });
  return lines ?? [];
}

/** In file order. */
function linesWith(tail: Buffer, words: readonly string[]): string[] {
  const found = new Map<number, string>();
  for (const word of words)
    for (let at = tail.indexOf(word); at >= 0;) {
      const start = tail.lastIndexOf(newline, at) + 1;
      const end = tail.indexOf(newline, at);
      found.set(start, tail.toString("utf8", start, end < 0 ? tail.length : end));
      at = end < 0 ? -1 : tail.indexOf(word, end);
    }
  return [...found].sort(([a], [b]) => a - b).map(([, line]) => line);
}

/**
 * The newest of the wanted lines, which contain one of the words; a short tail is read first,
 * because it is mostly there.
 */
export function readLast(
  path: string,
  words: readonly string[],
  isWanted: (line: Record<string, unknown>) => boolean,
): Record<string, unknown> | undefined {
  for (const bytes of [shortTail, undefined]) {
    const found = readTail(path, bytes, words).findLast(isWanted);
    if (found) return found;
  }
  return undefined;
}

/** Where the content ends: a power loss can leave any length of zeros behind it. */
function contentEnd(fd: number, size: number): number {
  let bytes = Buffer.alloc(Math.min(size, chunkBytes));
  let zeros: Buffer | undefined;
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - bytes.length);
    const read = bytes.subarray(0, readSync(fd, bytes, 0, end - start, start));
    if (!zeros?.subarray(0, read.length).equals(read))
      for (let at = read.length; at > 0; at--) if (read[at - 1] !== 0) return start + at;
    end = start;
    if (!zeros) [bytes, zeros] = [Buffer.alloc(zeroBytes), Buffer.alloc(zeroBytes)];
  }
  return 0;
}

export type TornTail = { start: number; bytes: number; setAside: string };

/**
 * Makes the file end with a complete line. An unfinished last line is appended to `<file>.torn` and
 * cut off; a line that lacks only its newline gets it. Only for the holder of the lock. Returns
 * what was cut off.
 */
export function repairTail({ transcript }: TranscriptLock): TornTail | undefined {
  return withFile(transcript, constants.O_RDWR, (fd, whole) => {
    const size = contentEnd(fd, whole);
    if (size < whole) ftruncateSync(fd, size);
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
