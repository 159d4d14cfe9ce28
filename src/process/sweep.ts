// Ends a whole process tree and returns when it is gone: first the group, then every process with
// the mark, again until a search finds none.
import { setTimeout as sleep } from "node:timers/promises";
import { runPart } from "./mark.ts";
import { findProcesses, type ProcessFilter } from "./find-processes.ts";

export type Swept = {
  /** The number of processes found alive (without /proc: 1 if the group was alive, else 0). */
  ended: number;
  /** Pids still alive after the deadline; only processes that nothing can kill. */
  left: number[];
};

export type SweepOptions = ProcessFilter & {
  /** How long a SIGTERM may take before SIGKILL; 0 kills at once. */
  graceMs: number;
  deadlineMs?: number;
};

const roundMs = 20;

export async function sweep({
  graceMs,
  deadlineMs = 1_500,
  ...filter
}: SweepOptions): Promise<Swept> {
  const seen = new Set<number>();
  const strike = (signal: NodeJS.Signals): number[] => {
    const alive = living(filter);
    for (const pid of alive) seen.add(Math.abs(pid));
    if (filter.pgid !== undefined && alive.length > 0) send(-filter.pgid, signal);
    for (const pid of alive) send(pid, signal);
    return alive;
  };
  const started = performance.now();
  let alive = graceMs > 0 ? strike("SIGTERM") : [];
  while (alive.length > 0 && performance.now() - started < graceMs) {
    await sleep(roundMs);
    alive = living(filter);
  }
  const killing = performance.now();
  // Two searches in a row must find nothing: a process may fork between being read and being
  // killed.
  for (let quiet = graceMs > 0 && alive.length === 0 ? 1 : 0; quiet < 2;) {
    alive = strike("SIGKILL");
    quiet = alive.length === 0 ? quiet + 1 : 0;
    if (performance.now() - killing > deadlineMs) break;
    if (alive.length > 0) await sleep(roundMs);
  }
  return { ended: seen.size, left: alive };
}

/**
 * Ends what a run has left behind that lost its host and its watchdog. Returns how many processes
 * there were.
 */
export async function sweepRun(runId: string): Promise<number> {
  const part = runPart(runId);
  if (part === undefined) return 0;
  return (await sweep({ parts: new Set([part]), graceMs: 0 })).ended;
}

/** Runs whose sweep has not begun. */
let lost: { parts: Set<string>; swept: Promise<void> } | undefined;
let sweeping: Promise<unknown> = Promise.resolve();

/**
 * As `sweepRun`. A search reads every process of the machine: one serves all runs that are asked for
 * until it begins, as when a worker takes over those of a dead one.
 */
export function sweepLostRun(runId: string): Promise<void> {
  const part = runPart(runId);
  if (part === undefined) return Promise.resolve();
  lost ??= gatherLost();
  lost.parts.add(part);
  return lost.swept;
}

function gatherLost(): NonNullable<typeof lost> {
  const parts = new Set<string>();
  const swept = sweeping.then(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    lost = undefined;
    await sweep({ parts, graceMs: 0 });
  });
  sweeping = swept.catch(() => undefined);
  return { parts, swept };
}

function living(filter: ProcessFilter): number[] {
  if (process.platform === "linux") return findProcesses(filter);
  return filter.pgid !== undefined && send(-filter.pgid, 0) ? [-filter.pgid] : [];
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
