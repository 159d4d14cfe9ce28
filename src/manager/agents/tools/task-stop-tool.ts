// TaskStop: ends an agent or a background command, and returns when nothing of it runs any more.
import * as z from "zod";
import { defineZodTool } from "../../../tool/define-tool.ts";
import { errorResult, type Tool } from "../../../tool/tool.ts";
import { unknownTask } from "../../session/earlier-run.ts";
import { asErrorResult } from "./as-error-result.ts";
import type { TaskPlaces } from "./task-output-tool.ts";

const input = z.object({
  task_id: z.string().optional().describe("The id of an agent, or of a command in the background"),
  shell_id: z.string().optional().describe("The same, as older callers name it"),
});

export function taskStopTool({ manager, shells, onSeen }: TaskPlaces): Tool {
  return defineZodTool({
    name: "TaskStop",
    description:
      "Stops a sub-agent or a background command by its id. One that has ended stays as it is.",
    input,
    readOnly: false,
    run: ({ task_id, shell_id }) =>
      asErrorResult(async () => {
        const id = task_id ?? shell_id;
        if (id === undefined) return errorResult("give a task_id");
        const shell = shells.output(id);
        if (shell)
          return shell.state === "running"
            ? {
                content: `${id} was stopped`,
                summary: "stopped",
                facts: { state: (await shells.stop(id))?.state ?? "stopped" },
              }
            : { content: `${id} had already ended; nothing was changed`, summary: "had ended" };
        if (!manager) return errorResult(unknownTask(id).message, "unknown_task");
        const { agent_id, message, state } = await manager.stop(id);
        onSeen?.(agent_id);
        return { content: message, summary: state };
      }),
  });
}
