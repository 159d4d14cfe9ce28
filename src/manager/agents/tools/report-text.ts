// A result as the parent's model reads it: the runtime's header first, then the report as data that
// cannot pose as anything else.
import { counted } from "../../../base/text/grouped.ts";
import { oneLine } from "../../../base/text/printable.ts";
import { parseReport } from "../../../contract/report/parse-report.ts";
import type { AgentOutput, AgentResult } from "../../session/agent-result.ts";
import type { RunHandle } from "../../run/run-handle.ts";
import { asData } from "./as-data.ts";

/**
 * Everything in the header comes from the runtime; the agent's own numbers are marked as claimed.
 */
export function reportText(result: AgentResult): string {
  const { text, found } = asData(result.content);
  const lines = [
    header(result),
    ...(result.error === undefined ? [] : [`[retinue] error: ${oneLine(result.error, 500)}`]),
    ...denials(result),
    ...(result.worktree === undefined ? [] : [`[retinue] worktree: ${result.worktree}`]),
    ...(result.branch === undefined ? [] : [`[retinue] branch: ${result.branch}`]),
    ...(result.notes ?? []).map((note) => `[retinue] note: ${oneLine(note, 300)}`),
    ...(found.length > 0 ? [`[retinue] made harmless in the text below: ${found.join(", ")}`] : []),
  ];
  return (
    `${lines.join("\n")}\n<agent-report ` +
    `agent="${result.agent_id}">\n${text.trim() || "(nothing)"}\n</agent-report>`
  );
}

function header({
  agent_id,
  agent_type,
  state,
  reason,
  content,
  metrics,
  verification,
}: AgentResult): string {
  if (typeof verification?.["header"] === "string")
    return `[retinue] agent=${agent_id} type=${oneLine(agent_type, 60)} state=${state}\n${verification["header"]}`;
  const trust = typeof verification?.["trust"] === "string" ? verification["trust"] : "UNVERIFIED";
  const checks = Array.isArray(verification?.["checks"])
    ? `${counted(verification["checks"].length, "reference")} checked`
    : "references not checked";
  const tokens =
    `${metrics.tokens_used} tokens, ${counted(metrics.tool_uses, "tool use")}, ` +
    `${(metrics.duration_ms / 1000).toFixed(1)} s`;
  return (
    `[retinue] agent=${agent_id} type=${oneLine(agent_type, 60)} ` +
    `state=${state}${reason ? ` (${reason})` : ""} · trust ${trust}, ${checks} · confidence ` +
    `${confidence(content, verification)} · ${tokens}`
  );
}

function confidence(content: string, verification: AgentResult["verification"]): string {
  const claimed = parseReport(content).confidence.score;
  const combined = (verification?.["confidence"] as { combined?: unknown } | undefined)?.combined;
  return `claimed ${claimed ?? "none"} → computed ${typeof combined === "number" ? combined : "none"}`;
}

function denials({ permission_denials: denied }: AgentResult): string[] {
  if (denied.length === 0) return [];
  const names = [...new Set(denied.map(({ tool_name }) => tool_name))].join(", ");
  return [`[retinue] ${denied.length} tool calls were denied: ${oneLine(names, 200)}`];
}

/** To a model, a run that goes on is counters and tool names: nothing that was not verified. */
export function progressText(run: RunHandle, output: AgentOutput): string {
  const { turns, tool_uses, tokens_used, lastTools } = run.progress;
  return JSON.stringify({
    task_id: output.agent_id,
    state: "running",
    ...("timed_out" in output ? { timed_out: true } : {}),
    turns,
    tool_uses,
    tokens_used,
    last_tools: lastTools.map((name) => oneLine(name, 60)),
    ...(output.output_file === undefined ? {} : { output_file: output.output_file }),
  });
}

/** The news that a background agent has ended. */
export function noticeText(result: AgentResult): string {
  const label =
    `[retinue] background agent ${result.agent_id} (${oneLine(result.agent_type, 60)}) has ` +
    `ended: ${result.state}${result.reason ? ` (${result.reason})` : ""}`;
  return `${label}\n${reportText(result)}`;
}
