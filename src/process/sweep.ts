// Ends a whole process tree and returns when it is gone: the group first, then whatever carries the
// mark, in rounds, until a look finds nothing.
import { setTimeout as sleep } from "node:timers/promises";
import { findProcesses, type Quarry } from "./process-table.ts";

export type Swept = {
  /**
   * How many processes were found alive (on systems without /proc: whether the group was, 0 or 1).
   */
  ended: number;
  /** Pids still alive after the deadline; empty but for processes that nothing can kill. */
  left: number[];
};

export type SweepOptions = Quarry & {
  /** How long a polite SIGTERM may take before SIGKILL; 0 kills at once. */
  graceMs: number;
  deadlineMs?: number;
};

const roundMs = 20;

export async function sweep({
  graceMs,
  deadlineMs = 1_500,
  ...quarry
}: SweepOptions): Promise<Swept> {
  const seen = new Set<number>();
  const strike = (signal: NodeJS.Signals): number[] => {
    const alive = living(quarry);
    for (const pid of alive) seen.add(Math.abs(pid));
    if (quarry.pgid !== undefined && alive.length > 0) send(-quarry.pgid, signal);
    for (const pid of alive) send(pid, signal);
    return alive;
  };
  const started = performance.now();
  let alive = graceMs > 0 ? strike("SIGTERM") : [];
  while (alive.length > 0 && performance.now() - started < graceMs) {
    await sleep(roundMs);
    alive = living(quarry);
  }
  const killing = performance.now();
  // Two empty looks in a row: a process may fork between being read and being killed.
  for (let quiet = graceMs > 0 && alive.length === 0 ? 1 : 0; quiet < 2;) {
    alive = strike("SIGKILL");
    quiet = alive.length === 0 ? quiet + 1 : 0;
    if (performance.now() - killing > deadlineMs) break;
    if (alive.length > 0) await sleep(roundMs);
  }
  return { ended: seen.size, left: alive };
}

function living(quarry: Quarry): number[] {
  if (process.platform === "linux") return findProcesses(quarry);
  return quarry.pgid !== undefined && send(-quarry.pgid, 0) ? [-quarry.pgid] : [];
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
