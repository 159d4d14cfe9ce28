// The one writer of a transcript: every fact is one line in one write(2) whose length is checked, and it is on its way to disk when
// append returns. After the first failure the file ends with its last good line and the writer refuses everything; of the run's end it still tries to leave a word.
import * as nodeFs from "node:fs";
import { dirname } from "node:path";
import { errorText } from "../base/errors.ts";
import { toJson, toJsonLine } from "../base/jsonl.ts";
import { limits } from "../base/limits.ts";
import { syncFolder } from "../base/sync-folder.ts";
import type { RecordedFact } from "../events/event.ts";
import { factLine, headerLine, isoTime, lineEnd, type Envelope } from "./fact-line.ts";
import { currentBoot, lockTranscript, type TranscriptLock } from "./lock.ts";
import { fileMode, spillDirOf } from "./paths.ts";
import { readTail, repairTail } from "./read-tail.ts";
import { spillLine } from "./spill.ts";
import { StorageFailure } from "./storage-failure.ts";

/** The calls that reach the disk, replaceable so that tests can make each of them fail. */
export type TranscriptFs = {
  openSync(path: string, flags: number, mode: number): number;
  closeSync(fd: number): void;
  writeSync(fd: number, text: string): number;
  fsyncSync(fd: number): void;
  fsync(fd: number, done: (error: Error | null) => void): void;
  ftruncateSync(fd: number, length: number): void;
  fstatSync(fd: number): { size: number; nlink: number; isFile(): boolean };
};

export type TranscriptOptions = {
  path: string;
  sessionId: string;
  agentId: string;
  isMain: boolean;
  cwd: string;
  version: string;
  gitBranch?: string;
  /** `turn`: after every message too; `end`: at the start, at compaction and at the end of a run; `never`: left to the kernel. */
  fsync: "turn" | "end" | "never";
  now: () => number;
  newUuid: () => string;
  /** Held already by a caller that loaded the transcript first; close() releases it all the same. */
  lock?: TranscriptLock;
  fs?: TranscriptFs;
};

/** Between looks at the file; lines follow each other faster than that only where no model is waited for. */
const lookEveryMs = 1_000;

/** Opens or continues a transcript and holds its lock until close() or finish(). Throws RetinueError `running`, or StorageFailure. */
export function openTranscript(options: TranscriptOptions): TranscriptWriter {
  const lock = options.lock ?? lockTranscript(options.path);
  try {
    return new TranscriptWriter(options, lock);
  } catch (error) {
    lock.release();
    throw error instanceof StorageFailure ? error : new StorageFailure(options.path, errorText(error), { cause: error });
  }
}

export class TranscriptWriter {
  readonly path: string;
  readonly #options: TranscriptOptions;
  readonly #fs: TranscriptFs;
  readonly #lock: TranscriptLock;
  readonly #envelope: Envelope;
  readonly #fd: number;
  #offset = 0;
  /** Of a new file, until it is written in one piece with the first fact: a transcript says what runs from its first byte on. */
  #header = "";
  /** When the file was last looked at. */
  #lookedAt = -Infinity;
  #runId: string | undefined;
  /** The end of the lines of that run. */
  #end = "";
  /** JSON of the uuid that the next line follows. */
  #parent = "null";
  #promptId: string;
  #failure: StorageFailure | undefined;
  /** It happened in the background and nobody was told yet. */
  #isUntold = false;
  #closed = false;
  #hasUnsynced = false;
  /** Syncs under way in the background. */
  #syncing: Promise<unknown> | undefined;

  constructor(options: TranscriptOptions, lock: TranscriptLock) {
    const { path, isMain, agentId, cwd, sessionId, version, gitBranch, newUuid } = options;
    this.path = path;
    this.#options = options;
    this.#fs = options.fs ?? nodeFs;
    this.#lock = lock;
    this.#envelope = { isSidechain: !isMain, ...(isMain ? {} : { agentId }), userType: "external", cwd, sessionId, version, ...(gitBranch === undefined ? {} : { gitBranch }) };
    this.#promptId = newUuid();
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = nodeFs.constants;
    this.#fd = this.#fs.openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, fileMode);
    try {
      this.#begin();
    } catch (error) {
      this.#fs.closeSync(this.#fd);
      throw error;
    }
  }

  /** The file is not what was promised: nobody may go on as if it were. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Writes one fact; when it returns, the line survives the end of this process. Throws StorageFailure. */
  append(fact: RecordedFact): void {
    try {
      this.#append(fact);
    } catch (error) {
      if (fact.type === "run-end") this.#leaveWord(fact);
      throw error;
    }
  }

  #append(fact: RecordedFact): void {
    this.#refuseWhenOver();
    const { newUuid } = this.#options;
    if (fact.type === "message" && fact.origin === "prompt") this.#promptId = newUuid();
    const uuid = newUuid();
    const line = this.#lineOf(fact, uuid);
    if (fact.type === "run-end" || Math.abs(fact.time - this.#lookedAt) >= lookEveryMs) this.#look(fact.time);
    this.#write(this.#header === "" ? line : this.#header + line);
    this.#header = "";
    // System lines hang beside the chain: a viewer that follows parentUuid meets messages and boundaries only.
    if (fact.type === "message" || fact.type === "compaction") this.#parent = `"${uuid}"`;
    if (isSyncPoint(fact, this.#options.fsync)) this.sync();
    else if (fact.type === "run-start" && this.#options.fsync !== "never") this.#syncSoon();
  }

  /** Waits until every line is on the disk; a failure is final, because the kernel may have dropped the pages it could not write. */
  sync(): void {
    this.#refuseWhenOver();
    try {
      this.#fs.fsyncSync(this.#fd);
      this.#hasUnsynced = false;
    } catch (error) {
      throw this.#failSync(error);
    }
  }

  /** The same while the process goes on: at the start of a run the disk has time until the first reply. The next call tells a failure. */
  #syncSoon(): void {
    this.#hasUnsynced = false;
    const synced = new Promise<void>((resolve) =>
      this.#fs.fsync(this.#fd, (error) => {
        if (error) this.#failUnseen(error);
        resolve();
      }),
    );
    this.#syncing = this.#syncing ? Promise.all([this.#syncing, synced]) : synced;
  }

  /** Syncs (unless `never`, or after a failure), closes and gives the lock back. Throws StorageFailure after all that. */
  close(): void {
    if (this.#closed) return;
    try {
      if (!this.#failure && this.#hasUnsynced && this.#options.fsync !== "never") this.sync();
    } finally {
      this.#closed = true;
      const close = (): void => this.#fs.closeSync(this.#fd);
      // A descriptor that is being synced must not become that of another file.
      if (this.#syncing) void this.#syncing.then(close);
      else close();
      this.#lock.release();
    }
    this.#tellUntold();
  }

  /** The same without holding up the process: resolves when everything is on the disk. */
  async finish(): Promise<void> {
    if (this.#closed) return;
    if (!this.#failure && this.#hasUnsynced && this.#options.fsync !== "never") this.#syncSoon();
    await this.#syncing;
    this.#syncing = undefined;
    this.close();
  }

  /** Makes the header of a new file, or finds the place where an old one goes on. */
  #begin(): void {
    const { path, agentId, newUuid, now, fsync } = this.#options;
    const stat = this.#fs.fstatSync(this.#fd);
    if (!stat.isFile()) throw new StorageFailure(path, "it is no regular file");
    if (stat.size > 0) {
      repairTail(this.#lock);
      this.#offset = nodeFs.fstatSync(this.#fd).size;
    }
    if (this.#offset > 0) {
      const last = readTail(path).findLast((line) => isInChain(line));
      if (typeof last?.["uuid"] === "string") this.#parent = toJson(last["uuid"]);
      return;
    }
    this.#header = toJsonLine(headerLine(this.#envelope, { agentId, uuid: newUuid(), timestamp: isoTime(now()), boot: currentBoot() }));
    if (fsync !== "never") this.#syncing = syncFolder(dirname(path)).catch((error: unknown) => this.#failUnseen(error));
  }

  #write(text: string): void {
    const length = Buffer.byteLength(text);
    let written: number;
    try {
      written = this.#fs.writeSync(this.#fd, text);
    } catch (error) {
      this.#cutBack();
      throw this.#fail(errorText(error), error);
    }
    if (written !== length) {
      this.#cutBack();
      throw this.#fail(`only ${written} of ${length} bytes of a line were accepted (is the disk full?)`);
    }
    this.#offset += length;
    this.#hasUnsynced = true;
  }

  /** A line that did not fit was cut off again, and a short one may fit in its place: whoever looks later reads why the run ended, instead of a process that is gone. */
  #leaveWord(fact: RecordedFact & { type: "run-end" }): void {
    const failure = this.#failure;
    if (!failure || this.#closed || this.#header !== "") return;
    try {
      this.#look(fact.time);
      this.#write(this.#lineOf({ ...fact, outcome: { ...fact.outcome, state: "failed", reason: "storage", error: failure.message.slice(0, 500), content: "", permission_denials: [] } }, this.#options.newUuid()));
    } catch {
      // Nothing fits: the lines before it stand.
    }
    this.#failure = failure;
  }

  #lineOf(fact: RecordedFact, uuid: string): string {
    const { path, fsync } = this.#options;
    try {
      if (fact.runId !== this.#runId) {
        this.#end = lineEnd(fact.runId, this.#envelope);
        this.#runId = fact.runId;
      }
      const text = factLine(fact, { uuid, parent: this.#parent, promptId: this.#promptId, end: this.#end });
      // A UTF-16 unit takes at most three bytes, so most lines need no exact count.
      if (text.length * 3 <= limits.transcript.lineBytes || Buffer.byteLength(text) <= limits.transcript.lineBytes) return text;
      return spillLine(text, { dir: spillDirOf(path), durable: fsync !== "never", maxLineBytes: limits.transcript.lineBytes });
    } catch (error) {
      throw this.#fail(`a line could not be made (${errorText(error)})`, error);
    }
  }

  /** Nobody else has touched the file. */
  #look(time: number): void {
    this.#lookedAt = time;
    let stat;
    try {
      stat = this.#fs.fstatSync(this.#fd);
    } catch (error) {
      throw this.#fail(errorText(error), error);
    }
    if (stat.nlink === 0) throw this.#fail("the file was removed while the run was writing it");
    if (stat.size !== this.#offset) throw this.#fail(`the file has ${stat.size} bytes where this run left ${this.#offset}: something else changed it`);
  }

  #cutBack(): void {
    try {
      this.#fs.ftruncateSync(this.#fd, this.#offset);
    } catch {
      // The torn line stays; the loader sets it aside.
    }
  }

  #failSync(error: unknown): StorageFailure {
    // What the file holds is no longer known: nothing may follow it.
    this.#offset = Number.NaN;
    return this.#fail(`fsync failed (${errorText(error)}); lines since the last one may not be on the disk`, error);
  }

  #failUnseen(error: unknown): void {
    this.#failSync(error);
    this.#isUntold = true;
  }

  #fail(detail: string, cause?: unknown): StorageFailure {
    this.#failure = new StorageFailure(this.path, detail, { cause });
    return this.#failure;
  }

  #tellUntold(): void {
    if (!this.#failure || !this.#isUntold) return;
    this.#isUntold = false;
    throw this.#failure;
  }

  #refuseWhenOver(): void {
    this.#tellUntold();
    if (this.#failure) throw this.#failure;
    if (this.#closed) throw new StorageFailure(this.path, "it was closed");
  }
}

function isSyncPoint(fact: RecordedFact, policy: TranscriptOptions["fsync"]): boolean {
  return policy !== "never" && (fact.type === "compaction" || (policy === "turn" && fact.type === "message"));
}

const isInChain = (line: Record<string, unknown>): boolean => line["type"] === "user" || line["type"] === "assistant" || line["subtype"] === "compact_boundary";
