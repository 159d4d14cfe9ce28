// The file of a transcript. Every line is one write(2) whose length is checked. After the first
// failure the file ends with its last good line and refuses everything. A failure in the background
// is reported at the next call, at the latest at closing.
import * as nodeFs from "node:fs";
import { errorText } from "../base/errors.ts";
import { fileMode } from "./paths.ts";
import { StorageFailure } from "./storage-failure.ts";

/** The calls that reach the disk; tests replace them to make each one fail. */
export type TranscriptFs = {
  openSync(path: string, flags: number, mode: number): number;
  closeSync(fd: number): void;
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  fsyncSync(fd: number): void;
  fsync(fd: number, done: (error: Error | null) => void): void;
  /** False: a sync that nobody waits for starts at once, so that nothing depends on the clock. */
  putsOff?: boolean;
  ftruncateSync(fd: number, length: number): void;
  fstatSync(fd: number): {
    size: number;
    nlink: number;
    ino: number;
    dev: number;
    isFile(): boolean;
  };
};

/** Lines become bytes here, one at a time; a longer line gets its own buffer. */
const page = Buffer.allocUnsafeSlow(64 * 1024);
const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = nodeFs.constants;
const openFlags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/** Until then a sync that nobody waits for is put off. */
const putOffMs = 5;
let waiting: Set<() => void> | undefined;

/** Calls with one timer for all; returns what takes the call back. */
function soon(call: () => void): () => void {
  if (!waiting) {
    const all = (waiting = new Set());
    setTimeout(() => {
      waiting = undefined;
      for (const one of all) one();
    }, putOffMs);
  }
  const own = waiting;
  own.add(call);
  return () => void own.delete(call);
}

/** Whether the path still leads to that file. Where that cannot be asked, the file counts. */
function isAt(path: string, { ino, dev }: { ino: number; dev: number }): boolean {
  try {
    const there = nodeFs.lstatSync(path, { throwIfNoEntry: false });
    return there !== undefined && there.ino === ino && there.dev === dev;
  } catch {
    return true;
  }
}

export class TranscriptFile {
  readonly path: string;
  readonly #fs: TranscriptFs;
  readonly #fd: number;
  #size: number;
  #failure: StorageFailure | undefined;
  /** A failure in the background that nobody has been told yet. */
  #isUntold = false;
  #isClosed = false;
  #hasUnsynced = false;
  /** Takes back a sync that is about to start. */
  #later: (() => void) | undefined;
  /** Syncs that run in the background. */
  #syncing: Promise<unknown> | undefined;

  /** Opens the file, or creates it; with `isNew` it must not be there yet. */
  constructor(
    path: string,
    { fs = nodeFs, isNew = false }: { fs?: TranscriptFs; isNew?: boolean },
  ) {
    this.path = path;
    this.#fs = fs;
    this.#fd = fs.openSync(path, isNew ? openFlags | O_EXCL : openFlags, fileMode);
    this.#size = 0;
    if (isNew) return;
    try {
      const stat = fs.fstatSync(this.#fd);
      if (!stat.isFile()) throw new StorageFailure(path, "it is no regular file");
      this.#size = stat.size;
    } catch (error) {
      fs.closeSync(this.#fd);
      throw error;
    }
  }

  /** The bytes that were found plus those written since. */
  get size(): number {
    return this.#size;
  }

  get failure(): StorageFailure | undefined {
    return this.#failure;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The holder of the lock has repaired the end of the file. */
  measureAnew(): void {
    this.#size = nodeFs.fstatSync(this.#fd).size;
  }

  refuseWhenOver(): void {
    this.#tellUntold();
    if (this.#failure) throw this.#failure;
    if (this.#isClosed) throw new StorageFailure(this.path, "it was closed");
  }

  /** Writes all bytes or none. */
  write(text: string): void {
    // A UTF-16 unit needs at most three bytes.
    const bytes = text.length * 3 <= page.length ? page : Buffer.from(text);
    const length = bytes === page ? page.write(text) : bytes.length;
    let written: number;
    try {
      written = this.#fs.writeSync(this.#fd, bytes, 0, length);
    } catch (error) {
      this.#cutBack();
      throw this.fail(errorText(error), error);
    }
    if (written !== length) {
      this.#cutBack();
      throw this.fail(
        `only ${written} of ${length} bytes of a line were accepted (is the disk full?)`,
      );
    }
    this.#size += length;
    this.#hasUnsynced = true;
  }

  /** Checks that no other process has changed the file. */
  look(): void {
    let stat;
    try {
      stat = this.#fs.fstatSync(this.#fd);
    } catch (error) {
      throw this.fail(errorText(error), error);
    }
    if (stat.nlink === 0) throw this.fail("the file was removed while the run was writing it");
    if (!isAt(this.path, stat))
      throw this.fail("the file was moved away while the run was writing it");
    if (stat.size !== this.#size)
      throw this.fail(
        `the file has ${stat.size} bytes where this run left ${this.#size}: something else changed it`,
      );
  }

  /**
   * Waits until every line is on disk. A failure is final, because the kernel may have dropped the
   * pages that it could not write.
   */
  sync(): void {
    this.refuseWhenOver();
    try {
      this.#fs.fsyncSync(this.#fd);
      this.#hasUnsynced = false;
    } catch (error) {
      throw this.#failSync(error);
    }
  }

  /**
   * Like `sync`, while the process continues, and not at once: a run that ends within the next
   * moments is synced only once.
   */
  syncSoon(): void {
    if (this.#fs.putsOff === false) return this.#syncNow();
    this.#later = soon(() => {
      this.#later = undefined;
      if (this.#failure || this.#isClosed) return;
      this.#syncNow();
    });
  }

  #syncNow(): void {
    this.#hasUnsynced = false;
    const synced = new Promise<void>((resolve) =>
      this.#fs.fsync(this.#fd, (error) => {
        if (error) this.#failUnseen(error);
        resolve();
      }),
    );
    this.#syncing = this.#syncing ? Promise.all([this.#syncing, synced]) : synced;
  }

  /** The folder entry of a new file must be on disk too. */
  awaitFolder(synced: Promise<unknown>): void {
    this.#syncing = synced.catch((error: unknown) => this.#failUnseen(error));
  }

  /**
   * `isDurable`: everything is on disk first. The file is closed in any case; errors are thrown
   * afterwards.
   */
  close(isDurable: boolean): void {
    if (this.#isClosed) return;
    this.#later?.();
    this.#later = undefined;
    try {
      if (isDurable && !this.#failure && this.#hasUnsynced) this.sync();
    } finally {
      this.#isClosed = true;
      const close = (): void => this.#fs.closeSync(this.#fd);
      // A descriptor must not be reused for another file while it is being synced.
      if (this.#syncing) void this.#syncing.then(close);
      else close();
    }
    this.#tellUntold();
  }

  /** Resolves when all background syncs are over; with `isDurable`, when everything is on disk. */
  async settle(isDurable: boolean): Promise<void> {
    this.#later?.();
    this.#later = undefined;
    if (isDurable && !this.#failure && this.#hasUnsynced) this.#syncNow();
    await this.#syncing;
    this.#syncing = undefined;
  }

  fail(detail: string, cause?: unknown): StorageFailure {
    this.#failure = new StorageFailure(this.path, detail, { cause });
    return this.#failure;
  }

  /** Tries something after a failure; the first failure stays the one that is reported. */
  tryAllTheSame(attempt: () => void): void {
    const failure = this.#failure;
    try {
      attempt();
    } catch {
      // The lines before it remain.
    }
    this.#failure = failure;
  }

  #cutBack(): void {
    try {
      this.#fs.ftruncateSync(this.#fd, this.#size);
    } catch {
      // The torn line remains; the loader sets it aside.
    }
  }

  #failSync(error: unknown): StorageFailure {
    // The content of the file is no longer known: nothing may be added.
    this.#size = Number.NaN;
    return this.fail(
      `fsync failed (${errorText(error)}); lines since the last one may not be on the disk`,
      error,
    );
  }

  #failUnseen(error: unknown): void {
    this.#failSync(error);
    this.#isUntold = true;
  }

  /** Nobody waits for what has just failed: the next call tells it. */
  tellLater(): void {
    this.#isUntold = this.#failure !== undefined;
  }

  #tellUntold(): void {
    if (!this.#failure || !this.#isUntold) return;
    this.#isUntold = false;
    throw this.#failure;
  }
}
