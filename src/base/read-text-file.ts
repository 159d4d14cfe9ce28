// Reads a small text file that somebody else wrote: regular files only, bounded, never waiting on a FIFO, any encoding mark understood.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorText } from "./errors.ts";

export type TextFile = { ok: true; text: string } | { ok: false; reason: string };

/** At most `maxBytes`; more is a reason, not a cut. */
export function readTextFile(path: string, maxBytes: number): TextFile {
  let handle: number | undefined;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const facts = fstatSync(handle);
    if (!facts.isFile()) return { ok: false, reason: "it is not a regular file" };
    if (facts.size > maxBytes) return { ok: false, reason: `it has ${facts.size} bytes; at most ${maxBytes} are read` };
    return decode(readUpTo(handle, Math.min(maxBytes, facts.size + 1)));
  } catch (error) {
    return { ok: false, reason: errorText(error) };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function readUpTo(handle: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  let length = 0;
  while (length < bytes) {
    const read = readSync(handle, buffer, length, bytes - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

function decode(bytes: Buffer): TextFile {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { ok: true, text: new TextDecoder("utf-16le").decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { ok: true, text: new TextDecoder("utf-16be").decode(bytes) };
  return bytes.includes(0) ? { ok: false, reason: "it is binary" } : { ok: true, text: bytes.toString("utf8") };
}
