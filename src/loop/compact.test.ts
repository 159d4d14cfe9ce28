import { expect, test } from "vitest";
import type { Fact } from "../events/event.ts";
import { scriptedModel, type ScriptLine } from "../testing/scripted-model.ts";
import { defineZodTool } from "../tool/define-tool.ts";
import { z } from "zod";
import type { LoopPorts, LoopSpec } from "./ports.ts";
import { noJudgedPath } from "../tool/tool.ts";
import { runLoop } from "./run-loop.ts";

const page = defineZodTool({
  name: "Page",
  description: "a long page",
  input: z.object({ n: z.number() }),
  readOnly: true,
  run: async ({ n }) => ({ content: `page ${n}: ${"word ".repeat(400)}` }),
});
const turn = (n: number, input_tokens = 100): ScriptLine => ({
  text: `reading ${n}`,
  tools: [{ name: "Page", input: { n } }],
  usage: { input_tokens },
});

async function run(script: ScriptLine[], ports: Partial<LoopPorts> = {}) {
  const facts: Fact[] = [];
  const model = scriptedModel(script);
  const spec: LoopSpec = {
    system: "s",
    webSearch: false,
    limits: { maxTurns: 30 },
    window: { contextTokens: 4_000, maxOutputTokens: 500, compactionPercent: 95 },
  };
  const all: LoopPorts = {
    send: (request, call) => model.send(request, call),
    tools: new Map([[page.name, page]]),
    gate: () => ({ behavior: "allow", judgedPath: noJudgedPath, layer: "allow", reason: "" }),
    record: (fact) => void facts.push(fact),
    signal: () => {},
    now: () => 0,
    ...ports,
  };
  const outcome = await runLoop(spec, [{ role: "user", content: "read the pages" }], {
    ports: all,
    signal: new AbortController().signal,
  });
  model.finish();
  return {
    outcome,
    requests: model.requests,
    boundaries: facts.filter((fact) => fact.type === "compaction"),
  };
}

test("at 95 % of the window the older turns become a summary and the newest stay word for word", async () => {
  const { outcome, requests, boundaries } = await run([
    turn(1, 1_000),
    turn(2, 3_700),
    "page 1 was read",
    "done",
  ]);
  expect(outcome).toMatchObject({ state: "completed", content: "done" });
  expect(boundaries).toMatchObject([{ trigger: "auto", kept: 2 }]);
  const shown = requests.at(-1)!.messages;
  expect(shown).toHaveLength(3);
  expect(shown[0]!.content).toContain("read the pages");
  expect(shown[0]!.content).toContain("page 1 was read");
  expect(JSON.stringify(shown[1])).toContain("reading 2");
});

test("tool calls and their results are never split", async () => {
  const { requests } = await run([
    turn(1, 1_000),
    turn(2, 3_700),
    "summary",
    turn(3, 3_900),
    "summary again",
    "done",
  ]);
  for (const { messages } of requests) {
    const calls = messages
      .flatMap((message) => (message.role === "assistant" ? message.content : []))
      .filter((block) => block.type === "tool_use")
      .map((block) => block.id);
    const results = messages
      .flatMap((message) =>
        message.role === "user" && typeof message.content !== "string" ? message.content : [],
      )
      .filter((block) => block.type === "tool_result")
      .map((block) => block.tool_use_id);
    expect(results).toEqual(calls);
  }
});

test("a context overflow compacts once and tries again; a second one fails", async () => {
  const overflow: ScriptLine = { failure: { kind: "overflow", message: "prompt is too long" } };
  const saved = await run([turn(1), overflow, "summary", "done"]);
  expect(saved.outcome.state).toBe("completed");
  expect(saved.boundaries).toMatchObject([{ trigger: "overflow" }]);
  const lost = await run([turn(1), overflow, "summary", overflow]);
  expect(lost.outcome).toMatchObject({ state: "failed", reason: "overflow" });
});

test("when no summary can be had, plain truncation keeps the task", async () => {
  const { outcome, requests } = await run([
    turn(1, 1_000),
    turn(2, 3_900),
    { failure: { kind: "server", message: "down" } },
    "done",
  ]);
  expect(outcome.state).toBe("completed");
  expect(requests.at(-1)!.messages[0]!.content).toMatch(
    /read the pages[\s\S]*No summary could be made/,
  );
});

test("a second compaction keeps the task and replaces the summary", async () => {
  const { requests } = await run([
    turn(1, 1_000),
    turn(2, 3_900),
    "first notes",
    turn(3, 3_900),
    "second notes",
    "done",
  ]);
  const text = requests.at(-1)!.messages[0]!.content as string;
  expect(text).toContain("<task>\nread the pages\n</task>");
  expect(text).toContain("second notes");
  expect(text).not.toContain("first notes");
});

test("hooks add to the instructions and hear the summary", async () => {
  const heard: string[] = [];
  const { requests } = await run([turn(1, 1_000), turn(2, 3_900), "notes", "done"], {
    hooks: {
      beforeCompact: async () => "keep all page numbers",
      afterCompact: async (trigger, summary) => void heard.push(trigger, summary),
    },
  });
  expect(JSON.stringify(requests[2]!.messages)).toContain("keep all page numbers");
  expect(heard).toEqual(["auto", expect.stringContaining("notes")]);
});
