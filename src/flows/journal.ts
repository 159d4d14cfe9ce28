// The journal of a flow: one line a phase, durable before the next phase starts, so that a flow continues after kill -9 without repeating what is done.
import { closeSync, constants, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { RetinueError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import { toJsonLine } from "../base/jsonl.ts";
import type { FlowTask, Phase, PhaseRecord } from "../patterns/flow.ts";
import { makePrivateDir } from "../transcripts/paths.ts";

export type FlowPattern = "sequence" | "parallel" | "branch";
export type FlowHeader = { type: "retinue_flow"; version: 1; flowId: string; sessionId: string; pattern: FlowPattern; task: FlowTask; phases: Phase[]; cwd: string; model: string | null };

export type Journal = { record: (entry: PhaseRecord) => void; close: () => void };

/** Creates the journal with its header; the folder and the file are the user's alone. */
export function createJournal(path: string, header: FlowHeader): Journal {
  makePrivateDir(dirname(path));
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  return journalOn(openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600), { header });
}

/** Goes on after `lines` entries. A torn last line is closed first, so that it cannot swallow the next one. */
export function continueJournal(path: string, { lines, isTorn }: { lines: number; isTorn: boolean }): Journal {
  const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  if (isTorn) writeSync(fd, "\n");
  return journalOn(fd, { lines });
}

function journalOn(fd: number, { header, lines = 0 }: { header?: FlowHeader; lines?: number }): Journal {
  let seq = lines;
  const write = (value: object): void => {
    const line = toJsonLine(value);
    if (writeSync(fd, line) !== Buffer.byteLength(line)) throw new RetinueError("storage", "the flow's journal cannot be written: the disk is full");
    fsyncSync(fd);
  };
  if (header) write(header);
  return { record: (entry) => write({ seq: ++seq, ...entry }), close: () => closeSync(fd) };
}

export type LoadedJournal = { header: FlowHeader; entries: PhaseRecord[]; lines: number; isTorn: boolean };

/** A torn last line is passed over: its phase had not been acknowledged. */
export function loadJournal(path: string): LoadedJournal {
  if (!existsSync(path)) throw new RetinueError("unknown_task", `there is no flow at ${path}`);
  const text = readFileSync(path, "utf8");
  const [header, ...entries] = text.split("\n").flatMap(parsed);
  if (header?.["type"] !== "retinue_flow" || header["version"] !== 1) throw new RetinueError("config", `${path} is no journal of this version; start the flow anew`);
  const records = entries.filter((entry) => typeof entry["phase"] === "string" && typeof entry["status"] === "string") as unknown as PhaseRecord[];
  return { header: header as unknown as FlowHeader, entries: records, lines: records.length, isTorn: !text.endsWith("\n") };
}

function parsed(line: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? [value] : [];
  } catch {
    return [];
  }
}
