// Events as JSON lines in the form that readers of Claude Code's stream know: init, assistant,
// user, the tasks of sub-agents, and at the end the result.
import { oneLine } from "../../base/text/printable.ts";
import type { RunEvent } from "../../events/event.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Io } from "../io.ts";

export function streamJson(io: Io, session: { sessionId: string }): (event: RunEvent) => void {
  const print = (line: Record<string, unknown>): void =>
    io.out(JSON.stringify({ ...line, session_id: session.sessionId }));
  const tasks = new Map<string, RunSpec & { tool_uses: number }>();
  return (event) => {
    if (event.type === "run-start" && !event.spec.isMain)
      tasks.set(event.agentId, { ...event.spec, tool_uses: 0 });
    const task = tasks.get(event.agentId);
    const line = task ? taskLine(event, task) : mainLine(event);
    if (event.type === "run-end") tasks.delete(event.agentId);
    if (line) print(line);
  };
}

function mainLine(event: RunEvent): Record<string, unknown> | undefined {
  if (event.type === "run-start") {
    const { place, model, tools, policy, agentType } = event.spec;
    return {
      type: "system",
      subtype: "init",
      cwd: place.cwd,
      model,
      tools,
      permissionMode: policy.mode ?? "default",
      agent: agentType,
    };
  }
  if (event.type === "message" && event.origin !== "prompt") {
    return {
      type: event.message.role,
      message: event.reply ? { ...event.message, ...event.reply } : event.message,
      parent_tool_use_id: null,
    };
  }
  if (event.type === "model-wait")
    return {
      type: "system",
      subtype: "api_retry",
      attempt: event.attempt,
      retry_delay_ms: event.delayMs,
      error: event.kind,
      ...(event.message === undefined ? {} : { message: event.message }),
    };
  if (event.type === "compaction")
    return {
      type: "system",
      subtype: "compact_boundary",
      compact_metadata: { trigger: event.trigger, pre_tokens: event.preTokens },
    };
  return event.type === "warning"
    ? { type: "system", subtype: "warning", message: event.message }
    : undefined;
}

/**
 * Of a sub-agent a stream tells that it started, what it is at, and how it ended; its conversation
 * stands in its transcript.
 */
function taskLine(
  event: RunEvent,
  task: RunSpec & { tool_uses: number },
): Record<string, unknown> | undefined {
  const about = {
    type: "system",
    task_id: event.agentId,
    agent_type: task.agentType,
    tool_use_id: task.toolUseId ?? null,
  };
  if (event.type === "run-start")
    return {
      ...about,
      subtype: "task_started",
      description: task.description ?? "",
      model: task.model,
      background: task.background,
    };
  if (event.type === "tool-end") {
    task.tool_uses += 1;
    return {
      ...about,
      subtype: "task_progress",
      last_tool_name: event.tool,
      is_error: event.isError,
      summary: oneLine(event.summary, 200),
      tool_uses: task.tool_uses,
    };
  }
  if (event.type !== "run-end") return undefined;
  const { state, reason, metrics } = event.outcome;
  return {
    ...about,
    subtype: "task_notification",
    status: state,
    ...(reason === undefined ? {} : { reason }),
    usage: {
      tokens_used: metrics.tokens_used,
      tool_uses: metrics.tool_uses,
      duration_ms: metrics.duration_ms,
    },
  };
}
