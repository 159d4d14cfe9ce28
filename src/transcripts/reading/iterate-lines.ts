// Reads every line of a transcript in file order, parsed, in bounded memory: for the evidence
// ledger, `logs -f` and audits.
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { readBlocks } from "../../base/data/jsonl.ts";
import { limits } from "../../base/limits.ts";
import { writeWaitingLines } from "../waiting-lines.ts";
import { parseLine } from "./parse-line.ts";

export type LineProblemCode = "malformed" | "oversize" | "torn";

/**
 * `end` is where the next line starts; a follower passes it as `from`. Each line has either `value`
 * or `problem`.
 */
export type IteratedLine = {
  number: number;
  start: number;
  end: number;
  value?: Record<string, unknown>;
  problem?: LineProblemCode;
};

const newline = 0x0a;

/** For plain text only. */
function startsAt(bytes: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++)
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

/**
 * Opens a regular file for reading; refuses a FIFO, a device or a symbolic link instead of waiting
 * for it.
 */
export async function openTranscriptFile(path: string): Promise<FileHandle> {
  writeWaitingLines();
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is no regular file`);
}

/**
 * Yields every line that is not empty. The last line may be `torn`: unfinished or still being
 * written. Throws only if the file cannot be read.
 */
export async function* iterateLines(
  path: string,
  {
    from = 0,
    maxLineBytes = limits.transcript.loadLineBytes,
    passOver,
  }: {
    from?: number;
    maxLineBytes?: number;
    /** How lines begin that nobody needs: reading them is most of the work. */
    passOver?: string;
  } = {},
): AsyncGenerator<IteratedLine> {
  const file = await openTranscriptFile(path);
  try {
    let number = 0;
    for await (const block of readBlocks(file, { from, maxLineBytes })) {
      if (block.kind === "oversize") {
        yield {
          number: ++number,
          start: block.start,
          end: block.end,
          problem: block.complete ? "oversize" : "torn",
        };
        continue;
      }
      for (let at = 0; at < block.bytes.length;) {
        const found = block.bytes.indexOf(newline, at);
        const end = found < 0 ? block.bytes.length : found + 1;
        number++;
        const begin = at;
        at = end;
        if (passOver !== undefined && startsAt(block.bytes, begin, passOver)) continue;
        const text = block.bytes.toString("utf8", begin, end);
        const line = { number, start: block.start + begin, end: block.start + end };
        if (text.trim() === "") continue;
        const value = parseLine(text);
        yield value ? { ...line, value } : { ...line, problem: found < 0 ? "torn" : "malformed" };
      }
    }
  } finally {
    await file.close();
  }
}
