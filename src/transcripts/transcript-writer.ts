// The one writer of a transcript: every fact becomes a line without secrets, and the kernel has the
// line when append returns, unless it may wait for the next one. After the first failure the writer
// refuses everything; it still tries to record the end of the run.
import { dirname } from "node:path";
import { errorText } from "../base/errors.ts";
import { toJson, toJsonLine } from "../base/data/jsonl.ts";
import { limits } from "../base/limits.ts";
import { syncFolder } from "../base/files/sync-folder.ts";
import type { RecordedFact } from "../events/event.ts";
import { factLine, headerLine, isoTime, lineEnd, type Envelope } from "./fact-line.ts";
import { beingWritten, lockTranscript, type TranscriptLock } from "./lock/lock.ts";
import { currentBoot } from "./lock/process-identity.ts";
import { spillDirOf } from "./paths.ts";
import { readTail, repairTail } from "./reading/read-tail.ts";
import { spillLine } from "./spill.ts";
import { StorageFailure } from "./storage-failure.ts";
import { TranscriptFile, type TranscriptFs } from "./transcript-file.ts";
import { WaitingLines } from "./waiting-lines.ts";

export type TranscriptOptions = {
  path: string;
  sessionId: string;
  agentId: string;
  isMain: boolean;
  cwd: string;
  version: string;
  gitBranch?: string;
  /**
   * `turn`: sync after every message; `end`: at the start, at compaction and at the end of a run;
   * `never`: the kernel decides.
   */
  fsync: "turn" | "end" | "never";
  now: () => number;
  newUuid: () => string;
  /**
   * A caller that loaded the transcript first holds the lock already; close() releases it in any
   * case.
   */
  lock?: TranscriptLock;
  /**
   * Literal values that no line may contain, such as `secretValues(env)`; secrets of a known form
   * are masked without being listed.
   */
  secrets: readonly string[];
  fs?: TranscriptFs;
};

/** The time between checks of the file; lines come faster only when no model is waited for. */
const lookEveryMs = 1_000;

/**
 * Opens or continues a transcript and holds its lock until close() or finish(). Throws RetinueError
 * `running`, or StorageFailure.
 */
export function openTranscript(options: TranscriptOptions): TranscriptWriter {
  const lock = options.lock ?? lockTranscript(options.path);
  try {
    return new TranscriptWriter(options, lock);
  } catch (error) {
    lock.release();
    // Somebody else has begun the same agent in this very moment.
    if (lock.isNew && (error as NodeJS.ErrnoException).code === "EEXIST")
      throw beingWritten(options.path);
    throw error instanceof StorageFailure
      ? error
      : new StorageFailure(options.path, errorText(error), { cause: error });
  }
}

export class TranscriptWriter {
  readonly path: string;
  /** The file was empty. */
  readonly isNew: boolean;
  readonly #options: TranscriptOptions;
  readonly #lock: TranscriptLock;
  readonly #file: TranscriptFile;
  readonly #lines: WaitingLines;
  readonly #envelope: Envelope;
  readonly #isDurable: boolean;
  /**
   * The header of a new file, until it is written together with the first fact: a transcript always
   * tells what runs.
   */
  #header = "";
  /** When the file was last checked. */
  #lookedAt: number;
  #runId: string | undefined;
  /** The end that all lines of that run share. */
  #end = "";
  /** JSON of the uuid that the next line follows. */
  #parent = "null";
  #promptId: string;
  /** The end of the run, once it is written. */
  #ended: (RecordedFact & { type: "run-end" }) | undefined;

  constructor(options: TranscriptOptions, lock: TranscriptLock) {
    const { path, isMain, agentId, cwd, sessionId, version, gitBranch, newUuid, now, fsync } =
      options;
    this.path = path;
    this.#options = options;
    this.#lock = lock;
    this.#isDurable = fsync !== "never";
    this.#envelope = {
      isSidechain: !isMain,
      ...(isMain ? {} : { agentId }),
      userType: "external",
      cwd,
      sessionId,
      version,
      ...(gitBranch === undefined ? {} : { gitBranch }),
    };
    this.#promptId = newUuid();
    this.#lookedAt = now();
    this.#file = new TranscriptFile(path, {
      ...(options.fs ? { fs: options.fs } : {}),
      isNew: lock.isNew === true,
    });
    this.#lines = new WaitingLines(this.#file);
    try {
      if (this.#file.size > 0) this.#goOn();
      this.isNew = this.#file.size === 0;
      if (this.isNew) this.#begin();
    } catch (error) {
      this.#file.close(false);
      throw error;
    }
  }

  /** The file is not what the caller was promised: nobody may continue with it. */
  get hasFailed(): boolean {
    return this.#file.failure !== undefined;
  }

  /**
   * Writes one fact; when it returns, the line survives the end of this process. With `mayWait` that
   * holds from the next line on that may not, at the latest when the code that runs now has come to
   * its end. Throws StorageFailure.
   */
  append(fact: RecordedFact, mayWait = false): void {
    try {
      this.#append(fact, mayWait);
    } catch (error) {
      if (fact.type === "run-end") this.#leaveWord(fact);
      throw error;
    }
  }

  #append(fact: RecordedFact, mayWait: boolean): void {
    this.#file.refuseWhenOver();
    const { newUuid } = this.#options;
    if (fact.type === "message" && fact.origin === "prompt") this.#promptId = newUuid();
    const uuid = newUuid();
    const line = this.#lineOf(fact, uuid);
    if (fact.type === "run-end" || Math.abs(fact.time - this.#lookedAt) >= lookEveryMs)
      this.#look(fact.time);
    if (mayWait && this.#header === "") this.#lines.hold(line);
    else this.#lines.write(this.#header === "" ? line : this.#header + line);
    this.#header = "";
    // System lines stand beside the chain: a viewer that follows parentUuid meets only messages and
    // boundaries.
    if (fact.type === "message" || fact.type === "compaction") this.#parent = `"${uuid}"`;
    if (fact.type === "run-end") this.#ended = fact;
    if (isSyncPoint(fact, this.#options.fsync)) this.sync();
    // At the start of a run the disk has time until the first reply.
    else if (fact.type === "run-start" && this.#isDurable) this.#file.syncSoon();
  }

  /** Writes what waits. A failure is told by the next call. */
  writeWaiting(): void {
    this.#lines.writeWaiting();
  }

  /** Waits until every line is on the disk. Throws StorageFailure. */
  sync(): void {
    this.#lines.write("");
    this.#file.sync();
  }

  /**
   * Syncs (unless `never`, or after a failure), closes the file and gives the lock back. Throws
   * StorageFailure afterwards.
   */
  close(): void {
    if (this.#file.isClosed) return;
    this.writeWaiting();
    try {
      this.#file.close(this.#isDurable);
    } finally {
      this.#lock.release();
    }
  }

  /** Like `close` without blocking the process: resolves when everything is on disk. */
  async finish(): Promise<void> {
    if (this.#file.isClosed) return;
    this.writeWaiting();
    await this.#file.settle(this.#isDurable);
    // The end on record says what the caller is told: that the disk did not keep it.
    if (this.#ended && this.hasFailed) this.#leaveWord(this.#ended);
    this.close();
  }

  /** Finds where an existing file continues. */
  #goOn(): void {
    repairTail(this.#lock);
    this.#file.measureAnew();
    const last = readTail(this.path).findLast((line) => isInChain(line));
    if (typeof last?.["uuid"] === "string") this.#parent = toJson(last["uuid"]);
  }

  #begin(): void {
    const { agentId, newUuid, now } = this.#options;
    this.#header = toJsonLine(
      headerLine(this.#envelope, {
        agentId,
        uuid: newUuid(),
        timestamp: isoTime(now()),
        boot: currentBoot(),
      }),
    );
    if (this.#isDurable) this.#file.awaitFolder(syncFolder(dirname(this.path)));
  }

  /**
   * A line that did not fit was cut off; this short line may fit in its place, so that readers
   * learn why the run ended.
   */
  #leaveWord(fact: RecordedFact & { type: "run-end" }): void {
    const { failure, isClosed } = this.#file;
    if (!failure || isClosed || this.#header !== "") return;
    this.#file.tryAllTheSame(() => {
      if (!this.#ended) this.#look(fact.time);
      this.#file.write(
        this.#lineOf(
          {
            ...fact,
            // Behind an end that the disk may not have kept: a correction, with a number of its own.
            ...(this.#ended ? { seq: fact.seq + 1 } : {}),
            outcome: {
              ...fact.outcome,
              state: "failed",
              reason: "storage",
              error: failure.message.slice(0, 500),
              content: "",
              permission_denials: [],
            },
          },
          this.#options.newUuid(),
        ),
      );
    });
  }

  #lineOf(fact: RecordedFact, uuid: string): string {
    const { path, secrets } = this.#options;
    try {
      if (fact.runId !== this.#runId) {
        this.#end = lineEnd(fact.runId, this.#envelope);
        this.#runId = fact.runId;
      }
      const text = factLine(fact, {
        uuid,
        parent: this.#parent,
        promptId: this.#promptId,
        end: this.#end,
        secrets,
      });
      // A UTF-16 unit needs at most three bytes, so most lines need no exact count.
      if (
        text.length * 3 <= limits.transcript.lineBytes ||
        Buffer.byteLength(text) <= limits.transcript.lineBytes
      )
        return text;
      return spillLine(text, {
        dir: spillDirOf(path),
        durable: this.#isDurable,
        maxLineBytes: limits.transcript.lineBytes,
      });
    } catch (error) {
      throw this.#file.fail(`a line could not be made (${errorText(error)})`, error);
    }
  }

  #look(time: number): void {
    this.#lookedAt = time;
    this.#file.look();
  }
}

function isSyncPoint(fact: RecordedFact, policy: TranscriptOptions["fsync"]): boolean {
  return (
    policy !== "never" &&
    (fact.type === "compaction" || (policy === "turn" && fact.type === "message"))
  );
}

const isInChain = (line: Record<string, unknown>): boolean =>
  line["type"] === "user" || line["type"] === "assistant" || line["subtype"] === "compact_boundary";
