// The tool TaskOutput: returns the output of an agent or of a background command. If the wait ends
// before the run does, that is an answer, not an error.
import * as z from "zod";
import { limits } from "../../../base/limits.ts";
import { defineZodTool } from "../../../tool/define-tool.ts";
import { errorResult, type Tool, type ToolResult } from "../../../tool/tool.ts";
import type { Shells } from "../../../tools/shells.ts";
import { unknownTask } from "../../session/earlier-run.ts";
import type { Manager } from "../manager.ts";
import { unlessStopped } from "../../run/tools/unless-stopped.ts";
import { asErrorResult } from "./as-error-result.ts";
import { progressText, reportText } from "./report-text.ts";

const input = z.object({
  task_id: z.string().describe("The id of an agent, or of a command in the background"),
  block: z.boolean().optional().describe("Wait for its end (default true)"),
  timeout: z
    .number()
    .min(0)
    .max(limits.task.maxWaitMs)
    .optional()
    .describe(`At most so many milliseconds (default ${limits.task.waitMs})`),
});

export type TaskPlaces = {
  manager: Manager | undefined;
  shells: Shells;
  /** Told that the model has seen an agent's end. */ onSeen?: (agentId: string) => void;
};

export function taskOutputTool({ manager, shells, onSeen }: TaskPlaces): Tool {
  return defineZodTool({
    name: "TaskOutput",
    description:
      "Reads the result of a sub-agent or of a background command by its id. Of one that " +
      "still runs it gives the state and counters; after the timeout too, with timed_out.",
    input,
    readOnly: true,
    run: ({ task_id, block = true, timeout = limits.task.waitMs }, { signal }) =>
      asErrorResult(async () => {
        if (shells.output(task_id))
          return shellOutput(shells, task_id, { timeoutMs: block ? timeout : 0, signal });
        if (!manager) return errorResult(unknownTask(task_id).message, "unknown_task");
        const live = manager.running(task_id);
        const output = await unlessStopped(
          signal,
          manager.getOutput(task_id, { block, timeoutMs: timeout }),
        );
        if (output.state === "running")
          return {
            content: live
              ? progressText(live, output)
              : JSON.stringify({ task_id, state: "running" }),
            summary: "running",
          };
        onSeen?.(output.agent_id);
        return {
          content: reportText(output),
          summary: output.state,
          facts: { agent_id: output.agent_id, state: output.state },
        };
      }),
  });
}

async function shellOutput(
  shells: Shells,
  id: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<ToolResult> {
  let timer: NodeJS.Timeout | undefined;
  const waited = timeoutMs > 0 ? shells.ended(id) : undefined;
  if (waited)
    await unlessStopped(
      signal,
      Promise.race([waited, new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)))]),
    ).finally(() => clearTimeout(timer));
  const view = shells.output(id);
  if (!view) return errorResult(unknownTask(id).message);
  const { state, exitCode, text, bytes, outputFile } = view;
  const head = JSON.stringify({
    task_id: id,
    state,
    ...(state === "running" ? (waited ? { timed_out: true } : {}) : { exit_code: exitCode }),
    bytes,
    output_file: outputFile,
  });
  return {
    content: `${head}\n${text}`,
    summary: state === "running" ? "running" : `exit ${exitCode}`,
  };
}
