// The lines of a transcript that may wait for company: they are written together with the next line
// that may not wait, when the code that runs now has come to its end, before anything in this
// process reads a transcript, and before the process ends.
import { limits } from "../base/limits.ts";
import type { TranscriptFile } from "./transcript-file.ts";

/** All that have lines that wait. */
const holders = new Set<WaitingLines>();
let isBound = false;
let isDue = false;

/** For whoever is about to read a transcript, or to tell somebody what rests on one. */
export function writeWaitingLines(): void {
  for (const holder of holders) holder.writeWaiting();
}

function hold(holder: WaitingLines): void {
  // A tick comes when no promise is left that can go on by itself.
  if (!isDue) process.nextTick(writeAtTick);
  isDue = true;
  holders.add(holder);
  if (isBound) return;
  isBound = true;
  process.on("exit", writeWaitingLines);
}

function writeAtTick(): void {
  isDue = false;
  writeWaitingLines();
}

export class WaitingLines {
  readonly #file: TranscriptFile;
  #lines: string[] = [];
  #length = 0;

  constructor(file: TranscriptFile) {
    this.#file = file;
  }

  /** The line is written soon. Throws StorageFailure where it is written at once and fails. */
  hold(line: string): void {
    if (this.#lines.length === 0) hold(this);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= limits.transcript.waitingCharacters) this.write("");
  }

  /** The line is written when this returns, behind those that wait. Throws StorageFailure. */
  write(line: string): void {
    const lines = this.#lines;
    if (lines.length === 0) return line === "" ? undefined : this.#file.write(line);
    this.#lines = [];
    this.#length = 0;
    holders.delete(this);
    try {
      this.#file.write(lines.join("") + line);
    } catch (error) {
      this.#writeWhatFits(lines);
      throw error;
    }
  }

  /** A failure is told by the file's next call. */
  writeWaiting(): void {
    try {
      this.write("");
    } catch {
      this.#file.tellLater();
    }
  }

  /** They could not be written together: the file ends with the last one that could be. */
  #writeWhatFits(lines: readonly string[]): void {
    this.#file.tryAllTheSame(() => {
      this.#file.look();
      for (const line of lines) this.#file.write(line);
    });
  }
}
