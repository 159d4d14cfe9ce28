// Goes on with a sub-agent of an earlier session outside of its main thread: the same agent, never
// with more permissions than it had.
import { basename, dirname } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import type { AgentResult } from "../../manager/session/agent-result.ts";
import type { Manager } from "../../manager/agents/manager.ts";
import { openManager } from "../../manager/agents/open-manager.ts";
import { resolveMainPolicy } from "../../manager/run/settle/resolve-policy.ts";
import { listRuns, type RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { projectOf } from "../runs/find-run.ts";
import type { OpenedSession } from "../session/open-session.ts";
import type { MainThreadWatch } from "./run-main-thread.ts";

/** The folder that the session of a run belongs to; an isolated agent has worked in another one. */
export function sessionFolder(run: RunOnDisk): string {
  const project = projectOf(run);
  const main = listRuns(dirname(project), {
    project: basename(project),
    sessionId: run.sessionId,
  }).find(({ isMain }) => isMain);
  const cwd = (main ?? run).header["cwd"];
  if (typeof cwd === "string") return cwd;
  throw new RetinueError(
    "usage",
    `${run.agentId} cannot be continued: its transcript does not say where it worked (${run.transcript}).`,
  );
}

export type AgentWatch = Pick<MainThreadWatch, "signal" | "onEvent"> & {
  onManager?: (manager: Manager) => void;
};

/** Throws for what keeps it from beginning; everything later is in the result. */
export async function resumeAgent(
  { session }: OpenedSession,
  agent: { agentId: string; prompt: string; background: boolean },
  { signal, onEvent, onManager }: AgentWatch,
): Promise<AgentResult> {
  const caller = {
    name: "resume",
    description: "the caller",
    prompt: "",
    source: "library" as const,
    priority: 0,
  };
  const manager = openManager(session, {
    parent: { policy: resolveMainPolicy(session, caller, { cwd: session.cwd }), model: "inherit" },
    onEvent,
  });
  onManager?.(manager);
  const stop = (): void => void manager.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const run = manager.resume(agent.agentId, agent.prompt, { background: agent.background });
    const handle = manager.runOf(run.id);
    if (signal.aborted) stop();
    const result = await run.done;
    if (handle?.refusal) throw handle.refusal;
    return result;
  } finally {
    signal.removeEventListener("abort", stop);
    await manager.close();
  }
}
