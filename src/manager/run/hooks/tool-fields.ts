// What the hooks around a tool call are told, and what their answers mean for the call.
import { resolve, sep } from "node:path";
import type { RunSpec } from "../../../events/run-spec.ts";
import type { FoldedAnswers } from "../../../hooks/fold-answers.ts";
import type { AfterTool, RequestedCall } from "../../../loop/ports.ts";
import { sealMemory } from "../../../memory/read-memory.ts";
import type { ToolResult } from "../../../tool/tool.ts";
import type { Session } from "../../session/session.ts";
import type { BeforeTool } from "../gate.ts";
import { fire, type FiringParts } from "./fire.ts";

export const toolFields = ({ tool, input, toolUseId }: RequestedCall) => ({
  tool_name: tool,
  tool_input: input,
  tool_use_id: toolUseId,
});

export function beforeTool({ behavior, reason, updatedInput, stop }: FoldedAnswers): BeforeTool {
  const denied = stop === undefined ? behavior : "deny";
  const words = stop ?? reason;
  return {
    ...(denied
      ? { verdict: { behavior: denied, ...(words === undefined ? {} : { reason: words }) } }
      : {}),
    ...(updatedInput ? { input: updatedInput } : {}),
  };
}

/**
 * What the agent itself wrote into its memory is its own from here on; what others write there is
 * not.
 */
export function sealOwnWrite(
  session: Session,
  spec: RunSpec,
  { tool, input }: RequestedCall,
): void {
  const path = input["file_path"];
  if (
    spec.memoryDir === undefined ||
    (tool !== "Write" && tool !== "Edit") ||
    typeof path !== "string"
  )
    return;
  if (resolve(spec.place.cwd, path).startsWith(spec.memoryDir + sep))
    sealMemory(spec.memoryDir, session.configDir);
}

/**
 * Hooks written for Claude Code look for these fields; of other tools they get what the model gets.
 */
function responseOf({ tool, input }: RequestedCall, { content }: ToolResult): unknown {
  if (typeof content !== "string") return content;
  if (tool === "Bash") return { stdout: content, stderr: "", interrupted: false, isImage: false };
  return tool === "Write" || tool === "Edit"
    ? { filePath: input["file_path"], success: true, message: content }
    : content;
}

export function afterTool(
  parts: FiringParts,
  call: RequestedCall,
  result: ToolResult,
): Promise<FoldedAnswers> | undefined {
  return result.isError
    ? fire(parts, [
        "PostToolUseFailure",
        {
          ...toolFields(call),
          error:
            typeof result.content === "string" ? result.content : JSON.stringify(result.content),
        },
      ])
    : fire(parts, [
        "PostToolUse",
        { ...toolFields(call), tool_response: responseOf(call, result) },
      ]);
}

export function toldAfter({
  behavior,
  reason,
  additionalContext,
}: FoldedAnswers): AfterTool | undefined {
  const words = [...(behavior === "deny" && reason ? [reason] : []), ...additionalContext];
  return words.length > 0 ? { context: words.join("\n") } : undefined;
}
