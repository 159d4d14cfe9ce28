// Reads /proc: finds living processes that have a mark, belong to a group or session, or descend
// from one that does. Finds none without /proc.
import { readdirSync, readFileSync } from "node:fs";
import { covers, markVariable } from "./mark.ts";

export type ProcessFilter = {
  mark?: string;
  /** Parts of marks, whatever stands before and behind them: one of them is enough. */
  parts?: ReadonlySet<string>;
  pgid?: number;
  /**
   * Processes that started before this moment (see startOf) cannot have the mark, so most need not
   * be looked at.
   */
  since?: number;
};

type Entry = { pid: number; parent: number; pgid: number; session: number; started: number };

/** The pids of all living processes that match the filter, except this one. */
export function findProcesses(filter: ProcessFilter): number[] {
  const entries = readTable();
  const found = new Set<number>();
  for (const entry of entries) if (belongs(entry, filter)) found.add(entry.pid);
  addDescendants(entries, found);
  return [...found];
}

function readTable(): Entry[] {
  const entries: Entry[] = [];
  for (const name of listProc()) {
    const entry = /^\d+$/.test(name) ? readEntry(Number(name)) : undefined;
    if (entry && entry.pid !== process.pid) entries.push(entry);
  }
  return entries;
}

function listProc(): string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}

function readEntry(pid: number): Entry | undefined {
  const stat = readProc(pid, "stat");
  // The command name stands in brackets and may contain brackets itself: the fields follow the last
  // one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, pgid, session] = fields;
  if (state === undefined || state === "" || state === "Z" || state === "X") return undefined;
  return {
    pid,
    parent: Number(parent),
    pgid: Number(pgid),
    session: Number(session),
    started: Number(fields[19]),
  };
}

/** When a process started, in the kernel's ticks; 0 if that is unknown. */
export function startOf(pid: number): number {
  return readEntry(pid)?.started ?? 0;
}

function belongs(entry: Entry, { mark, parts, pgid, since = 0 }: ProcessFilter): boolean {
  if (pgid !== undefined && (entry.pgid === pgid || entry.session === pgid)) return true;
  if ((mark === undefined && parts === undefined) || entry.started < since) return false;
  const prefix = `${markVariable}=`;
  return readProc(entry.pid, "environ")
    .split("\0")
    .filter((variable) => variable.startsWith(prefix))
    .map((variable) => variable.slice(prefix.length))
    .some(
      (own) =>
        (mark !== undefined && covers(mark, own)) ||
        (parts !== undefined && own.split(":").some((part) => parts.has(part))),
    );
}

function addDescendants(entries: readonly Entry[], found: Set<number>): void {
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const entry of entries) if (found.has(entry.parent)) found.add(entry.pid);
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
