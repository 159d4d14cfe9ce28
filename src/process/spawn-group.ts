// Runs one command in its own session and process group, with a mark, limits and no terminal. It
// ends when the shell exits, even if others still hold its pipes, and leaves no process.
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { markVariable, newMark } from "./mark.ts";
import { startOf } from "./find-processes.ts";
import { sweep } from "./sweep.ts";
import { hostWatchdog, type Watchdog } from "./watchdog.ts";

export type ResourceLimits = { fileBytes?: number; memoryBytes?: number };

export type GroupOptions = {
  argv: readonly string[];
  cwd: string;
  /** The complete environment, already scrubbed by the caller; the mark is added. */
  env: Record<string, string>;
  /** The mark of the run; the group gets its own mark below it. */
  mark: string;
  /** Open files that the command inherits as 3, 4, …; closed here once it has started. */
  handles?: readonly number[];
  /** Input for the command; /dev/null by default. */
  stdin?: string;
  /** One pipe for both, in the order in which they were written. */
  mergeStderr?: boolean;
  limits?: ResourceLimits;
  timeoutMs?: number;
  /** The time between SIGTERM and SIGKILL. */
  graceMs: number;
  signal?: AbortSignal;
  /** The watchdog; the host's by default. */
  watchdog?: Pick<Watchdog, "add" | "remove">;
  /** True asks for a slower pace: the output is no longer kept, only drained. */
  onOutput: (chunk: Buffer, stream: "stdout" | "stderr") => boolean | void;
};

export type GroupEnd = {
  ended: "exit" | "timeout" | "stopped" | "not-started";
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  durationMs: number;
  /** The number of processes that were alive when the command had exited, and were then ended. */
  leftBehind: number;
  /** Why it did not start. */
  problem?: string;
};

export type ProcessGroup = {
  pid: number | undefined;
  done: Promise<GroupEnd>;
  stop(): Promise<GroupEnd>;
};

type Exit = { code: number | null; signal: NodeJS.Signals | null; problem?: string };

const closeOnExec = 0o2000000;
const drainMs = 300;
const leftoverGraceMs = 100;
const pausePerMegabyteMs = 4;

/** `done` never rejects; it resolves when the whole process tree is gone. */
export function spawnGroup(options: GroupOptions): ProcessGroup {
  const started = performance.now();
  const watchdog = options.watchdog ?? hostWatchdog();
  const mark = newMark(options.mark);
  const child = start(options, mark);
  const since = child.pid === undefined ? 0 : startOf(child.pid);
  const exited = exitOf(child);
  let cause: "exit" | "timeout" | "stopped" = "exit";
  let killing: Promise<unknown> | undefined;
  const kill = (why: "timeout" | "stopped"): void => {
    if (killing || child.pid === undefined) return;
    if (child.exitCode === null && child.signalCode === null) {
      cause = why;
      // Sent before any search: while thousands of processes multiply, a search would be too slow.
      signalGroup(child.pid, options.graceMs > 0 ? "SIGTERM" : "SIGKILL");
    }
    killing = sweep({ mark, pgid: child.pid, since, graceMs: options.graceMs });
  };
  const stopped = (): void => kill("stopped");
  const timer =
    options.timeoutMs === undefined ? undefined : setTimeout(kill, options.timeoutMs, "timeout");
  options.signal?.addEventListener("abort", stopped, { once: true });
  if (options.signal?.aborted) stopped();
  if (child.pid !== undefined) watchdog.add(child.pid);
  collect(child, options);

  const finish = async (): Promise<GroupEnd> => {
    const exit = await exited;
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", stopped);
    if (exit.problem !== undefined)
      return {
        ended: "not-started",
        exitCode: null,
        signal: null,
        durationMs: performance.now() - started,
        leftBehind: 0,
        problem: exit.problem,
      };
    const durationMs = performance.now() - started;
    await killing;
    const { ended } = await sweep({ mark, pgid: child.pid!, since, graceMs: leftoverGraceMs });
    await drain(child);
    watchdog.remove(child.pid!);
    return {
      ended: cause,
      exitCode: exit.code,
      signal: exit.signal,
      durationMs,
      leftBehind: ended,
    };
  };
  const done = finish();
  return { pid: child.pid, done, stop: () => (kill("stopped"), done) };
}

/** Only while the child has not been waited for: until then its number cannot be reused. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has just ended.
  }
}

function start(options: GroupOptions, mark: string): ChildProcess {
  const env = { ...options.env, [markVariable]: mark };
  const stdin = options.stdin === undefined ? "ignore" : "pipe";
  // A shell sets the limits and then becomes the command: the pid and the exit code stay the same.
  const handles = options.handles ?? [];
  const strays = strayHandles().filter((handle) => handle > 2 + handles.length);
  const limited =
    `${limitLines(options.limits ?? {})}${strays.map((handle) => `exec ${handle}>&-; `).join("")}exec ` +
    `"$@"${options.mergeStderr ? " 2>&1" : ""}`;
  // The plain shell starts faster but cannot name a handle above 9. Bash without --norc takes a
  // piped input for a remote login and reads the startup file.
  const [program, flags] =
    strays.length > 0 ? ["/bin/bash", ["--norc", "--posix"]] : ["/bin/sh", []];
  let child: ChildProcess;
  try {
    child = spawn(program, [...flags, "-c", limited, "sh", ...options.argv], {
      cwd: options.cwd,
      env,
      detached: true,
      stdio: [stdin, "pipe", options.mergeStderr ? "ignore" : "pipe", ...handles],
    });
  } finally {
    for (const handle of handles) closeSync(handle);
  }
  child.stdin?.on("error", () => {});
  child.stdin?.end(options.stdin);
  return child;
}

let strays: number[] | undefined;

/**
 * Open files that this process inherited and every child would inherit too: a terminal, a socket, a
 * log. Node's own files are never passed on.
 */
function strayHandles(): number[] {
  try {
    strays ??= existsSync("/bin/bash")
      ? readdirSync("/proc/self/fd")
          .map(Number)
          .filter((handle) => handle > 2 && isPassedOn(handle))
      : [];
  } catch {
    strays = [];
  }
  return strays;
}

function isPassedOn(handle: number): boolean {
  try {
    const flags =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, "latin1"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}

function limitLines({ fileBytes, memoryBytes }: ResourceLimits): string {
  const lines = ["ulimit -c 0"];
  if (fileBytes !== undefined) lines.push(`ulimit -f ${Math.ceil(fileBytes / 512)}`);
  // Limits the data segment, not the address space: runtimes reserve terabytes of address space and
  // never use them.
  if (memoryBytes !== undefined) lines.push(`ulimit -d ${Math.ceil(memoryBytes / 1024)}`);
  return lines.map((line) => `${line} 2>/dev/null; `).join("");
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.on("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, problem: error.message });
    });
  });
}

function collect(child: ChildProcess, { onOutput }: GroupOptions): void {
  for (const name of ["stdout", "stderr"] as const) {
    const stream = child[name];
    if (!stream) continue;
    let drained = 0;
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => {
      if (onOutput(chunk, name) !== true) return;
      drained += chunk.length;
      if (drained < 1024 * 1024) return;
      // A full pipe blocks its writer: so a flood of output costs a bounded share of a core.
      drained = 0;
      stream.pause();
      setTimeout(() => stream.resume(), pausePerMegabyteMs);
    });
  }
}

/**
 * What is left in the pipes arrives at once, since nobody writes any more; an unknown process that
 * holds a pipe is not waited for.
 */
async function drain(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const open = streams.filter((stream) => !stream.readableEnded && !stream.destroyed);
  const ends = open.map((stream) => new Promise((resolve) => stream.once("close", resolve)));
  await Promise.race([Promise.all(ends), sleep(drainMs, undefined, { ref: false })]);
  for (const stream of streams) stream.destroy();
}
