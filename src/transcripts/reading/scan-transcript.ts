// Reads a transcript once and keeps positions, not text: the lines of the conversation after the
// last boundary, and the few system lines about runs. Lines before a boundary are skipped without
// parsing.
import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { readBlocks } from "../../base/data/jsonl.ts";
import { limits } from "../../base/limits.ts";
import type { Message } from "../../model/message.ts";
import { parseLine } from "./parse-line.ts";
import { isMessageLine, readMessage } from "./read-message.ts";

/** `role` is set once the line has been parsed. */
export type LineEntry = {
  number: number;
  start: number;
  end: number;
  role?: Message["role"] | "none";
};
export type SystemLine = { number: number; value: Record<string, unknown> };
export type LoadProblem = {
  line: number;
  code:
    | "malformed"
    | "oversize"
    | "torn"
    | "bad_message"
    | "order"
    | "spill"
    | "left_out"
    | "unreadable";
  message: string;
};

export type TranscriptScan = {
  /** The boundary line (if there is one), the messages that it kept, and everything after it. */
  entries: LineEntry[];
  /** Lines about runs, by their subtype: header, spawn, run_end. */
  telling: SystemLine[];
  /**
   * Calls that were allowed or refused, also before the boundary: none of these ids may run again.
   */
  decided: Set<string>;
  lines: number;
  leftOut: number;
  torn: LineEntry | undefined;
};

type Report = (problem: LoadProblem) => void;

const newline = 0x0a;
const typePrefix = Buffer.from('{"type":"');
const subtypeKey = Buffer.from('"subtype"');
const mostTelling = 2_000;
const mostDecided = 100_000;
const subtypePattern =
  /^\s*:\s*"(retinue_session|spawn|run_end|compact_boundary|permission_decision)"/;

export async function scanTranscript(file: FileHandle, report: Report): Promise<TranscriptScan> {
  const scan: TranscriptScan = {
    entries: [],
    telling: [],
    decided: new Set(),
    lines: 0,
    leftOut: 0,
    torn: undefined,
  };
  const budget = { bytes: 0, first: 0 };
  for await (const block of readBlocks(file, { maxLineBytes: limits.transcript.loadLineBytes })) {
    if (block.kind === "oversize") {
      const entry = { number: ++scan.lines, start: block.start, end: block.end };
      if (!block.complete) scan.torn = entry;
      else
        report({
          line: entry.number,
          code: "oversize",
          message: `a line of ${block.end - block.start} bytes is passed over (cap ${limits.transcript.loadLineBytes})`,
        });
      continue;
    }
    scanBlock(block, { file, scan, report, budget });
  }
  if (budget.first > 0) scan.entries.splice(0, budget.first);
  return scan;
}

type Context = {
  file: FileHandle;
  scan: TranscriptScan;
  report: Report;
  budget: { bytes: number; first: number };
};

function scanBlock({ bytes, start }: { bytes: Buffer; start: number }, context: Context): void {
  const { scan, report } = context;
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(newline, at);
    const end = found < 0 ? bytes.length : found + 1;
    const entry: LineEntry = { number: ++scan.lines, start: start + at, end: start + end };
    if (found < 0) scan.torn = entry;
    else if (looksWhole(bytes, at, found)) {
      addEntry(entry, context);
      if (mayTell(bytes, at, end)) readSystemLine(bytes.toString("utf8", at, end), entry, context);
    } else if (bytes.toString("latin1", at, found).trim() !== "")
      report({
        line: entry.number,
        code: "malformed",
        message: "a line that is no JSON object is passed over",
      });
    at = end;
  }
}

/** Lines of Retinue say in their first bytes what they are; in others the key is searched. */
function mayTell(bytes: Buffer, start: number, end: number): boolean {
  if (
    bytes.compare(typePrefix, 0, typePrefix.length, start, start + typePrefix.length) === 0 &&
    bytes[start + typePrefix.length] !== 0x73
  )
    return false;
  const line = bytes.subarray(start, end);
  for (let key = line.indexOf(subtypeKey); key >= 0; key = line.indexOf(subtypeKey, key + 1)) {
    if (
      subtypePattern.test(
        line.toString("latin1", key + subtypeKey.length, key + subtypeKey.length + 40),
      )
    )
      return true;
  }
  return false;
}

function looksWhole(bytes: Buffer, start: number, newlineAt: number): boolean {
  let first = start;
  let last = newlineAt - 1;
  // The first line of a foreign file may begin with a byte order mark.
  if (bytes[first] === 0xef && bytes[first + 1] === 0xbb && bytes[first + 2] === 0xbf) first += 3;
  while (first < last && isSpace(bytes[first]!)) first++;
  while (last > first && isSpace(bytes[last]!)) last--;
  return bytes[first] === 0x7b && bytes[last] === 0x7d;
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;

/**
 * Memory is bounded although a file without boundaries may have any size: the oldest lines are
 * dropped.
 */
function addEntry(entry: LineEntry, { scan, budget }: Context): void {
  scan.entries.push(entry);
  budget.bytes += entry.end - entry.start + entryCost;
  while (
    budget.bytes > limits.transcript.conversationBytes &&
    budget.first < scan.entries.length - 1
  ) {
    const oldest = scan.entries[budget.first++]!;
    budget.bytes -= oldest.end - oldest.start + entryCost;
    scan.leftOut++;
  }
  if (budget.first > 100_000) {
    scan.entries.splice(0, budget.first);
    budget.first = 0;
  }
}

const entryCost = 200;

function readSystemLine(text: string, entry: LineEntry, context: Context): void {
  const value = parseLine(text);
  if (value?.["type"] !== "system") return;
  const { scan, budget } = context;
  if (value["subtype"] === "permission_decision") {
    const id = value["toolUseId"];
    if (typeof id === "string" && scan.decided.size < mostDecided) scan.decided.add(id);
    return;
  }
  if (value["subtype"] !== "compact_boundary") {
    if (scan.telling.length === mostTelling) scan.telling.splice(1, 1);
    scan.telling.push({ number: entry.number, value });
    return;
  }
  scan.entries.pop();
  const kept = newestMessages(keptBy(value), context);
  scan.entries = [
    {
      ...entry,
      role: typeof value["summary"] === "string" && value["summary"] !== "" ? "user" : "none",
    },
    ...kept,
  ];
  scan.leftOut = 0;
  budget.first = 0;
  budget.bytes = scan.entries.reduce((sum, item) => sum + item.end - item.start + entryCost, 0);
}

function keptBy(boundary: Record<string, unknown>): number {
  const kept = (boundary["compactMetadata"] as { kept?: unknown } | undefined)?.kept;
  return typeof kept === "number" && kept > 0 ? kept : 0;
}

/**
 * The last `wanted` messages of the conversation so far. Each line is parsed at most once for this.
 * Neighbours of one role count as one, because a resumed run joins them: one message too many is
 * better than one lost.
 */
function newestMessages(wanted: number, { file, scan, budget }: Context): LineEntry[] {
  const kept: LineEntry[] = [];
  let turns = 0;
  for (let index = scan.entries.length - 1; index >= budget.first; index--) {
    const entry = scan.entries[index]!;
    entry.role ??= roleOf(file, entry);
    if (entry.role === "none") continue;
    if (entry.role !== kept.at(-1)?.role && ++turns > wanted) break;
    kept.push(entry);
  }
  return kept.reverse();
}

function roleOf(file: FileHandle, { start, end }: LineEntry): NonNullable<LineEntry["role"]> {
  const buffer = Buffer.allocUnsafe(end - start);
  // Synchronous: a boundary asks for many small pieces that were read a moment ago.
  const value = parseLine(
    buffer.toString("utf8", 0, readSync(file.fd, buffer, 0, buffer.length, start)),
  );
  const read = value && isMessageLine(value) ? readMessage(value) : undefined;
  return read && "message" in read ? read.message.role : "none";
}
