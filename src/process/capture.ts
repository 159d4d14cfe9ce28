// Keeps a program's output within bounds: head and tail in memory, the full text up to a cap in a
// private file; the rest is counted and dropped.
import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";

export type CaptureOptions = {
  /** The most characters that are shown, half from the head and half from the tail. */
  characters: number;
  /**
   * The file for the full text once it no longer fits; it is created with mode 0600 and must not
   * exist. Without it nothing is written to disk.
   */
  spillPath?: string;
  spillBytes?: number;
  /** Opens the file at the first byte and not at the first overflow. */
  eager?: boolean;
  /** Stands between output and file, and may hold back text that it has to see more of. */
  filter?: (pass: (text: string) => void) => { write(chunk: Buffer): void; close(): void };
};

export type Captured = {
  text: string;
  /** All bytes that were printed, kept or not. */
  bytes: number;
  truncated: boolean;
  /** The hash of the bytes that were kept (all of them, up to the cap). */
  sha256: string;
  spillPath?: string;
  /** Why the full text is not in the file although it should be. */
  spillProblem?: string;
};

export type Capture = {
  write(chunk: Buffer): void;
  overflowing(): boolean;
  snapshot(): Captured;
  close(): Captured;
};

type Spill = {
  write(chunk: Buffer): void;
  close(): void;
  path: string | undefined;
  problem: string | undefined;
  full: boolean;
};

export function createCapture(options: CaptureOptions): Capture {
  const headBytes = options.characters * 4;
  const hashBytes =
    options.spillPath === undefined ? headBytes : Math.max(options.spillBytes ?? 0, headBytes);
  const spill = createSpill(options);
  const filter = options.filter?.((text) => spill.write(Buffer.from(text)));
  let isSpilling = false;
  const keep = (pieces: readonly Buffer[]): void => {
    if (!isSpilling) spill.write(Buffer.alloc(0));
    isSpilling = true;
    if (!spill.full) for (const piece of pieces) (filter ?? spill).write(piece);
  };
  const hash = createHash("sha256");
  const head: Buffer[] = [];
  const tail = createTail(options.characters * 2);
  let headSize = 0;
  let bytes = 0;

  const write = (chunk: Buffer): void => {
    if (chunk.length === 0) return;
    if (bytes < hashBytes) hash.update(chunk.subarray(0, hashBytes - bytes));
    bytes += chunk.length;
    const intoHead = Math.min(chunk.length, headBytes - headSize);
    if (intoHead > 0) {
      head.push(Buffer.from(chunk.subarray(0, intoHead)));
      headSize += intoHead;
    }
    tail.push(chunk);
    if (options.eager || isSpilling) keep([chunk]);
    else if (intoHead < chunk.length) keep([...head, chunk.subarray(intoHead)]);
  };
  const snapshot = (): Captured => {
    const shown = cut({
      head: Buffer.concat(head),
      tail: tail.bytes(),
      bytes,
      characters: options.characters,
    });
    const facts = { bytes, truncated: shown.truncated, sha256: hash.copy().digest("hex") };
    return {
      text: shown.text,
      ...facts,
      ...(spill.path === undefined ? {} : { spillPath: spill.path }),
      ...(spill.problem === undefined ? {} : { spillProblem: spill.problem }),
    };
  };
  const close = (): Captured => {
    if (!isSpilling && snapshot().truncated) keep(head);
    filter?.close();
    spill.close();
    return snapshot();
  };
  return { write, overflowing: () => spill.full, snapshot, close };
}

function createTail(size: number): { push(chunk: Buffer): void; bytes(): Buffer } {
  let pieces: Buffer[] = [];
  let held = 0;
  const bytes = (): Buffer => {
    const all = Buffer.concat(pieces);
    return all.subarray(Math.max(0, all.length - size));
  };
  const push = (chunk: Buffer): void => {
    // Copied, because a slice would keep the stream's whole buffer in memory; joined rarely,
    // because a program may print byte by byte.
    pieces.push(Buffer.from(chunk.subarray(Math.max(0, chunk.length - size))));
    held += pieces.at(-1)!.length;
    if (held <= 2 * size && pieces.length < 1_000) return;
    pieces = [Buffer.from(bytes())];
    held = pieces[0]!.length;
  };
  return { push, bytes };
}

function cut(kept: { head: Buffer; tail: Buffer; bytes: number; characters: number }): {
  text: string;
  truncated: boolean;
} {
  const head = kept.head.toString("utf8");
  if (kept.bytes === kept.head.length && head.length <= kept.characters)
    return { text: head, truncated: false };
  const half = Math.floor(kept.characters / 2);
  const shownHead = wholeLines(head.slice(0, half), "end");
  const shownTail = wholeLines(kept.tail.toString("utf8").slice(-half), "start");
  const dropped = Math.max(
    0,
    kept.bytes - Buffer.byteLength(shownHead) - Buffer.byteLength(shownTail),
  );
  return {
    text: `${shownHead}\n\n[... ${dropped} bytes left out ...]\n\n${shownTail}`,
    truncated: true,
  };
}

/** Cuts at a line break if one is near: half a line misleads a reader. */
function wholeLines(text: string, side: "start" | "end"): string {
  const at = side === "end" ? text.lastIndexOf("\n") : text.indexOf("\n");
  const near = side === "end" ? at > text.length - 400 : at >= 0 && at < 400;
  if (!near) return text;
  return side === "end" ? text.slice(0, at) : text.slice(at + 1);
}

function createSpill({ spillPath, spillBytes = 0 }: CaptureOptions): Spill {
  let file: number | undefined;
  let size = 0;
  const spill: Spill = { path: undefined, problem: undefined, full: false, write, close };
  function write(chunk: Buffer): void {
    if (spillPath === undefined || spill.full) return void (spill.full ||= spillPath === undefined);
    try {
      file ??= openSync(spillPath, "wx", 0o600);
      spill.path = spillPath;
      const piece = chunk.subarray(0, spillBytes - size);
      const written = writeSync(file, piece);
      size += written;
      if (written < piece.length) fail("the disk is full");
      else if (size >= spillBytes)
        finish("\n[retinue] the output went on; the rest was not kept\n");
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }
  function finish(line: string): void {
    if (file !== undefined) writeSync(file, line);
    spill.full = true;
  }
  function fail(problem: string): void {
    spill.problem = problem;
    spill.full = true;
  }
  function close(): void {
    if (file !== undefined) closeSync(file);
    file = undefined;
    spill.full = true;
  }
  return spill;
}
