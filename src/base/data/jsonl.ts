// Writes a value as one JSON line that every reader can parse, and reads a file of any size in
// blocks of whole lines.
import type { FileHandle } from "node:fs/promises";

const newline = 0x0a;
const blockBytes = 1024 * 1024;

/**
 * JSON that is valid UTF-8 for every string. JSON.stringify writes a lone surrogate as an escape
 * that strict parsers refuse; here it becomes U+FFFD. Control characters are escaped already.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes("\\ud")
    ? text.replace(/\\(ud[89a-f][0-9a-f]{2}|.)/g, (escape, rest: string) =>
        rest.length > 1 ? "\\ufffd" : escape,
      )
    : text;
}

export const toJsonLine = (value: unknown): string => `${toJson(value)}\n`;

/**
 * Whole lines. `bytes` ends with a newline, except in the last block of a file without a final
 * newline. The block is valid until the next one is read.
 */
export type LineBlock = { kind: "lines"; start: number; bytes: Buffer };
/** A line longer than the cap; it was skipped and never held in memory. */
export type OversizeLine = { kind: "oversize"; start: number; end: number; complete: boolean };

/**
 * Reads `file` from byte `from` on in blocks of whole lines. Uses at most twice `maxLineBytes` of
 * memory.
 */
export async function* readBlocks(
  file: FileHandle,
  { from = 0, maxLineBytes }: { from?: number; maxLineBytes: number },
): AsyncGenerator<LineBlock | OversizeLine> {
  let buffer = Buffer.allocUnsafe(Math.min(blockBytes, maxLineBytes + 1));
  let start = from;
  let filled = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, start + filled);
    const scanned = filled;
    filled += bytesRead;
    if (bytesRead === 0) {
      if (filled > 0) yield { kind: "lines", start, bytes: buffer.subarray(0, filled) };
      return;
    }
    const last = buffer.subarray(scanned, filled).lastIndexOf(newline);
    if (last >= 0) {
      const whole = scanned + last + 1;
      yield { kind: "lines", start, bytes: buffer.subarray(0, whole) };
      buffer.copyWithin(0, whole, filled);
      start += whole;
      filled -= whole;
    } else if (filled === buffer.length && filled > maxLineBytes) {
      const skipped = await skipLine(file, { buffer, from: start + filled });
      yield { kind: "oversize", start, ...skipped };
      start = skipped.end;
      filled = 0;
    } else if (filled === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2, maxLineBytes + 1));
      buffer.copy(larger, 0, 0, filled);
      buffer = larger;
    }
  }
}

async function skipLine(
  file: FileHandle,
  { buffer, from }: { buffer: Buffer; from: number },
): Promise<{ end: number; complete: boolean }> {
  let at = from;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return { end: at, complete: false };
    const found = buffer.subarray(0, bytesRead).indexOf(newline);
    if (found >= 0) return { end: at + found + 1, complete: true };
    at += bytesRead;
  }
}
