// A host: runs agents with nobody watching. It starts or resumes one, or takes over runs that
// another process leaves, and ends with the last of them.
import { RetinueError, errorText } from "../../base/errors.ts";
import type { Listener } from "../../events/event.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import { watchMessages } from "../../manager/background/leave-message.ts";
import { stopFolder, watchStopRequests } from "../../manager/background/stop-requests.ts";
import type { Manager } from "../../manager/agents/manager.ts";
import { openManager } from "../../manager/agents/open-manager.ts";
import type { HostAnswer, HostJob } from "./host-job.ts";
import { openSession, type OpenedSession } from "../session/open-session.ts";
import { resumeAgent } from "../main/resume-agent.ts";
import { runMainThread, settleMain, type MainThreadWatch } from "../main/run-main-thread.ts";

export type HostPorts = {
  tell: (answer: HostAnswer) => void;
  /** Specs of runs that were left for this host; ends when there are no more. */
  takes: AsyncIterable<RunSpec>;
  /** Stops everything. */
  signal: AbortSignal;
};

type Host = {
  opened: OpenedSession;
  tell: HostPorts["tell"];
  watch: MainThreadWatch;
  onManager: (manager: Manager) => void;
  onMain: (agentId: string) => void;
};

/** Resolves when every run has ended; their outcomes are on record. */
export async function runHost(job: HostJob, { tell, takes, signal }: HostPorts): Promise<void> {
  const stop = new AbortController();
  let main: string | undefined;
  let manager: Manager | undefined;
  const stopAll = (): void => {
    stop.abort("stop");
    void manager?.close();
  };
  if (signal.aborted) stopAll();
  signal.addEventListener("abort", stopAll);
  try {
    const opened = openSession(job.session);
    const unwatch = watchStopRequests(stopFolder(opened.session.configDir), (agentId) => {
      if (agentId !== main) return manager?.stopIfRunning(agentId) === true;
      stopAll();
      return true;
    });
    const stopWatchingMessages = watchMessages(opened.session.configDir, (id) =>
      manager?.runOf(id),
    );
    const onEvent: Listener = (event) =>
      void (event.type === "run-start" && tell({ started: event.agentId }));
    const host: Host = {
      opened,
      tell,
      watch: { signal: stop.signal, onEvent },
      onManager: (found) => (manager = found),
      onMain: (agentId) => (main = agentId),
    };
    try {
      if (job.start) await startMain(job.start, host);
      else if (job.resume) await resume(job.resume, host);
      else await takeOver(takes, host);
    } finally {
      unwatch();
      stopWatchingMessages();
      await opened.close();
    }
  } catch (error) {
    tell(problem(error));
  }
}

const problem = (error: unknown, agentId?: string): HostAnswer => ({
  error: errorText(error),
  code: error instanceof RetinueError ? error.code : "platform",
  ...(agentId === undefined ? {} : { agentId }),
});

async function startMain(
  input: NonNullable<HostJob["start"]>,
  { opened, watch, tell, onMain, onManager }: Host,
): Promise<void> {
  onMain(input.agentId);
  const spec = await settleMain(opened, { ...input, background: true });
  const { outcome } = await runMainThread(opened, spec, {
    ...watch,
    isResumed: true,
    onStart: (_run, manager) => onManager(manager),
  });
  // Heard only where the run did not even begin.
  tell({
    error: outcome.error ?? "it could not begin",
    code: outcome.reason === "storage" ? "storage" : "config",
  });
}

async function resume(
  { agentId, prompt }: NonNullable<HostJob["resume"]>,
  { opened, watch, tell, onManager }: Host,
): Promise<void> {
  const agent = { agentId, prompt, background: true };
  const result = await resumeAgent(opened, agent, { ...watch, onManager });
  tell({ error: result.error ?? "it could not begin", code: "config" });
}

/** All under one manager, so that a main thread still hears of the agents that came with it. */
async function takeOver(
  takes: HostPorts["takes"],
  { opened, watch, tell, onMain, onManager }: Host,
): Promise<void> {
  let manager: Manager | undefined;
  const runs: Promise<unknown>[] = [];
  const take = async (spec: RunSpec): Promise<void> => {
    manager ??= openManager(opened.session, {
      parent: { policy: spec.policy, model: spec.model },
      onEvent: watch.onEvent,
    });
    onManager(manager);
    if (spec.isMain) onMain(spec.agentId);
    await (spec.isMain
      ? runMainThread(opened, spec, { ...watch, manager })
      : manager.take(spec).done);
  };
  tell({ ready: true });
  for await (const spec of takes)
    runs.push(
      take(spec)
        .catch((error: unknown) => tell(problem(error, spec.agentId)))
        .then(() => tell({ started: spec.agentId })),
    );
  await Promise.all(runs);
  await manager?.close();
}
