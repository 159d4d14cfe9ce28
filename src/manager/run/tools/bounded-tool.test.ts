import { expect, test } from "vitest";
import type { Model } from "../../../model/model.ts";
import { noJudgedPath, type Tool, type ToolContext, type ToolResult } from "../../../tool/tool.ts";
import { boundedModel, boundedTool } from "./bounded-tool.ts";

const toolThat = (execute: Tool["execute"]): Tool => ({
  name: "Own",
  description: "",
  inputSchema: {},
  parse: () => ({ ok: true, value: {} }),
  readOnly: true,
  execute,
});
const contextWith = (signal: AbortSignal): ToolContext => ({
  toolUseId: "t1",
  judgedPath: noJudgedPath,
  signal,
  progress: () => undefined,
});
const never = new Promise<never>(() => undefined);

test("a tool that hangs is answered for at its deadline, and its signal says so", async () => {
  const seen: AbortSignal[] = [];
  const tool = boundedTool(
    toolThat((_, { signal }) => (seen.push(signal), never)),
    20,
  );
  expect(await tool.execute({}, contextWith(new AbortController().signal))).toEqual({
    content: "Own did not answer within 0.02 s",
    isError: true,
  });
  expect(seen[0]).toMatchObject({ aborted: true, reason: "deadline" });
});

test("a stop is answered at once, also for a tool that never looked at its signal, and one that looks later finds it stopped", async () => {
  const stop = new AbortController();
  let context: ToolContext | undefined;
  const ending = boundedTool(toolThat((_, given) => ((context = given), never))).execute(
    {},
    contextWith(stop.signal),
  );
  stop.abort("stop");
  expect(await ending).toEqual({
    content: "interrupted: the run was stopped while the tool ran",
    isError: true,
  });
  expect(context!.signal).toMatchObject({ aborted: true, reason: "stop" });
});

test("a copy of the context holds the same signal as the context", async () => {
  const tool = boundedTool(
    toolThat(async (_, context) => ({
      content: String({ ...context }.signal === context.signal && { ...context }.toolUseId),
    })),
  );
  expect(await tool.execute({}, contextWith(new AbortController().signal))).toEqual({
    content: "t1",
  });
});

test.each<[string, Tool["execute"]]>([
  ["rejects", async () => Promise.reject(new Error("no disk"))],
  [
    "throws",
    () => {
      throw new Error("no disk");
    },
  ],
])("a tool that %s fails as a result", async (_, execute) => {
  expect(
    await boundedTool(toolThat(execute)).execute({}, contextWith(new AbortController().signal)),
  ).toEqual({ content: "Own failed: no disk", isError: true });
});

test("what a tool says after its end is not heard", async () => {
  let late: (() => void) | undefined;
  const tool = boundedTool(
    toolThat(() => new Promise((resolve) => (late = () => resolve({ content: "late" })))),
    20,
  );
  const result = await tool.execute({}, contextWith(new AbortController().signal));
  late!();
  expect(result.content).toBe("Own did not answer within 0.02 s");
});

test.each<[string, Model["send"]]>([
  ["rejects", async () => Promise.reject(new Error("no route"))],
  [
    "throws",
    () => {
      throw new Error("no route");
    },
  ],
])("a model that %s fails as a value", async (_, send) => {
  const model = boundedModel({
    name: "own:model",
    contextWindow: 1,
    maxOutputTokens: 1,
    takesImages: false,
    takesDocuments: false,
    hasWebSearch: false,
    send,
  });
  expect(
    await model.send(
      { system: "", messages: [], tools: [], maxOutputTokens: 1 },
      { signal: new AbortController().signal },
    ),
  ).toEqual({
    ok: false,
    failure: { kind: "invalid_request", message: "the model failed: no route" },
  });
});

test.each([
  ["text", { content: "text" }],
  [
    { content: [{ type: "text", text: "block" }], summary: "s" },
    { content: [{ type: "text", text: "block" }], summary: "s" },
  ],
  [
    undefined,
    {
      isError: true,
      content: expect.stringContaining(
        "must return { content: TEXT }, and returned undefined",
      ) as string,
    },
  ],
  [null, { isError: true, content: expect.stringContaining("returned null") as string }],
  [42, { isError: true, content: expect.stringContaining("returned number") as string }],
  [
    { text: "x" },
    { isError: true, content: expect.stringContaining("returned an object with text") as string },
  ],
  [
    { content: 5 },
    {
      isError: true,
      content: expect.stringContaining("returned an object with content") as string,
    },
  ],
])(
  "a tool that returns %j, as JavaScript may, neither breaks the run nor loses a text",
  async (value, expected) => {
    expect(
      await boundedTool(toolThat(async () => value as ToolResult)).execute(
        {},
        contextWith(new AbortController().signal),
      ),
    ).toEqual(expected);
  },
);

test("blocks that are none are no result, and facts that cannot be written are left out of one", async () => {
  const result = (value: unknown): Promise<ToolResult> =>
    boundedTool(toolThat(async () => value as ToolResult)).execute(
      {},
      contextWith(new AbortController().signal),
    );
  const facts: Record<string, unknown> = {};
  facts["self"] = facts;
  expect(await result({ content: ["hi"] })).toMatchObject({
    isError: true,
    content: expect.stringContaining("must return { content: TEXT }") as string,
  });
  expect(await result({ content: "done", facts })).toEqual({ content: "done", facts: {} });
});

const request = { system: "", messages: [], tools: [], maxOutputTokens: 1 };

test.each([
  undefined,
  "hi",
  { ok: true },
  { ok: true, reply: {} },
  { ok: true, reply: { content: ["hi"], stop_reason: "end_turn" } },
  { ok: false },
])("a model whose answer is %j is told what an answer is", async (value) => {
  const model = boundedModel({ name: "own:x", send: async () => value } as unknown as Model);
  expect(await model.send(request, { signal: new AbortController().signal })).toEqual({
    ok: false,
    failure: {
      kind: "invalid_request",
      message: expect.stringContaining(
        "own:x gave no result: send must resolve to { ok: true, reply: {",
      ) as string,
    },
  });
});

test("a model that does not count its tokens has used none", async () => {
  const model = boundedModel({
    name: "own:x",
    send: async () => ({
      ok: true,
      reply: {
        model: "x",
        content: [{ type: "text", text: "hi" }],
        stop_reason: "end_turn",
        usage: { output_tokens: 5 },
      },
    }),
  } as unknown as Model);
  expect(await model.send(request, { signal: new AbortController().signal })).toMatchObject({
    ok: true,
    reply: {
      usage: {
        input_tokens: 0,
        output_tokens: 5,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
    },
  });
});
