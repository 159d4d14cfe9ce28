// Which process something belongs to: its id, and when it and its machine started, because ids are
// used again. Works among processes of one machine that share their process ids.
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import type { Boot } from "../fact-line.ts";

export type ProcessIdentity = { pid: number; startTime: string | null; bootId: string | null };

export function processIdentity(pid: number): ProcessIdentity {
  return { pid, startTime: startTimeOf(pid) ?? null, bootId: currentBootId() };
}

export function isAlive(process: ProcessIdentity): boolean {
  const boot = currentBootId();
  if (process.bootId !== null && boot !== null && process.bootId !== boot) return false;
  if (!processExists(process.pid)) return false;
  const startTime = startTimeOf(process.pid);
  return process.startTime === null || startTime === undefined || startTime === process.startTime;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Clock ticks from boot to the start of the process; null for a zombie, undefined without /proc.
 */
function startTimeOf(pid: number): string | null | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : fields[19];
  } catch {
    return undefined;
  }
}

let uptimeRead = { seconds: 0, atMs: Number.NEGATIVE_INFINITY };
const uptimeGoodMs = 10_000;

/** Asking the system means reading a file; for some seconds the clock gives the answer. */
export function currentBoot(): Boot {
  const now = Date.now();
  const since = now - uptimeRead.atMs;
  if (!(since >= 0 && since < uptimeGoodMs)) uptimeRead = { seconds: uptime(), atMs: now };
  return {
    id: currentBootId(),
    uptimeSeconds: Math.floor(uptimeRead.seconds + (now - uptimeRead.atMs) / 1_000),
  };
}

let bootId: string | null | undefined;

/** Null if the system does not tell (macOS). */
function currentBootId(): string | null {
  if (bootId !== undefined) return bootId;
  try {
    bootId = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    bootId = null;
  }
  return bootId;
}
