// A host: runs agents with nobody watching. It starts a main thread, or takes over runs that another process leaves, and ends with the last of them.
import { RetinueError, errorText } from "../base/errors.ts";
import type { Listener } from "../events/event.ts";
import type { RunSpec } from "../executors/run-spec.ts";
import { stopFolder, watchStopRequests } from "../manager/background/stop-requests.ts";
import type { HostAnswer, HostJob } from "./host-job.ts";
import { openSession } from "./open-session.ts";
import { continueMain, runMain } from "./run-main.ts";

export type HostPorts = {
  tell: (answer: HostAnswer) => void;
  /** Specs of runs that were left for this host; ends when there are no more. */
  takes: AsyncIterable<RunSpec>;
  /** Stops everything. */
  signal: AbortSignal;
};

/** Resolves when every run has ended; their outcomes are on record. */
export async function runHost(job: HostJob, { tell, takes, signal }: HostPorts): Promise<void> {
  const stops = new Map<string, AbortController>();
  const stopOf = (agentId: string): AbortSignal => {
    const controller = new AbortController();
    stops.set(agentId, controller);
    if (signal.aborted) controller.abort("stop");
    return controller.signal;
  };
  signal.addEventListener("abort", () => stops.forEach((controller) => controller.abort("stop")));
  try {
    const opened = openSession(job.session);
    const onEvent: Listener = (event) => void (event.type === "run-start" && tell({ started: true }));
    const unwatch = watchStopRequests(stopFolder(opened.session.configDir), (agentId) => {
      stops.get(agentId)?.abort("stop");
      return stops.has(agentId);
    });
    try {
      if (job.start) {
        const { outcome } = await runMain(opened, { ...job.start, background: true }, { signal: stopOf(job.start.agentId), onEvent });
        tell(outcome.state === "failed" ? { error: outcome.error ?? "it failed", code: outcome.reason === "storage" ? "storage" : "config" } : { started: true });
      } else {
        tell({ ready: true });
        const runs: Promise<unknown>[] = [];
        for await (const spec of takes) runs.push(continueMain(opened, spec, { signal: stopOf(spec.agentId), onEvent }));
        await Promise.all(runs);
      }
    } finally {
      unwatch();
      await opened.close();
    }
  } catch (error) {
    tell({ error: errorText(error), code: error instanceof RetinueError ? error.code : "platform" });
  }
}
