// The steps of one run in a file, a line each, which the kernel has before the step counts as done:
// after kill -9 another process goes on from it. Secrets never reach the file, and the file is gone
// when the run has its end on record.
import {
  closeSync,
  constants,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorText } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import { toJsonLine } from "../base/data/jsonl.ts";
import { makePrivateDir } from "../base/files/make-private-dir.ts";
import { newUuid } from "../base/ids.ts";
import type { RunSpec } from "../events/run-spec.ts";
import { masked } from "../transcripts/masked-json.ts";
import { fileMode } from "../transcripts/paths.ts";
import { parseLine } from "../transcripts/reading/parse-line.ts";
import { StorageFailure } from "../transcripts/storage-failure.ts";
import type { KeptStep, StepJournal } from "./step-journal.ts";

export type FileJournalOptions = {
  path: string;
  /** Literal values that may not stand in the file. */
  secrets: readonly string[];
  /** Every step is on the disk, and not only with the kernel, before it counts. */
  isSynced: boolean;
};

/** A life that ended with its process and can go on. */
export type LeftRun = {
  runId: string;
  prompt: string;
  /** Milliseconds that it has used of its time. */
  usedMs: number;
  /** The last fact of the lives before it. */
  lastSeq: number;
};

type Contents = {
  header: Record<string, unknown> | undefined;
  steps: Map<string, KeptStep>;
  usedMs: number;
  /** Bytes up to the end of the last whole line. */
  bytes: number;
};

/** Goes on with this life's journal; one of another life makes way. Throws StorageFailure. */
export function openFileJournal(
  { runId, prompt, carried }: RunSpec,
  { path, secrets, isSynced }: FileJournalOptions,
): StepJournal {
  const attempt = newUuid();
  // A life that moved here at a turn's end starts a journal of its own from what is on record.
  const part = carried?.metrics.turns ?? 0;
  const { header, steps, bytes } = readJournal(path);
  const goesOn = header?.["runId"] === runId && header["part"] === part;
  const fd = orFailure(path, () => openAt(path, goesOn ? bytes : 0));
  const write = (line: object): void =>
    orFailure(path, () => {
      writeSync(fd, toJsonLine(line));
      if (isSynced) fdatasyncSync(fd);
    });
  if (!goesOn) write(masked({ version: 1, runId, part, prompt }, secrets));
  write({ attempt, at: Date.now() });
  const known = goesOn ? steps : new Map<string, KeptStep>();
  return {
    attempt,
    async once<T>(key: string, work: () => Promise<KeptStep<T>>): Promise<KeptStep<T>> {
      const kept = known.get(key);
      if (kept) return kept as KeptStep<T>;
      const step = await work();
      const clean = masked(step, secrets);
      write({ key, step: clean === step ? step : { ...clean, isMasked: true } });
      return step;
    },
    close(how) {
      closeSync(fd);
      if (how === "over") rmSync(path, { force: true });
    },
  };
}

/** The life that the journal holds; undefined without one that has begun. */
export function leftInJournal(path: string): LeftRun | undefined {
  const { header, steps, usedMs } = readJournal(path);
  const { runId, prompt } = header ?? {};
  const opened = steps.get("open")?.value;
  if (typeof runId !== "string" || typeof prompt !== "string" || !isObject(opened))
    return undefined;
  return { runId, prompt, usedMs, lastSeq: Number(opened["lastSeq"]) || 0 };
}

/** Whatever stands in the file: a line that is none ends what can be gone on with. */
function readJournal(path: string): Contents {
  const contents: Contents = { header: undefined, steps: new Map(), usedMs: 0, bytes: 0 };
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return contents;
  }
  let openedAt = 0;
  let last = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    const value = parseLine(line);
    if (!value) break;
    contents.bytes += Buffer.byteLength(line) + 1;
    const { key, step, attempt, at } = value;
    if (contents.header === undefined) contents.header = value["version"] === 1 ? value : {};
    else if (typeof attempt === "string") {
      contents.usedMs += last - openedAt;
      openedAt = last = Number(at) || 0;
    } else if (typeof key === "string" && isObject(step)) {
      contents.steps.set(key, step as unknown as KeptStep);
      const doneAt = Math.max(last, Number(step["at"]) || 0);
      // A person may take their time.
      if (key.startsWith("ask/")) contents.usedMs -= doneAt - last;
      last = doneAt;
    }
  }
  contents.usedMs += last - openedAt;
  return contents;
}

/** The file, cut after its last whole line. */
function openAt(path: string, bytes: number): number {
  makePrivateDir(dirname(path));
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, fileMode);
  ftruncateSync(fd, bytes);
  return fd;
}

function orFailure<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new StorageFailure(path, errorText(error), { cause: error });
  }
}
