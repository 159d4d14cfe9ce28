// Stopping an agent that runs in this process: it is over, and its processes are gone, when this
// returns.
import { limits } from "../../base/limits.ts";
import type { RunHandle } from "../run/run-handle.ts";
import {
  agentResult,
  outcomeWithout,
  type AgentOutput,
  type AgentResult,
} from "../session/agent-result.ts";
import type { StopResult } from "./agent-run.ts";

/** `end` ends a run that does not react in time. */
export async function stopAgent(
  run: RunHandle,
  { transcript, end }: { transcript: string; end: (result: AgentResult) => void },
): Promise<StopResult> {
  const agent_id = run.spec.agentId;
  run.stop();
  if (!(await within(run.done, limits.task.stopMs))) end(unresponsive(run, transcript));
  const { state, reason } = await run.done;
  // Another process had it before the stop could be heard.
  if (reason === "moved")
    return {
      agent_id,
      stopped: false,
      state: "running",
      message: `${agent_id} has gone on in another process; \`retinue stop ${agent_id}\` reaches it`,
    };
  const stopped = state === "stopped";
  const message = stopped
    ? `${agent_id} was stopped`
    : `${agent_id} ended (${state}) before it could be stopped`;
  return { agent_id, stopped, state, message };
}

/** For an agent that does not run in this process. */
export function hadEnded({ agent_id, state }: AgentOutput): StopResult {
  const message =
    state === "running"
      ? `${agent_id} runs in another process; \`retinue stop ${agent_id}\` reaches it`
      : `${agent_id} had already ended (${state}); nothing was changed`;
  return { agent_id, stopped: false, state, message };
}

function unresponsive(run: RunHandle, transcript: string): AgentResult {
  const outcome = outcomeWithout("stopped", "cancelled", "stopped; it did not react in time");
  return agentResult(
    run.spec,
    { ...outcome, content: run.text },
    { transcript, outputFile: run.outputFile, notes: run.notes },
  );
}

/** Undefined when it has not settled by then. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms))),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
