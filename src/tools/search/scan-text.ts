// Reads a text file once, in chunks: hash, line count and the wanted lines, in bounded memory.
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { limits } from "../../base/limits.ts";

export type LineRange = { offset: number; limit: number };

export type ScannedText = {
  sha256: string;
  bytes: number;
  totalLines: number;
  /** The wanted lines, long ones cut; the first has the number `window.offset`. */
  lines: string[];
  cutLines: number;
  invalidUtf8: boolean;
  /** Set if the file is not text; then there are no lines. */
  binary?: "utf16" | "binary";
};

const chunkBytes = 256 * 1024;
/** Most files are small, and every buffer brings the next garbage collection nearer. */
const firstChunkBytes = 16 * 1024;
const sniffBytes = 8_192;

export async function scanText(
  handle: FileHandle,
  window: LineRange,
  signal: AbortSignal,
): Promise<ScannedText> {
  const hash = createHash("sha256");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const collector = createCollector(window);
  let chunk = Buffer.allocUnsafe(firstChunkBytes);
  const scanned = { bytes: 0, invalidUtf8: false };
  let binary: ScannedText["binary"];
  const check = (data?: Buffer): void => {
    if (scanned.invalidUtf8) return;
    try {
      decoder.decode(data ?? new Uint8Array(), { stream: data !== undefined });
    } catch {
      scanned.invalidUtf8 = true;
    }
  };
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, scanned.bytes);
    if (bytesRead === 0) break;
    const data = chunk.subarray(0, bytesRead);
    if (bytesRead === firstChunkBytes && chunk.length < chunkBytes)
      chunk = Buffer.allocUnsafe(chunkBytes);
    if (scanned.bytes === 0) binary = binaryKind(data.subarray(0, sniffBytes));
    scanned.bytes += bytesRead;
    // The file may grow while it is read; the bounds of memory and time still hold.
    if (scanned.bytes > limits.read.fileBytes) break;
    hash.update(data);
    if (binary) continue;
    check(data);
    collector.push(data);
  }
  check();
  return {
    ...scanned,
    ...collector.end(),
    sha256: hash.digest("hex"),
    ...(binary ? { binary } : {}),
  };
}

/** Text, for every tool here, has no NUL in its first bytes. */
export function binaryKind(start: Buffer): "utf16" | "binary" | undefined {
  if (
    start.length >= 2 &&
    ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff))
  )
    return "utf16";
  return start.subarray(0, sniffBytes).includes(0) ? "binary" : undefined;
}

function createCollector({ offset, limit }: LineRange) {
  const maxLineBytes = limits.read.lineCharacters * 4 + 4;
  const lines: string[] = [];
  let cutLines = 0;
  let characters = 0;
  let number = 1;
  let pieces: Buffer[] = [];
  let lineBytes = 0;
  const wanted = (): boolean =>
    number >= offset && lines.length < limit && characters < limits.read.characters;

  const add = (piece: Buffer): void => {
    const room = wanted() ? maxLineBytes - Math.min(lineBytes, maxLineBytes) : 0;
    if (room > 0) pieces.push(Buffer.from(piece.subarray(0, room)));
    lineBytes += piece.length;
  };
  const endLine = (): void => {
    if (wanted()) {
      const { text, cut } = lineText(Buffer.concat(pieces), number === 1);
      lines.push(text);
      characters += text.length;
      if (cut || lineBytes > maxLineBytes) cutLines += 1;
    }
    number += 1;
    pieces = [];
    lineBytes = 0;
  };
  const push = (data: Buffer): void => {
    let from = 0;
    for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, from)) {
      add(data.subarray(from, at));
      endLine();
      from = at + 1;
    }
    add(data.subarray(from));
  };
  const end = () => {
    if (lineBytes > 0) endLine();
    return { lines, cutLines, totalLines: number - 1 };
  };
  return { push, end };
}

function lineText(bytes: Buffer, first: boolean): { text: string; cut: boolean } {
  let text = bytes.toString("utf8");
  if (first && text.startsWith("\uFEFF")) text = text.slice(1);
  if (text.endsWith("\r")) text = text.slice(0, -1);
  if (text.length <= limits.read.lineCharacters) return { text, cut: false };
  return { text: `${text.slice(0, limits.read.lineCharacters)}… (line cut)`, cut: true };
}

/** Lines as `cat -n` prints them. */
export function numbered(lines: readonly string[], from: number): string {
  return lines.map((line, index) => `${String(from + index).padStart(6)}\t${line}`).join("\n");
}
