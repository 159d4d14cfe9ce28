// Recognises and reads images and PDFs, by their first bytes and never by their name.
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

const signatures: readonly { type: string; at: number; bytes: string }[] = [
  { type: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { type: "image/gif", at: 0, bytes: "GIF8" },
  { type: "image/webp", at: 8, bytes: "WEBP" },
  { type: "application/pdf", at: 0, bytes: "%PDF-" },
];

export async function mediaType(handle: FileHandle): Promise<string | undefined> {
  const start = Buffer.alloc(16);
  const { bytesRead } = await handle.read(start, 0, start.length, 0);
  const text = start.subarray(0, bytesRead).toString("latin1");
  return signatures.find(({ at, bytes }) => text.startsWith(bytes, at))?.type;
}

/** Exactly the first `size` bytes, even if the file changes meanwhile. */
export async function readMedia(
  handle: FileHandle,
  size: number,
): Promise<{ data: string; sha256: string }> {
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await handle.read(bytes, at, size - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  const data = bytes.subarray(0, at);
  return { data: data.toString("base64"), sha256: createHash("sha256").update(data).digest("hex") };
}
