import { afterEach, describe, expect, it } from "vitest";
import {
  startMockProvider,
  type MockProvider,
  type MockProviderOptions,
} from "../testing/mock-provider.ts";
import { createModels, type Models } from "./create-models.ts";
import type { Message } from "./message.ts";
import type { ModelRequest, ReplyDelta } from "./model.ts";
import { defaultModelName, providerOf } from "./providers.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

async function mock(
  options: MockProviderOptions,
): Promise<{ provider: MockProvider; models: Models }> {
  const provider = await startMockProvider(options);
  const env = {
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: "sk-ant-test-1234",
    OPENAI_BASE_URL: `${provider.url}/v1`,
    OPENAI_API_KEY: "sk-test-5678",
    PLAIN_KEY: "plain-9999",
  };
  const models = createModels({
    env,
    providers: {
      plain: { protocol: "openai", baseUrl: `${provider.url}/v1/`, apiKeyEnv: "PLAIN_KEY" },
    },
  });
  open.push(models, provider);
  return { provider, models };
}

const tool = {
  name: "Read",
  description: "Reads a file",
  input_schema: { type: "object", properties: { file_path: { type: "string" } } },
};
const ask = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "Be brief.",
  messages: [{ role: "user", content: "Hello" }],
  tools: [tool],
  maxOutputTokens: 4_096,
  ...over,
});
const signal = new AbortController().signal;

const conversation: Message[] = [
  { role: "user", content: "Look at the file" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "signed", signature: "sig" },
      { type: "thinking", thinking: "unsigned" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "a.ts" } },
    ],
  },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "toolu_1",
        content: [
          { type: "text", text: "const a = 1;" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
        ],
      },
      { type: "text", text: "Go on" },
    ],
  },
];

describe("a reply over Anthropic's protocol", () => {
  it("keeps text, thinking with its signature, tool calls, usage and ids, and streams deltas", async () => {
    const usage = {
      input_tokens: 11,
      output_tokens: 7,
      cache_read_input_tokens: 5,
      cache_creation_input_tokens: 3,
    };
    const { models, provider } = await mock({
      script: [
        {
          thinking: "Hm, well.",
          text: "Grüße 👋 aus Köln",
          tools: [{ name: "Read", input: { file_path: "ä.ts" } }],
          usage,
        },
      ],
    });
    const deltas: ReplyDelta[] = [];
    const result = await models
      .resolve("sonnet")
      .send(ask(), { signal, onDelta: (delta) => deltas.push(delta) });
    expect(result).toEqual({
      ok: true,
      reply: {
        id: "msg_0",
        model: "claude-sonnet-5-5",
        content: [
          { type: "thinking", thinking: "Hm, well.", signature: "sig_0" },
          { type: "text", text: "Grüße 👋 aus Köln" },
          { type: "tool_use", id: "toolu_0_0", name: "Read", input: { file_path: "ä.ts" } },
        ],
        stop_reason: "tool_use",
        usage,
      },
    });
    expect(deltas).toEqual([
      { kind: "thinking", text: "Hm, well." },
      { kind: "text", text: "Grüße 👋 aus Köln" },
      { kind: "tool", name: "Read" },
    ]);
    provider.finish();
  });

  it("was asked for with key, version, caching marks and the whole conversation", async () => {
    const { models, provider } = await mock({ script: ["ok"] });
    await models
      .resolve("claude-haiku-5-5")
      .send(ask({ messages: conversation, webSearch: true, effort: "high" }), { signal });
    const { path, headers, body } = provider.requests[0]!;
    expect(path).toBe("/v1/messages");
    expect(headers).toMatchObject({
      "x-api-key": "***1234",
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
    });
    const cache_control = { type: "ephemeral" };
    expect(body).toEqual({
      model: "claude-haiku-5-5",
      max_tokens: 4_096,
      stream: true,
      system: [{ type: "text", text: "Be brief.", cache_control }],
      tools: [
        { ...tool, cache_control },
        { type: "web_search_20250305", name: "web_search", max_uses: 8 },
      ],
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
      messages: [
        { role: "user", content: [{ type: "text", text: "Look at the file", cache_control }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "signed", signature: "sig" },
            { type: "text", text: "I look." },
            { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "a.ts" } },
          ],
        },
        {
          role: "user",
          content: [
            (conversation[2]!.content as object[])[0],
            { type: "text", text: "Go on", cache_control },
          ],
        },
      ],
    });
  });

  it.each([
    ["claude-opus-4-5", "medium", { thinking: { type: "enabled", budget_tokens: 4_095 } }],
    ["claude-sonnet-4-20250514", "low", { thinking: { type: "enabled", budget_tokens: 2_048 } }],
    [
      "claude-opus-4-8",
      "max",
      { thinking: { type: "adaptive" }, output_config: { effort: "max" } },
    ],
    ["claude-3-5-haiku-20241022", "high", {}],
  ] as const)("asks %s for %s effort in its own words", async (id, effort, words) => {
    const { models, provider } = await mock({ script: ["ok"] });
    await models.resolve(id).send(ask({ effort }), { signal });
    const { thinking, output_config } = provider.requests[0]!.body;
    expect({ thinking, output_config }).toEqual({
      thinking: undefined,
      output_config: undefined,
      ...words,
    });
  });

  it("is refused by no provider for empty or half texts", async () => {
    const { models, provider } = await mock({ script: ["ok"] });
    const messages: Message[] = [
      { role: "user", content: "" },
      { role: "assistant", content: [{ type: "text", text: "" }] },
      { role: "user", content: "half \ud83d and \\ud83d whole 👋" },
    ];
    await models.resolve("opus").send(ask({ messages, system: " " }), { signal });
    const { body } = provider.requests[0]!;
    expect(body.system).toBeUndefined();
    expect(
      (body.messages as { content: { text: string }[] }[]).map(({ content }) => content[0]!.text),
    ).toEqual(["(empty)", "half \ufffd and \\ud83d whole 👋"]);
  });

  it("is asked for with a bearer token where only that is given", async () => {
    const provider = await startMockProvider({ script: ["ok"] });
    const models = createModels({
      env: { ANTHROPIC_BASE_URL: `${provider.url}/gateway/`, ANTHROPIC_AUTH_TOKEN: "token-4321" },
    });
    open.push(models, provider);
    expect((await models.resolve("opus").send(ask(), { signal })).ok).toBe(true);
    expect(provider.requests[0]).toMatchObject({
      path: "/gateway/v1/messages",
      headers: { authorization: "***4321" },
    });
    expect(provider.requests[0]!.headers["x-api-key"]).toBeUndefined();
  });
});

describe("a reply over the OpenAI-compatible protocol", () => {
  it("keeps text, reasoning, tool calls, cached tokens and ids", async () => {
    const usage = { input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 5 };
    const { models } = await mock({
      script: [
        {
          thinking: "Hm.",
          text: "Grüße 👋",
          tools: [
            { name: "Read", input: { file_path: "x" } },
            { name: "Read", input: {} },
          ],
          usage,
        },
      ],
    });
    const deltas: ReplyDelta[] = [];
    const result = await models
      .resolve("plain:some-model")
      .send(ask(), { signal, onDelta: (delta) => deltas.push(delta) });
    expect(result).toEqual({
      ok: true,
      reply: {
        id: "chatcmpl_0",
        model: "some-model",
        content: [
          { type: "thinking", thinking: "Hm." },
          { type: "text", text: "Grüße 👋" },
          { type: "tool_use", id: "toolu_0_0", name: "Read", input: { file_path: "x" } },
          { type: "tool_use", id: "toolu_0_1", name: "Read", input: {} },
        ],
        stop_reason: "tool_use",
        usage: { ...usage, cache_creation_input_tokens: 0 },
      },
    });
    expect(deltas.map((delta) => delta.kind)).toEqual(["thinking", "text", "tool", "tool"]);
  });

  it("was asked for with the conversation in its words", async () => {
    const { models, provider } = await mock({ script: ["ok"] });
    await models
      .resolve("plain:some-model")
      .send(ask({ messages: conversation, effort: "high" }), { signal });
    const { path, headers, body } = provider.requests[0]!;
    expect(path).toBe("/v1/chat/completions");
    expect(headers.authorization).toBe("***9999");
    expect(body).toEqual({
      model: "some-model",
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 4_096,
      tools: [
        {
          type: "function",
          function: { name: "Read", description: "Reads a file", parameters: tool.input_schema },
        },
      ],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Look at the file" },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [
            {
              id: "toolu_1",
              type: "function",
              function: { name: "Read", arguments: '{"file_path":"a.ts"}' },
            },
          ],
          reasoning_content: "unsigned",
        },
        {
          role: "tool",
          tool_call_id: "toolu_1",
          content: "const a = 1;\n(the image follows in the next message)",
        },
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
            { type: "text", text: "Go on" },
          ],
        },
      ],
    });
  });

  it("tells a document that could not be shown, marks error results, and drops empty turns", async () => {
    const { models, provider } = await mock({ script: ["ok"] });
    const messages: Message[] = [
      {
        role: "user",
        content: [
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "JVBE" },
          },
        ],
      },
      { role: "assistant", content: [] },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: "no such file", is_error: true },
        ],
      },
    ];
    await models.resolve("gpt-5").send(ask({ messages, effort: "max", tools: [] }), { signal });
    const { body } = provider.requests[0]!;
    expect(body).toMatchObject({ max_completion_tokens: 4_096, reasoning_effort: "high" });
    expect(body.max_tokens).toBeUndefined();
    expect(body.tools).toBeUndefined();
    expect(JSON.stringify((body.messages as unknown[])[1])).toContain("takes no documents");
    expect(JSON.stringify(body)).not.toContain("JVBE");
    expect((body.messages as unknown[]).at(-1)).toEqual({
      role: "tool",
      tool_call_id: "t1",
      content: "Error: no such file",
    });
    expect(body.messages).toHaveLength(4);
  });

  it("asks once more by the other name of the output limit when a server refuses one", async () => {
    const refusal = {
      error: {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      },
    };
    const { models, provider } = await mock({
      script: [{ fault: { kind: "status", status: 400, body: refusal } }, "ok", "again"],
    });
    const model = models.resolve("plain:new-model");
    expect((await model.send(ask(), { signal })).ok).toBe(true);
    expect((await model.send(ask(), { signal })).ok).toBe(true);
    expect(
      provider.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens]),
    ).toEqual([
      [4_096, undefined],
      [undefined, 4_096],
      [undefined, 4_096],
    ]);
  });

  it("shortens names that the protocol does not take and knows them again", async () => {
    const name = `mcp__${"server".repeat(10)}__tool.with.dots`;
    const { models, provider } = await mock({
      reply: ({ body }) => ({
        tools: [{ name: (body.tools as { function: { name: string } }[])[0]!.function.name }],
      }),
    });
    const result = await models
      .resolve("plain:m")
      .send(ask({ tools: [{ ...tool, name }] }), { signal });
    expect(result).toMatchObject({ ok: true, reply: { content: [{ type: "tool_use", name }] } });
    expect(JSON.stringify(provider.requests[0]!.body.tools)).toMatch(/"name":"[\w-]{64}"/);
  });

  it("gives a call a new id where the server repeats one of an earlier turn", async () => {
    const { models } = await mock({ script: [{ tools: [{ name: "Read", id: "toolu_1" }] }] });
    const result = await models
      .resolve("plain:m")
      .send(ask({ messages: conversation }), { signal });
    expect(result).toMatchObject({
      ok: true,
      reply: {
        content: [{ type: "tool_use", id: expect.not.stringMatching(/^toolu_1$/) as string }],
      },
    });
    expect((result as { reply: object }).reply).not.toHaveProperty("invalid_inputs");
  });
});

describe("names of models", () => {
  const models = createModels({
    env: { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "b", GOOGLE_API_KEY: "c" },
    aliases: { fast: "ollama:qwen3:4b" },
    providers: { local: { protocol: "anthropic", baseUrl: "http://127.0.0.1:9" } },
  });
  it.each([
    ["opus", "anthropic:claude-opus-5-5"],
    ["anthropic:claude-sonnet-5-5", "anthropic:claude-sonnet-5-5"],
    ["claude-haiku-4-5", "anthropic:claude-haiku-4-5"],
    ["gpt-5", "openai:gpt-5"],
    ["o4-mini", "openai:o4-mini"],
    ["gemini-2.5-pro", "google:gemini-2.5-pro"],
    ["fast", "ollama:qwen3:4b"],
    ["local:glm-5", "local:glm-5"],
  ])("%s is %s", (given, full) => expect(models.resolve(given).name).toBe(full));

  it("give the same model for the same name", () =>
    expect(models.resolve("opus")).toBe(models.resolve("claude-opus-5-5")));

  it.each([
    ["sonet", /Did you mean "sonnet"/],
    ["antropic:claude-x", /Did you mean "anthropic:claude-x"/],
    ["llama3", /provider:id with the provider one of anthropic, openai, google, ollama, local/],
    ["openai:", /unknown model/],
    ["nothing", /an alias \(opus, sonnet, haiku, fable, fast\), offline/],
    ["", /unknown model/],
    ["__proto__:x", /unknown model/],
  ])("%s is unknown, and the way to write it is told", (given, words) => {
    expect(() => models.resolve(given)).toThrowError(
      expect.objectContaining({
        code: "unknown_model",
        message: expect.stringMatching(words) as string,
      }) as Error,
    );
  });

  it("need their provider's key, named by its variable and never printed", () => {
    const bare = createModels({ env: { OPENAI_API_KEY: "two words" } });
    expect(() => bare.resolve("opus")).toThrowError(
      expect.objectContaining({
        code: "missing_key",
        message: expect.stringContaining("ANTHROPIC_API_KEY") as string,
      }) as Error,
    );
    expect(() => bare.resolve("gpt-5")).toThrowError(
      expect.objectContaining({
        code: "missing_key",
        message: expect.not.stringContaining("two words") as string,
      }) as Error,
    );
    expect(bare.resolve("ollama:llama3").name).toBe("ollama:llama3");
  });

  it("need an address that is one", () => {
    const bad = createModels({
      env: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "api.example.com" },
    });
    expect(() => bad.resolve("opus")).toThrowError(
      expect.objectContaining({
        code: "config",
        message: expect.stringContaining("http://") as string,
      }) as Error,
    );
  });
});

describe("providers", () => {
  it.each([
    [{ ANTHROPIC_MODEL: "opus", OPENAI_API_KEY: "k" }, "opus"],
    [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "sonnet"],
    [{ ANTHROPIC_AUTH_TOKEN: "k" }, "sonnet"],
    [{ ANTHROPIC_API_KEY: " ", OPENAI_API_KEY: "k" }, "openai:gpt-5"],
    [{ GEMINI_API_KEY: "k" }, "google:gemini-2.5-pro"],
    [{}, undefined],
  ])("of the environment %j make %s the model of who names none", (env, name) =>
    expect(defaultModelName(env)).toBe(name),
  );

  it.each([
    [undefined, "http://127.0.0.1:11434/v1"],
    ["0.0.0.0", "http://127.0.0.1:11434/v1"],
    ["box:8080", "http://box:8080/v1"],
    ["https://ollama.example/base/", "https://ollama.example/base/v1"],
  ])("with OLLAMA_HOST %s are reached at %s", (host, url) =>
    expect(providerOf("ollama", { env: { OLLAMA_HOST: host }, settings: {} }).baseUrl).toBe(url),
  );

  it("of the settings may replace a built-in one", () => {
    const settings = {
      openai: { protocol: "anthropic", baseUrl: "http://x", apiKeyEnv: "X" },
    } as const;
    expect(providerOf("openai", { env: { OPENAI_BASE_URL: "http://y" }, settings })).toEqual({
      name: "openai",
      protocol: "anthropic",
      baseUrl: "http://x",
      keys: ["X"],
    });
  });
});
