// Stops a run from any process: asks the one that runs it, and returns when its processes are gone.
import { limits } from "../../base/limits.ts";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import {
  requestStop,
  stopFolder,
  type StopRequest,
} from "../../manager/background/stop-requests.ts";
import type { Environment } from "../../manager/session/session.ts";
import { sweepRun } from "../../process/sweep.ts";
import type { RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { lookAgain } from "./find-run.ts";

/**
 * `over`: there was nothing to stop. `killed`: the host did not react and was ended. `deaf`:
 * neither helped.
 */
export type Stopped = { result: "stopped" | "over" | "killed" | "deaf"; run: RunOnDisk };

/** A watchdog looks for what is left as soon as its host is gone; this is the time it takes. */
const sweepMs = 500;
const pollMs = 30;

export async function stopRun(run: RunOnDisk, env: Environment): Promise<Stopped> {
  if (run.state !== "running") return { result: (await hadLeft(run)) ? "stopped" : "over", run };
  const request = askToStop(run, env);
  try {
    const after = await untilOver(run, request);
    if (after.state !== "running") return { result: "stopped", run: after };
    const host = after.holder?.pid;
    if (host === undefined || !isHost(host)) return { result: "deaf", run: after };
    process.kill(host, "SIGKILL");
    await sleep(sweepMs);
    return { result: "killed", run: lookAgain(run) };
  } finally {
    request.withdraw();
  }
}

/** Whether a lost run had processes left, which are gone now: its host and its watchdog died together. */
async function hadLeft({ reason, runId }: RunOnDisk): Promise<boolean> {
  return reason === "lost" && runId !== undefined && (await sweepRun(runId)) > 0;
}

/**
 * A full or read-only disk takes no request, and what fills it is to be stopped all the same: a
 * host ends its runs when it is told so by a signal.
 */
function askToStop(run: RunOnDisk, env: Environment): StopRequest {
  try {
    return requestStop(stopFolder(claudeConfigDir(env)), run.agentId);
  } catch {
    const host = run.holder?.pid;
    const isTold = host !== undefined && isHost(host);
    if (isTold) process.kill(host, "SIGTERM");
    return { isTaken: () => isTold, withdraw: () => {} };
  }
}

async function untilOver(run: RunOnDisk, request: StopRequest): Promise<RunOnDisk> {
  const started = performance.now();
  for (;;) {
    const now = lookAgain(run);
    if (
      now.state !== "running" ||
      performance.now() - started >
        (request.isTaken() ? limits.task.hostStopMs : limits.task.hostAnswerMs)
    )
      return now;
    await sleep(pollMs);
  }
}

/** A process that does nothing but run agents. Of any other one only its owner may dispose. */
function isHost(pid: number): boolean {
  try {
    const [, , command] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return command === "host";
  } catch {
    return false;
  }
}
