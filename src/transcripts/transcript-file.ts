// The file under a transcript. Every line is one write(2) whose length is checked. After the first
// failure the file ends with its last good line, and everything is refused. A failure in the
// background is told to whoever calls next, at the latest when the file is closed.
import * as nodeFs from "node:fs";
import { errorText } from "../base/errors.ts";
import { fileMode } from "./paths.ts";
import { StorageFailure } from "./storage-failure.ts";

/** The calls that reach the disk, replaceable so that tests can make each of them fail. */
export type TranscriptFs = {
  openSync(path: string, flags: number, mode: number): number;
  closeSync(fd: number): void;
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  fsyncSync(fd: number): void;
  fsync(fd: number, done: (error: Error | null) => void): void;
  ftruncateSync(fd: number, length: number): void;
  fstatSync(fd: number): { size: number; nlink: number; isFile(): boolean };
};

/** Lines become bytes here, one at a time; a longer one gets bytes of its own. */
const page = Buffer.allocUnsafeSlow(64 * 1024);
const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = nodeFs.constants;

export class TranscriptFile {
  readonly path: string;
  readonly #fs: TranscriptFs;
  readonly #fd: number;
  #size: number;
  #failure: StorageFailure | undefined;
  /** It happened in the background and nobody was told yet. */
  #isUntold = false;
  #isClosed = false;
  #hasUnsynced = false;
  /** Syncs under way in the background. */
  #syncing: Promise<unknown> | undefined;

  /** Opens the file, or makes it. */
  constructor(path: string, fs: TranscriptFs = nodeFs) {
    this.path = path;
    this.#fs = fs;
    this.#fd = fs.openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, fileMode);
    try {
      const stat = fs.fstatSync(this.#fd);
      if (!stat.isFile()) throw new StorageFailure(path, "it is no regular file");
      this.#size = stat.size;
    } catch (error) {
      fs.closeSync(this.#fd);
      throw error;
    }
  }

  /** What was found and what was written since. */
  get size(): number {
    return this.#size;
  }

  get failure(): StorageFailure | undefined {
    return this.#failure;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The holder of the lock has repaired its end. */
  measureAnew(): void {
    this.#size = nodeFs.fstatSync(this.#fd).size;
  }

  refuseWhenOver(): void {
    this.#tellUntold();
    if (this.#failure) throw this.#failure;
    if (this.#isClosed) throw new StorageFailure(this.path, "it was closed");
  }

  /** All of it, or nothing. */
  write(text: string): void {
    // A UTF-16 unit takes at most three bytes.
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

  /** Nobody else has touched the file. */
  look(): void {
    let stat;
    try {
      stat = this.#fs.fstatSync(this.#fd);
    } catch (error) {
      throw this.fail(errorText(error), error);
    }
    if (stat.nlink === 0) throw this.fail("the file was removed while the run was writing it");
    if (stat.size !== this.#size)
      throw this.fail(
        `the file has ${stat.size} bytes where this run left ${this.#size}: something else changed it`,
      );
  }

  /**
   * Waits until every line is on the disk; a failure is final, because the kernel may have dropped
   * the pages it could not write.
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

  /** The same while the process goes on. */
  syncSoon(): void {
    this.#hasUnsynced = false;
    const synced = new Promise<void>((resolve) =>
      this.#fs.fsync(this.#fd, (error) => {
        if (error) this.#failUnseen(error);
        resolve();
      }),
    );
    this.#syncing = this.#syncing ? Promise.all([this.#syncing, synced]) : synced;
  }

  /** The folder of a new file must be on the disk with it. */
  awaitFolder(synced: Promise<unknown>): void {
    this.#syncing = synced.catch((error: unknown) => this.#failUnseen(error));
  }

  /** `isDurable`: with everything on the disk. Closed in any case; throws afterwards. */
  close(isDurable: boolean): void {
    if (this.#isClosed) return;
    try {
      if (isDurable && !this.#failure && this.#hasUnsynced) this.sync();
    } finally {
      this.#isClosed = true;
      const close = (): void => this.#fs.closeSync(this.#fd);
      // A descriptor that is being synced must not become that of another file.
      if (this.#syncing) void this.#syncing.then(close);
      else close();
    }
    this.#tellUntold();
  }

  /**
   * Resolves when all syncs of the background are over; with everything on the disk where
   * `isDurable`.
   */
  async settle(isDurable: boolean): Promise<void> {
    if (isDurable && !this.#failure && this.#hasUnsynced) this.syncSoon();
    await this.#syncing;
    this.#syncing = undefined;
  }

  fail(detail: string, cause?: unknown): StorageFailure {
    this.#failure = new StorageFailure(this.path, detail, { cause });
    return this.#failure;
  }

  /** Tries something after a failure, which stays the one that is told. */
  tryAllTheSame(attempt: () => void): void {
    const failure = this.#failure;
    try {
      attempt();
    } catch {
      // The lines before it stand.
    }
    this.#failure = failure;
  }

  #cutBack(): void {
    try {
      this.#fs.ftruncateSync(this.#fd, this.#size);
    } catch {
      // The torn line stays; the loader sets it aside.
    }
  }

  #failSync(error: unknown): StorageFailure {
    // What the file holds is no longer known: nothing may follow it.
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

  #tellUntold(): void {
    if (!this.#failure || !this.#isUntold) return;
    this.#isUntold = false;
    throw this.#failure;
  }
}
