import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { aiSdkModel, isAiSdkModel, type AiSdkModel, type AiSdkOptions } from "./ai-sdk-model.ts";
import type { Message } from "../message.ts";
import type { ModelRequest, ModelResult, ReplyDelta } from "../model.ts";

type Line = object[] | Error | "stall";

/**
 * A model in the SDK's shape that streams the parts of one line per call, the last line for ever.
 */
function sdkModel(
  lines: Line[],
  facts: { specificationVersion?: string; provider?: string } = {},
): { sdk: AiSdkModel; calls: Record<string, unknown>[] } {
  const calls: Record<string, unknown>[] = [];
  const doStream = async (
    options: Record<string, unknown>,
  ): Promise<{ stream: ReadableStream<unknown> }> => {
    calls.push(options);
    const line = lines[Math.min(calls.length, lines.length) - 1]!;
    if (line instanceof Error) throw line;
    const start = (controller: ReadableStreamDefaultController<unknown>): void => {
      if (line === "stall") return;
      for (const part of line) controller.enqueue(part);
      controller.close();
    };
    return { stream: new ReadableStream({ start }) };
  };
  return {
    sdk: {
      specificationVersion: "v3",
      provider: "anthropic.messages",
      modelId: "claude-sonnet-5-5",
      ...facts,
      doStream,
    },
    calls,
  };
}

const usage = {
  inputTokens: { total: 30, noCache: 10, cacheRead: 15, cacheWrite: 5 },
  outputTokens: { total: 7, text: 7, reasoning: undefined },
};
const finish = (unified = "stop", raw: string | undefined = "end_turn"): object => ({
  type: "finish",
  finishReason: { unified, raw },
  usage,
});
const says = (text: string): object[] => [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: text },
  { type: "text-end", id: "0" },
];
const ask: ModelRequest = {
  system: "Be brief.",
  messages: [{ role: "user", content: "Hello there" }],
  tools: [{ name: "Read", description: "Reads", input_schema: { type: "object" } }],
  maxOutputTokens: 500,
};
const send = (
  sdk: AiSdkModel,
  {
    options = {},
    request = ask,
    onDelta,
  }: { options?: AiSdkOptions; request?: ModelRequest; onDelta?: (delta: ReplyDelta) => void } = {},
): Promise<ModelResult> =>
  aiSdkModel(sdk, { clock: createFakeClock(), ...options }).send(request, {
    signal: new AbortController().signal,
    ...(onDelta ? { onDelta } : {}),
  });

describe("a model of the AI SDK", () => {
  it("answers with text, reasoning, tool calls and usage", async () => {
    const parts = [
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "msg_1", modelId: "claude-sonnet-5-5-x" },
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "Hm." },
      {
        type: "reasoning-delta",
        id: "r",
        delta: "",
        providerMetadata: { anthropic: { signature: "sig" } },
      },
      { type: "reasoning-end", id: "r" },
      ...says("I read."),
      { type: "tool-input-start", id: "t1", toolName: "Read" },
      { type: "tool-input-delta", id: "t1", delta: '{"a":1}' },
      {
        type: "tool-call",
        toolCallId: "t1",
        toolName: "Read",
        input: '{"a":1}',
        providerMetadata: { google: { thoughtSignature: "g" } },
      },
      finish("tool-calls", "tool_use"),
    ];
    const deltas: ReplyDelta[] = [];
    expect(await send(sdkModel([parts]).sdk, { onDelta: (delta) => deltas.push(delta) })).toEqual({
      ok: true,
      reply: {
        id: "msg_1",
        model: "claude-sonnet-5-5-x",
        content: [
          {
            type: "thinking",
            thinking: "Hm.",
            signature: "sig",
            extra_content: { anthropic: { signature: "sig" } },
          },
          { type: "text", text: "I read." },
          {
            type: "tool_use",
            id: "t1",
            name: "Read",
            input: { a: 1 },
            extra_content: { google: { thoughtSignature: "g" } },
          },
        ],
        stop_reason: "tool_use",
        usage: {
          input_tokens: 10,
          output_tokens: 7,
          cache_read_input_tokens: 15,
          cache_creation_input_tokens: 5,
        },
      },
    });
    expect(deltas).toEqual([
      { kind: "thinking", text: "Hm." },
      { kind: "text", text: "I read." },
      { kind: "tool", name: "Read" },
    ]);
  });

  it("is shown the conversation in the SDK's words", async () => {
    const { sdk, calls } = sdkModel([[...says("ok"), finish()]]);
    const messages: Message[] = [
      { role: "user", content: "Look" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "t", signature: "s" },
          { type: "thinking", thinking: "unsigned" },
          { type: "text", text: "I look" },
          { type: "tool_use", id: "t1", name: "Read", input: { a: 1 } },
          { type: "tool_use", id: "t2", name: "Bash", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [
              { type: "text", text: "see" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "AA" } },
            ],
          },
          { type: "tool_result", tool_use_id: "t2", content: "no", is_error: true },
          { type: "text", text: "go on" },
        ],
      },
    ];
    await send(sdk, { request: { ...ask, messages, effort: "high" } });
    const cache = { anthropic: { cacheControl: { type: "ephemeral" } } };
    expect(calls[0]).toMatchObject({
      maxOutputTokens: 500,
      providerOptions: { anthropic: { effort: "high" } },
      tools: [
        { type: "function", name: "Read", description: "Reads", inputSchema: { type: "object" } },
      ],
    });
    expect(calls[0]!.prompt).toEqual([
      { role: "system", content: "Be brief.", providerOptions: cache },
      { role: "user", content: [{ type: "text", text: "Look" }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "t", providerOptions: { anthropic: { signature: "s" } } },
          { type: "text", text: "I look" },
          { type: "tool-call", toolCallId: "t1", toolName: "Read", input: { a: 1 } },
          { type: "tool-call", toolCallId: "t2", toolName: "Bash", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "t1",
            toolName: "Read",
            output: {
              type: "content",
              value: [
                { type: "text", text: "see" },
                { type: "image-data", mediaType: "image/png", data: "AA" },
              ],
            },
          },
          {
            type: "tool-result",
            toolCallId: "t2",
            toolName: "Bash",
            output: { type: "error-text", value: "no" },
          },
        ],
      },
      { role: "user", content: [{ type: "text", text: "go on" }], providerOptions: cache },
    ]);
  });

  it("of version 2 has plain counts and a plain reason", async () => {
    const parts = [
      ...says("hi"),
      {
        type: "finish",
        finishReason: "length",
        usage: { inputTokens: 30, outputTokens: 4, cachedInputTokens: 20 },
      },
    ];
    expect(
      await send(sdkModel([parts], { specificationVersion: "v2", provider: "other" }).sdk),
    ).toMatchObject({
      ok: true,
      reply: {
        stop_reason: "max_tokens",
        usage: {
          input_tokens: 10,
          output_tokens: 4,
          cache_read_input_tokens: 20,
          cache_creation_input_tokens: 0,
        },
      },
    });
  });

  it.each([
    ["stop", "end_turn", "end_turn"],
    ["content-filter", "refusal", "refusal"],
    ["length", "max_tokens", "max_tokens"],
    ["other", "pause_turn", "pause_turn"],
    ["other", "brand_new", "end_turn"],
  ])("that finishes with %s (%s) stops with %s", async (unified, raw, stop_reason) => {
    expect(await send(sdkModel([[...says("x"), finish(unified, raw)]]).sdk)).toMatchObject({
      ok: true,
      reply: { stop_reason },
    });
  });

  const callError = (statusCode: number, more: object = {}): Error =>
    Object.assign(new Error("call failed"), {
      name: "AI_APICallError",
      statusCode,
      responseHeaders: {},
      responseBody: "",
      ...more,
    });

  it.each([
    ["ends without a finish", [...says("half")], "network"],
    [
      "finishes without a reason",
      [...says("half"), { type: "finish", finishReason: { unified: "other" }, usage }],
      "network",
    ],
    ["finishes with an error", [...says("half"), finish("error", "oops")], "server"],
    [
      "sends an error part",
      [
        ...says("half"),
        { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      ],
      "overloaded",
    ],
  ] as [string, object[], string][])(
    "that %s is tried again and then fails with what there was",
    async (_, parts, kind) => {
      const { sdk, calls } = sdkModel([parts]);
      expect(await send(sdk)).toMatchObject({ ok: false, failure: { kind, partialText: "half" } });
      expect(calls).toHaveLength(7);
    },
  );

  it.each([
    [
      callError(401, { responseBody: '{"error":{"message":"bad key sk-proj-abcdefghijklmnop"}}' }),
      "auth",
      1,
    ],
    [
      callError(400, { responseBody: '{"error":{"message":"prompt is too long: 5 > 4"}}' }),
      "overflow",
      1,
    ],
    [callError(429), "rate_limit", 7],
    [
      Object.assign(new Error("Cannot connect to API"), { cause: { code: "ECONNREFUSED" } }),
      "network",
      7,
    ],
    [Object.assign(new Error("bad"), { name: "AI_JSONParseError" }), "malformed", 3],
  ])("that throws %s fails as %s after %i tries", async (error, kind, tries) => {
    const { sdk, calls } = sdkModel([error]);
    const result = await send(sdk);
    expect(result).toMatchObject({ ok: false, failure: { kind, attempts: tries } });
    expect(JSON.stringify(result)).not.toContain("abcdefghijklmnop");
    expect(calls).toHaveLength(tries);
  });

  it("waits as the provider's headers say", async () => {
    const clock = createFakeClock();
    const { sdk } = sdkModel([
      callError(429, { responseHeaders: { "retry-after": "7" } }),
      [...says("ok"), finish()],
    ]);
    expect((await send(sdk, { options: { clock } })).ok).toBe(true);
    expect(clock.now()).toBe(7_250);
  });

  it("that stalls runs into the idle timeout", async () => {
    const { sdk, calls } = sdkModel(["stall", [...says("ok"), finish()]]);
    expect((await send(sdk, { options: { idleTimeoutMs: 50 } })).ok).toBe(true);
    expect((calls[0]!.abortSignal as AbortSignal).aborted).toBe(true);
  });

  it("stops at once when the caller does", async () => {
    const stop = new AbortController();
    const sending = aiSdkModel(sdkModel(["stall"]).sdk).send(ask, { signal: stop.signal });
    stop.abort();
    expect(await sending).toMatchObject({ ok: false, failure: { kind: "aborted" } });
  });

  it("reports tool input that is no JSON instead of running it", async () => {
    const parts = [
      { type: "tool-call", toolCallId: "t1", toolName: "Read", input: '{"a":' },
      finish("tool-calls", "tool_use"),
    ];
    expect(await send(sdkModel([parts]).sdk)).toMatchObject({
      ok: true,
      reply: {
        content: [{ input: {} }],
        invalid_inputs: { t1: expect.stringContaining("not valid JSON") as string },
      },
    });
  });

  it("of another specification is refused with a sentence, and is told from other things", () => {
    const { sdk } = sdkModel([[]], { specificationVersion: "v9" });
    expect(() => aiSdkModel(sdk)).toThrowError(
      expect.objectContaining({
        code: "config",
        message: expect.stringContaining("v2 or v3") as string,
      }) as Error,
    );
    expect([isAiSdkModel(sdk), isAiSdkModel({}), isAiSdkModel(null), isAiSdkModel("opus")]).toEqual(
      [true, false, false, false],
    );
  });
});
