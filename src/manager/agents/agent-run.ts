// An agent that runs, as callers hold it, list it and stop it.
import type { RunEvent } from "../../events/event.ts";
import type { RunState } from "../../events/outcome.ts";
import type { RunHandle } from "../run/run-handle.ts";
import type { AgentResult } from "../session/agent-result.ts";
import { eventStream } from "./event-stream.ts";

/** One started agent: wait for `done`, or read its events. */
export type AgentRun<T = unknown> = {
  readonly id: string;
  /** Never rejects. */
  readonly done: Promise<AgentResult<T>>;
  events(): AsyncIterable<RunEvent>;
};

/** One line of `list()`: an agent that runs now. */
export type AgentStatus = {
  agent_id: string;
  agent_type: string;
  name: string | null;
  state: "running";
  started_at: string;
  background: boolean;
  metrics: { turns: number; tool_uses: number; tokens_used: number };
};

/** What `stop` did. */
export type StopResult = {
  agent_id: string;
  /** False when it had ended before, and when it runs in another process. */ stopped: boolean;
  state: RunState | "running";
  message: string;
};

export const agentRun = (run: RunHandle): AgentRun => ({
  id: run.spec.agentId,
  done: run.done,
  events: () => eventStream(run),
});

export const agentStatus = ({
  spec,
  startedAt,
  isBackground,
  progress: { turns, tool_uses, tokens_used },
}: RunHandle): AgentStatus => ({
  agent_id: spec.agentId,
  agent_type: spec.agentType,
  name: spec.name ?? null,
  state: "running",
  started_at: startedAt,
  background: isBackground,
  metrics: { turns, tool_uses, tokens_used },
});
