// Counts the processes and memory of a command and its descendants, and reports when they exceed
// the caps: for machines without a control group.
import { existsSync, readdirSync, readFileSync } from "node:fs";

export type GroupCaps = { processes: number; memoryBytes: number };

const everyMs = 100;
/** Counting takes at most this share of a core. */
const share = 0.02;
const pageBytes = 4096;

/**
 * Without the kernel's lists of children no descendants can be found; kernels of distributions have
 * them.
 */
export const canWatchCaps = (): boolean =>
  existsSync(`/proc/${process.pid}/task/${process.pid}/children`);

/** Calls `onExceeded` once, with a sentence. Returns the function that ends the watch. */
export function watchCaps(
  pid: number,
  caps: GroupCaps,
  onExceeded: (problem: string) => void,
): () => void {
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const started = performance.now();
    const problem = excess(pid, caps);
    if (problem !== undefined) return onExceeded(problem);
    timer = setTimeout(look, Math.max(everyMs, (performance.now() - started) / share)).unref();
  };
  timer = setTimeout(look, everyMs).unref();
  return () => clearTimeout(timer);
}

function excess(pid: number, { processes, memoryBytes }: GroupCaps): string | undefined {
  const { tasks, pids } = below(pid, processes);
  if (tasks > processes)
    return `it had more than ${processes} processes and threads at once, which is the limit: it was ended`;
  const sum = (bytesOf: (one: number) => number): number =>
    pids.reduce((bytes, one) => bytes + bytesOf(one), 0);
  // The quick figure counts memory that forks share once for each fork; the exact one counts it
  // once.
  if (sum(ownBytes) <= memoryBytes || sum(shareOfBytes) <= memoryBytes) return undefined;
  return (
    `its processes took more than ${Math.round(memoryBytes / 1024 ** 2)} MB together, ` +
    "which is the limit: it was ended"
  );
}

/**
 * The process and its descendants; orphans belong to the first process of their sandbox, which is
 * one of them.
 */
function below(pid: number, most: number): { tasks: number; pids: number[] } {
  const pids = [pid];
  const known = new Set(pids);
  let tasks = 0;
  for (let at = 0; at < pids.length && tasks <= most; at++) {
    const folder = `/proc/${pids[at]}/task`;
    for (const task of namesIn(folder)) {
      tasks += 1;
      for (const child of textOf(`${folder}/${task}/children`).split(" ").map(Number)) {
        if (child > 0 && !known.has(child)) pids.push(child);
        known.add(child);
      }
    }
  }
  return { tasks, pids };
}

/** Resident memory without files and shared memory. */
function ownBytes(pid: number): number {
  const [, resident = 0, shared = 0] = textOf(`/proc/${pid}/statm`).split(" ").map(Number);
  return (resident - shared) * pageBytes;
}

function shareOfBytes(pid: number): number {
  return (
    Number(/^Pss_Anon:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty for processes that have ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
