// SendMessage: a running agent reads it at its next turn; a finished one goes on with it, in the
// place where it ran before.
import * as z from "zod";
import { defineZodTool } from "../../../tool/define-tool.ts";
import type { Tool } from "../../../tool/tool.ts";
import type { Manager } from "../manager.ts";
import { answerOf } from "./agent-tool.ts";
import { asErrorResult } from "./as-error-result.ts";

const input = z.object({
  to: z.string().describe("The id or the name of an agent of this session"),
  message: z.string().min(1).describe("What it is to know or to do next"),
});

export function sendMessageTool(manager: Manager): Tool {
  return defineZodTool({
    name: "SendMessage",
    description:
      "Continues a finished sub-agent with everything it knows, or tells something to a " +
      "running one, which reads it at its next turn.",
    input,
    readOnly: false,
    concurrent: true,
    run: ({ to, message }, context) =>
      asErrorResult(async () => {
        const sent = manager.send(to, message, { viaTool: true, toolUseId: context.toolUseId });
        if (sent.delivered)
          return {
            content: `${sent.agent_id} is running and reads the message at its next turn`,
            summary: "delivered",
          };
        return answerOf(manager, sent.run, context);
      }),
  });
}
