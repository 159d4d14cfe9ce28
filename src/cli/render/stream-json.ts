// Events as JSON lines in the form that readers of Claude Code's stream know: init, assistant, user, and at the end the result.
import type { RunEvent } from "../../events/event.ts";
import type { Io } from "../io.ts";

export function streamJson(io: Io, session: { sessionId: string }): (event: RunEvent) => void {
  const print = (line: Record<string, unknown>): void => io.out(JSON.stringify({ ...line, session_id: session.sessionId }));
  return (event) => {
    if (event.type === "run-start") {
      const { cwd, model, tools, policy, agentType } = event.spec as { cwd: string; model: string; tools: string[]; policy: { mode?: string }; agentType: string };
      print({ type: "system", subtype: "init", cwd, model, tools, permissionMode: policy.mode ?? "default", agent: agentType });
    } else if (event.type === "message" && event.origin !== "prompt") {
      const { role } = event.message;
      print({ type: role, message: event.reply ? { ...event.message, ...event.reply } : event.message, parent_tool_use_id: null });
    } else if (event.type === "model-wait") {
      print({ type: "system", subtype: "api_retry", attempt: event.attempt, retry_delay_ms: event.delayMs, error: event.kind });
    } else if (event.type === "compaction") {
      print({ type: "system", subtype: "compact_boundary", compact_metadata: { trigger: event.trigger, pre_tokens: event.preTokens } });
    } else if (event.type === "warning") {
      print({ type: "system", subtype: "warning", message: event.message });
    }
  };
}
