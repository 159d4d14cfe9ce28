// Loads a transcript in any condition: the conversation after the last boundary, the runs, open
// calls and problems. Nothing in a file makes it throw; it changes the file only with its lock, and
// needs memory for the conversation only.
import type { FileHandle } from "node:fs/promises";
import { errorText } from "../../base/errors.ts";
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { counted } from "../../base/text/grouped.ts";
import { limits } from "../../base/limits.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { Message, ToolUseBlock } from "../../model/message.ts";
import { openTranscriptFile } from "./iterate-lines.ts";
import type { TranscriptLock } from "../lock/lock.ts";
import { parseLine } from "./parse-line.ts";
import { spillDirOf } from "../paths.ts";
import { isMessageLine, readMessage } from "./read-message.ts";
import { repairTail } from "./read-tail.ts";
import {
  type LineEntry,
  type LoadProblem,
  type TranscriptScan,
  scanTranscript,
} from "./scan-transcript.ts";
import { restoreSpilled } from "../spill.ts";

export type LoadedRun = { runId: string; seq: number; startedAt?: string; outcome?: RunOutcome };

/** What `readTranscript` found: the messages, the runs, how it ended, and problems of the file. */
export type LoadedTranscript = {
  /** The first line, if Retinue wrote the file. */
  header: Record<string, unknown> | undefined;
  /**
   * The summary of the last boundary, the messages it kept, and the messages after it, as recorded;
   * not yet valid for a provider.
   */
  messages: Message[];
  /** The newest run's spec. */
  spec: JsonObject | undefined;
  /** The highest sequence number; 0 if no line has one. */
  lastSeq: number;
  runs: LoadedRun[];
  /** The outcome of the newest run; undefined if it has not ended. */
  ended: RunOutcome | undefined;
  /** Tool calls of the conversation that have no result. */
  openToolUses: ToolUseBlock[];
  /** Ids of calls that were allowed or refused in any run, also in the part that was summarised. */
  decidedToolUses: ReadonlySet<string>;
  problems: LoadProblem[];
};

/**
 * With `repairTail` (the lock of this transcript) an unfinished last line moves to `<file>.torn`;
 * without it, the line is only reported.
 */
export async function loadTranscript(
  path: string,
  { repairTail: lock }: { repairTail?: TranscriptLock } = {},
): Promise<LoadedTranscript> {
  const loaded: LoadedTranscript = {
    header: undefined,
    messages: [],
    spec: undefined,
    lastSeq: 0,
    runs: [],
    ended: undefined,
    openToolUses: [],
    decidedToolUses: new Set(),
    problems: [],
  };
  const report = (problem: LoadProblem): void => {
    if (loaded.problems.length < limits.transcript.problems) loaded.problems.push(problem);
  };
  let file: FileHandle | undefined;
  try {
    const torn = lock && repairTail(lock);
    if (torn)
      report({
        line: 0,
        code: "torn",
        message: `an unfinished last line of ${torn.bytes} bytes was moved to ${torn.setAside}`,
      });
    file = await openTranscriptFile(path);
    const scan = await scanTranscript(file, report);
    addTornLine(scan, await readTorn(file, scan), report);
    readRuns(scan, loaded);
    loaded.decidedToolUses = scan.decided;
    await readConversation({ path, file, scan, loaded, report });
    loaded.openToolUses = openToolUses(loaded.messages);
  } catch (error) {
    report({ line: 0, code: "unreadable", message: errorText(error) });
  } finally {
    await file?.close();
  }
  return loaded;
}

/** A last line without newline counts if it is complete. */
function addTornLine(
  scan: TranscriptScan,
  isWhole: boolean,
  report: (problem: LoadProblem) => void,
): void {
  if (!scan.torn) return;
  if (isWhole) scan.entries.push(scan.torn);
  else
    report({
      line: scan.torn.number,
      code: "torn",
      message: `the last line is unfinished (${scan.torn.end - scan.torn.start} bytes)`,
    });
}

async function readTorn(file: FileHandle, { torn }: TranscriptScan): Promise<boolean> {
  if (!torn || torn.end - torn.start > limits.transcript.loadLineBytes) return false;
  const buffer = Buffer.allocUnsafe(torn.end - torn.start);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, torn.start);
  return parseLine(buffer.toString("utf8", 0, bytesRead)) !== undefined;
}

function readRuns({ telling }: TranscriptScan, loaded: LoadedTranscript): void {
  for (const { number, value } of telling) {
    noteSeq(value, loaded);
    const { subtype, runId, seq } = value;
    if (subtype === "retinue_session" && number === 1) loaded.header = value;
    if (typeof runId !== "string") continue;
    if (subtype === "spawn") {
      loaded.runs.push({
        runId,
        seq: Number(seq) || 0,
        ...(typeof value["timestamp"] === "string" ? { startedAt: value["timestamp"] } : {}),
      });
      if (isObject(value["spec"])) loaded.spec = value["spec"] as JsonObject;
    } else if (subtype === "run_end" && isObject(value["outcome"])) {
      const run = loaded.runs.findLast((item) => item.runId === runId);
      if (run) run.outcome = value["outcome"] as RunOutcome;
    }
  }
  loaded.ended = loaded.runs.at(-1)?.outcome;
}

type Reading = {
  path: string;
  file: FileHandle;
  scan: TranscriptScan;
  loaded: LoadedTranscript;
  report: (problem: LoadProblem) => void;
};

async function readConversation(reading: Reading): Promise<void> {
  const { path, file, scan, report } = reading;
  if (scan.leftOut > 0)
    report({
      line: 0,
      code: "left_out",
      message:
        `the oldest ${counted(scan.leftOut, "line")} left out, because the conversation is over ` +
        `${limits.transcript.conversationBytes} bytes`,
    });
  const allowance = { bytes: limits.transcript.spillBytes };
  const spillDir = spillDirOf(path);
  const order: LineOrder = { previous: -Infinity };
  for await (const { entry, text } of readEntries(file, scan.entries)) {
    const line = entry.number;
    const value = parseLine(text);
    if (!value) {
      report({ line, code: "malformed", message: "a line that is not JSON was skipped" });
      continue;
    }
    noteSeq(value, reading.loaded);
    const isBoundary = value["type"] === "system" && value["subtype"] === "compact_boundary";
    if (!isBoundary && !isMessageLine(value)) continue;
    for (const failure of restoreSpilled(value, spillDir, allowance))
      report({ line, code: "spill", message: failure });
    if (isBoundary) addSummary(value["summary"], reading.loaded);
    else addMessage({ line, value }, order, reading);
  }
}

function addSummary(summary: unknown, { messages }: LoadedTranscript): void {
  if (typeof summary === "string" && summary !== "")
    messages.push({ role: "user", content: summary });
}

/** What the lines read so far have settled: the last sequence number, and whose file this is. */
type LineOrder = { previous: number; isSidechain?: boolean };

function addMessage(
  { line, value }: { line: number; value: Record<string, unknown> },
  order: LineOrder,
  { loaded, report }: Reading,
): void {
  const read = readMessage(value);
  const seq = typeof value["seq"] === "number" ? value["seq"] : Infinity;
  if (seq <= order.previous) {
    const message = `the sequence number ${seq} stands after ${order.previous}`;
    report({ line, code: "order", message });
  }
  if (seq !== Infinity) order.previous = seq;
  if ("problem" in read) return report({ line, code: "bad_message", message: read.problem });
  // Older versions of Claude Code wrote sub-agents into the main file: lines of the other kind
  // belong to another conversation. Lines of Retinue never do.
  const isOwn = typeof value["runId"] === "string";
  if (isOwn || (order.isSidechain ??= read.isSidechain) === read.isSidechain)
    loaded.messages.push(read.message);
}

const readAheadBytes = 4 * 1024 * 1024;

/** The text of each entry; entries that stand near one another are read together. */
async function* readEntries(
  file: FileHandle,
  entries: readonly LineEntry[],
): AsyncGenerator<{ entry: LineEntry; text: string }> {
  let buffer = Buffer.alloc(0);
  let start = 0;
  const last = entries.at(-1)?.end ?? 0;
  for (const entry of entries) {
    if (entry.start < start || entry.end > start + buffer.length) {
      // Never more than is left: most transcripts are small, and a resume should cost no more than
      // its file.
      const wanted = Math.max(
        entry.end - entry.start,
        Math.min(readAheadBytes, last - entry.start),
      );
      const { bytesRead, buffer: bytes } = await file.read(
        Buffer.allocUnsafe(wanted),
        0,
        wanted,
        entry.start,
      );
      buffer = bytes.subarray(0, bytesRead);
      start = entry.start;
    }
    yield { entry, text: buffer.toString("utf8", entry.start - start, entry.end - start) };
  }
}

function noteSeq({ seq }: Record<string, unknown>, loaded: LoadedTranscript): void {
  if (typeof seq === "number" && Number.isSafeInteger(seq))
    loaded.lastSeq = Math.max(loaded.lastSeq, seq);
}

function openToolUses(messages: readonly Message[]): ToolUseBlock[] {
  const open = new Map<string, ToolUseBlock>();
  for (const message of messages) {
    if (typeof message.content === "string") continue;
    for (const block of message.content) {
      if (block.type === "tool_use" && typeof block.id === "string") open.set(block.id, block);
      else if (block.type === "tool_result") open.delete(block.tool_use_id);
    }
  }
  return [...open.values()];
}
