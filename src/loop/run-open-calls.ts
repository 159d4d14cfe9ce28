// The calls of a reply whose process died while a person was asked: those that have not begun run
// now, of the others nobody knows whether they ran.
import { toolUsesOf, type ToolResultBlock } from "../model/message.ts";
import { noUsage } from "../model/model.ts";
import { interruptedText } from "../transcripts/reading/normalize-messages.ts";
import type { Run } from "./run.ts";
import { runTools, type ToolRound } from "./run-tools.ts";

/** The run's last message must be the reply. */
export async function runOpenCalls(run: Run, unbegun: ReadonlySet<string>): Promise<ToolRound> {
  const last = run.messages.at(-1);
  const uses = last?.role === "assistant" ? toolUsesOf(last.content) : [];
  const begun = uses.filter((use) => !unbegun.has(use.id));
  if (begun.length > 0)
    run.ports.record({ type: "interruption", toolUseIds: begun.map((use) => use.id) });
  const round = await runTools(
    uses.filter((use) => unbegun.has(use.id)),
    { content: [], stop_reason: "tool_use", model: "", usage: noUsage },
    run,
  );
  const lost = begun.map((use): ToolResultBlock => ({
    type: "tool_result",
    tool_use_id: use.id,
    content: interruptedText,
    is_error: true,
  }));
  const results = Array.isArray(round.message.content) ? round.message.content : [];
  return { ...round, message: { role: "user", content: [...lost, ...results] } };
}
