// TodoWrite: the agent's own list of steps; the newest list is the whole state.
import * as z from "zod";
import { defineZodTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";

const todo = z.object({
  content: z.string().min(1).describe("What is to be done"),
  status: z.enum(["pending", "in_progress", "completed"]),
  activeForm: z.string().min(1).describe('The same as it is being done ("Running the tests")'),
});
const input = z.object({ todos: z.array(todo).max(200).describe("The whole list, in order") });

const description =
  "Keeps the list of steps for a task of several steps. Give the whole list each time; " +
  "mark one step in_progress before starting it, and completed as soon as it is done. " +
  "Not needed for a task of one or two steps.";

export function todoWriteTool(): Tool {
  return defineZodTool({
    name: "TodoWrite",
    description,
    input,
    readOnly: false,
    run: async ({ todos }) => {
      const active = todos.find((item) => item.status === "in_progress");
      const done = todos.filter((item) => item.status === "completed").length;
      return {
        content: `The list is kept: ${done} of ${todos.length} steps done.${active ? ` Now: ${active.content}` : ""}`,
        summary: `${done}/${todos.length} done`,
        facts: { todos },
      };
    },
  });
}
