// Reads a small text file that somebody else wrote. Only regular files of bounded size are read, a
// FIFO never blocks, and every byte order mark is understood.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorText } from "../errors.ts";

export type TextFile =
  | { ok: true; text: string; truncated: boolean }
  | { ok: false; reason: string; absent?: true };

export type ReadTextOptions = {
  /**
   * With it, only the beginning of a longer file is read; without it, a file over `maxBytes` is
   * refused.
   */
  cut?: boolean;
  /** The last part of the path must not be a link. */
  noLink?: boolean;
};

export function readTextFile(
  path: string,
  maxBytes: number,
  { cut = false, noLink = false }: ReadTextOptions = {},
): TextFile {
  let handle: number | undefined;
  try {
    handle = openSync(
      path,
      constants.O_RDONLY |
        constants.O_NONBLOCK |
        constants.O_NOCTTY |
        (noLink ? constants.O_NOFOLLOW : 0),
    );
    const facts = fstatSync(handle);
    if (!facts.isFile()) return { ok: false, reason: "it is not a regular file" };
    if (facts.size > maxBytes && !cut)
      return { ok: false, reason: `it has ${facts.size} bytes; at most ${maxBytes} are read` };
    return decode(readUpTo(handle, Math.min(maxBytes, facts.size + 1)), facts.size > maxBytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP") return { ok: false, reason: "it is a symbolic link" };
    return {
      ok: false,
      reason: errorText(error),
      ...(code === "ENOENT" || code === "ENOTDIR" ? { absent: true } : {}),
    };
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

function decode(bytes: Buffer, truncated: boolean): TextFile {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { ok: true, text: new TextDecoder("utf-16le").decode(bytes), truncated };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { ok: true, text: new TextDecoder("utf-16be").decode(bytes), truncated };
  if (bytes.includes(0)) return { ok: false, reason: "it is binary" };
  const text = bytes.toString("utf8");
  // A character cut in half at the end decodes to replacement signs.
  return { ok: true, text: truncated ? text.replace(/\uFFFD+$/, "") : text, truncated };
}
