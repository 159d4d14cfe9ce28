// An id of a tool call that ran runs nothing again: not in the next life, and not when a summary has taken the call out of everybody's sight.
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { defineZodTool } from "../src/tool/define-tool.ts";
import { brainModel, managerBench, task, type Bench, type Brain } from "./support/manager-bench.ts";

let bench: Bench | undefined;
afterEach(() => bench?.close());

const said = (content: unknown): string => JSON.stringify(content);

test("after a summary and a resume the id of a call that ran is refused", async () => {
  const log: string[] = [];
  const append = defineZodTool({
    name: "Append",
    description: "appends",
    input: z.object({ text: z.string() }),
    readOnly: false,
    run: async ({ text }) => (log.push(text.slice(0, 5)), { content: "ok" }),
  });
  const long = "many words ".repeat(1_000);
  let replies = 0;
  // Its only request without tools is the one for a summary.
  const brain: Brain = ({ request }) => {
    if (request.tools.length === 0) return "what happened so far";
    replies += 1;
    if (replies === 1)
      return {
        tools: [
          { name: "Append", id: "toolu_used", input: { text: `first ${long}` } },
          ...["two", "three"].map((text) => ({ name: "Append", input: { text } })),
        ],
        usage: { input_tokens: 4_000 },
      };
    return replies === 3
      ? { tools: [{ name: "Append", id: "toolu_used", input: { text: "again" } }] }
      : "done";
  };
  const model = brainModel(brain, { contextWindow: 4_000, maxOutputTokens: 500 });
  bench = managerBench(brain, {
    models: { "brain:one": model },
    tools: [append],
    permissions: { allow: ["Append"] },
  });
  const { agent_id, state } = await bench.manager.spawn(task("go")).done;
  expect({ state, log }).toEqual({ state: "completed", log: ["first", "two", "three"] });
  expect(await bench.manager.resume(agent_id, "go on").done).toMatchObject({ state: "completed" });
  const [resumed, told] = model.requests.slice(-2);
  expect(said(resumed!.messages), "nothing in sight tells of the call").not.toContain("toolu_used");
  expect(said(told!.messages.at(-1))).toContain("the tool_use id toolu_used was used before");
  expect(log).toHaveLength(3);
});
