// Sends the new lines of a local transcript to a store, one chunk at a time. The file itself is the
// queue: what the store has not taken yet waits on the disk, and memory holds one chunk, however
// long the store is down.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { open, readFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { spillDirOf } from "../../transcripts/paths.ts";
import { spilledIn } from "./fetch-transcript.ts";
import type { ObjectStore } from "./object-store.ts";
import {
  attemptFolder,
  chunkName,
  spillFolder,
  type AttemptClaim,
  type StoredAgent,
} from "./stored-transcript.ts";

export type UploadOptions = {
  store: ObjectStore;
  agent: StoredAgent;
  claim: AttemptClaim;
  path: string;
  /** Told once when the store begins to refuse, and once when it takes lines again. */
  onTrouble: (message: string) => void;
};

/** Lines up to `last` end at byte `end` of the file. */
type Mark = { last: number; end: number };

export class ChunkUpload {
  readonly #options: UploadOptions;
  readonly #folder: string;
  readonly #spilled = new Set<string>();
  /** What is to be sent, a chunk each; the last one grows while it waits. */
  readonly #marks: Mark[] = [];
  #sent: Mark;
  #isSending = false;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isInTrouble = false;
  #waiters: (() => void)[] = [];

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#folder = attemptFolder(options.agent, options.claim);
    this.#sent = { last: options.claim.from - 1, end: sizeOf(options.path) };
  }

  /**
   * All lines up to this one are in the file, and no other. They leave a moment later, with what
   * comes until then, without being waited for.
   */
  mark(last: number): void {
    const end = sizeOf(this.#options.path);
    if (last <= (this.#marks.at(-1) ?? this.#sent).last) return;
    const open = this.#marks.at(-1);
    const begin = (this.#marks.at(-2) ?? this.#sent).end;
    // The first one may be on its way.
    const mayGrow = this.#marks.length > (this.#isSending ? 1 : 0);
    if (open && mayGrow && end - begin <= limits.store.chunkBytes)
      Object.assign(open, { last, end });
    else this.#marks.push({ last, end });
    if (!this.#isSending && !this.#isOver)
      this.#timer ??= setTimeout(() => void this.#sendAll(), limits.store.gatherMs);
  }

  /** Resolves when the store has everything that was marked, however long that takes. */
  async settle(): Promise<void> {
    if (this.#timer) void this.#sendAll();
    while (this.#marks.length > 0 && !this.#isOver)
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Another attempt goes on: nothing more is sent, and nobody waits. */
  abandon(): void {
    this.#isOver = true;
    this.#forgetTimer();
    this.#wake();
  }

  #forgetTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #sendAll(): Promise<void> {
    this.#forgetTimer();
    this.#isSending = true;
    for (let mark = this.#marks[0]; mark && !this.#isOver; mark = this.#marks[0]) {
      const target = { ...mark };
      const isSent = await untilDone(
        () => this.#send(target),
        (error) => this.#tell(error),
        () => this.#isOver,
      );
      if (!isSent) break;
      this.#tell(undefined);
      this.#sent = target;
      this.#marks.shift();
    }
    this.#isSending = false;
    this.#wake();
  }

  async #send({ last, end }: Mark): Promise<void> {
    const { store, agent, path } = this.#options;
    const bytes = await readPart(path, this.#sent.end, end);
    for (const name of spilledIn(bytes.toString("utf8"))) {
      if (this.#spilled.has(name)) continue;
      await store.put(
        spillFolder(agent.sessionId) + name,
        await readFile(join(spillDirOf(path), name)),
      );
      this.#spilled.add(name);
    }
    const hash = createHash("sha256").update(bytes).digest("hex");
    const name = chunkName({ first: this.#sent.last + 1, last, bytes: bytes.length, hash });
    await store.put(this.#folder + name, bytes);
  }

  #tell(error: unknown): void {
    const { store, onTrouble } = this.#options;
    if ((error !== undefined) === this.#isInTrouble) return;
    this.#isInTrouble = error !== undefined;
    onTrouble(
      error === undefined
        ? `the store ${store.name} takes lines again`
        : `the store takes no lines, which wait on this machine: ${errorText(error)}`,
    );
  }

  #wake(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

/** Tries until it is done; false where it is no longer wanted. */
export async function untilDone(
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
  isOver: () => boolean,
): Promise<boolean> {
  for (let tries = 1; !isOver(); tries += 1) {
    try {
      await work();
      return true;
    } catch (error) {
      // The files of a run that goes on elsewhere are gone.
      if (isOver()) break;
      onFailure(error);
      const { firstBackoffMs, maxBackoffMs } = limits.store;
      await sleep(Math.min(maxBackoffMs, firstBackoffMs * 2 ** tries) * (0.5 + Math.random() / 2));
    }
  }
  return false;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

async function readPart(path: string, from: number, to: number): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const bytes = Buffer.allocUnsafe(to - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    if (bytesRead !== bytes.length) throw new Error(`${path} is shorter than what was written`);
    return bytes;
  } finally {
    await file?.close();
  }
}
