// A main thread for programs: one agent that answers freely and may start the others, as `retinue
// run` does it; in the caller's process.
import type { Requirement } from "../../contract/trust/requirement.ts";
import { RetinueError } from "../../base/errors.ts";
import type { RunEvent } from "../../events/event.ts";
import { agentResult, type AgentResult } from "../../manager/session/agent-result.ts";
import { stopFolder, watchStopRequests } from "../../manager/background/stop-requests.ts";
import type { Manager } from "../../manager/agents/manager.ts";
import { checkForFlow, type FlowOptions } from "../flows/start-flow.ts";
import { refuseUnknown } from "../refuse-unknown.ts";
import { openSession } from "../session/open-session.ts";
import { quietListener } from "../quiet-listener.ts";
import { runMainThread, settleMain } from "./run-main-thread.ts";

/** What `runMain` runs: a prompt, and the agent that leads. */
export type MainRequest = {
  prompt: string;
  /** `general-purpose`, or what the settings name, without it. */
  agent?: string;
  /** The form that its answer must have; without it, what its definition names. */
  contract?: "report" | "handoff" | "none";
  /** The least trust that lets its answer proceed. */
  require?: Requirement;
  name?: string;
};

export type MainWatch = {
  signal?: AbortSignal | undefined;
  /** Hears the events of the main thread and of its agents. */
  onEvent?: (event: RunEvent) => unknown;
};

/** What `runMain` returns: the lead's own result, and those of the agents it started. */
export type MainResult = Omit<AgentResult, "report" | "output_file" | "worktree"> & {
  session_id: string;
  /** The agents it started, in the order of their ends. */
  agents: AgentResult[];
  /** Of all of them together; null where a price is not known. */
  total_cost_usd: number | null;
};

/**
 * Runs an agent that may start other agents, and waits for all of them, also for those that it left
 * in the background. Throws a RetinueError for what cannot be started; how it ended is in the result.
 */
export async function runMain(
  options: FlowOptions,
  request: MainRequest,
  watch: MainWatch = {},
): Promise<MainResult> {
  const { options: given, named } = checkForFlow(options);
  refuseUnknown(
    request,
    { prompt: true, agent: true, contract: true, require: true, name: true },
    "runMain: request",
  );
  refuseUnknown(watch, { signal: true, onEvent: true }, "runMain: watch");
  if (typeof request.prompt !== "string")
    throw new RetinueError(
      "usage",
      "runMain: request.prompt: expected a text that says what is to be done",
    );
  const opened = openSession(given);
  const { session } = opened;
  const stop = new AbortController();
  let manager: Manager | undefined;
  try {
    const spec = await settleMain(opened, { ...request, model: named, limits: {} });
    // `retinue stop` of another process reaches what runs in this one.
    const unwatch = watchStopRequests(stopFolder(session.configDir), (id) =>
      id === spec.agentId ? (stop.abort(), true) : manager?.stopIfRunning(id) === true,
    );
    const signal = watch.signal ? AbortSignal.any([watch.signal, stop.signal]) : stop.signal;
    const run = await runMainThread(opened, spec, {
      signal,
      ...(watch.onEvent ? { onEvent: quietListener(watch.onEvent) } : {}),
      onStart: (_run, open) => void (manager = open),
    }).finally(unwatch);
    const { report: _none, ...result } = agentResult(run, run.outcome, {
      transcript: run.transcript,
      notes: opened.warnings,
    });
    return {
      ...result,
      verification: run.verification,
      session_id: session.id,
      agents: run.agents,
      total_cost_usd: run.totalCostUsd,
    };
  } finally {
    await opened.close();
  }
}
