import { createServer, request as httpRequest, type Server } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import type { MockFault } from "../testing/mock-fault.ts";
import {
  startMockProvider,
  type MockLine,
  type MockProvider,
  type MockProviderOptions,
} from "../testing/mock-provider.ts";
import type { Clock } from "./clock.ts";
import { createModels } from "./create-models.ts";
import type { FailureKind, Model, ModelCall, ModelRequest, ModelResult, Reply } from "./model.ts";

const key = "key-that-nobody-may-see";
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Protocol = "anthropic" | "openai";
const protocols: Protocol[] = ["anthropic", "openai"];
type Knobs = {
  idleTimeoutMs?: number;
  replyTimeoutMs?: number;
  clock?: Clock;
  env?: Record<string, string>;
};

function modelAt(
  url: string,
  protocol: Protocol,
  { env = {}, clock = createFakeClock(), ...times }: Knobs = {},
): Model {
  const baseUrl = protocol === "anthropic" ? url : `${url}/v1`;
  const models = createModels({
    env: { KEY: key, ...env },
    providers: { test: { protocol, baseUrl, apiKeyEnv: "KEY" } },
    clock,
    idleTimeoutMs: 5_000,
    ...times,
  });
  closing.push(() => models.close());
  return models.resolve("test:mock-model");
}

async function mock(options: MockProviderOptions): Promise<MockProvider> {
  const provider = await startMockProvider(options);
  closing.push(() => provider.close());
  return provider;
}

const ask: ModelRequest = {
  system: "s",
  messages: [{ role: "user", content: "Hello there, how are you today?" }],
  tools: [],
  maxOutputTokens: 1_000,
};
const send = (model: Model, call: Partial<ModelCall> = {}): Promise<ModelResult> =>
  model.send(ask, { signal: new AbortController().signal, ...call });

/** Sends one request against a script and hands back everything that can be looked at. */
async function play(
  protocol: Protocol,
  script: readonly MockLine[],
  {
    options = {},
    knobs = {},
  }: { options?: Omit<MockProviderOptions, "script" | "reply">; knobs?: Knobs } = {},
) {
  const provider = await mock({ script, ...options });
  const waits: { kind: FailureKind; delayMs: number }[] = [];
  const result = await send(modelAt(provider.url, protocol, knobs), {
    onWait: ({ kind, delayMs }) => waits.push({ kind, delayMs }),
  });
  return { result, waits, provider, requests: provider.requests.length };
}

const replyOf = (result: ModelResult): Reply => {
  if (!result.ok) throw new Error(`no reply but ${result.failure.kind}: ${result.failure.message}`);
  return result.reply;
};

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const words =
  "Grüße 👋 an Zoë — naïve 日本語 text, long enough to be several deltas of the stream.";
const readCall = { name: "Read", input: { file_path: "ä/日本.ts" } };
const forever = (line: MockLine): MockLine[] => Array.from({ length: 7 }, () => line);
const fault = (value: MockFault): MockLine => ({ fault: value });
const status = (code: number, more: object = {}): MockLine =>
  fault({ kind: "status", status: code, ...more });

describe.each(protocols)("over the %s protocol", (protocol) => {
  describe("a provider that cannot answer now", () => {
    it("PROVI-01 is waited for as long as it says, and the wait is told", async () => {
      const { result, waits } = await play(protocol, [
        status(429, { headers: { "retry-after": "30" } }),
        "done",
      ]);
      expect(replyOf(result).content).toEqual([{ type: "text", text: "done" }]);
      expect(waits).toEqual([{ kind: "rate_limit", delayMs: 30_250 }]);
    });

    it("PROVI-02 for ever is given up as rate_limit, never as a success", async () => {
      const { result, requests } = await play(protocol, forever(status(429)));
      expect(result).toMatchObject({
        ok: false,
        failure: { kind: "rate_limit", status: 429, attempts: 7 },
      });
      expect(requests).toBe(7);
    });

    it("PROVI-03 because it is overloaded is asked until it answers, and there is one reply", async () => {
      const { result, provider } = await play(protocol, [
        status(529),
        status(529),
        status(529),
        "done",
      ]);
      expect(replyOf(result).content).toHaveLength(1);
      provider.finish();
    });

    it.each([500, 502, 503])("PROVI-04 for HTTP %i is asked again", async (code) => {
      const { result, requests } = await play(protocol, [status(code), "done"]);
      expect([result.ok, requests]).toEqual([true, 2]);
    });

    it("PROVI-08 because nobody listens or the connection is reset is tried again and then a network failure", async () => {
      const provider = await mock({ script: [] });
      await provider.close();
      expect(await send(modelAt(provider.url, protocol))).toMatchObject({
        ok: false,
        failure: {
          kind: "network",
          attempts: 7,
          message: expect.stringContaining("ECONNREFUSED") as string,
        },
      });
      const { result, waits } = await play(protocol, [fault({ kind: "reset" }), "done"]);
      expect([result.ok, waits[0]?.kind]).toEqual([true, "network"]);
    });

    it("PROVI-09 because connecting hangs runs into a timeout", async () => {
      const sockets: Socket[] = [];
      const silent = createTcpServer((socket) => void sockets.push(socket));
      const port = await listen(silent);
      closing.push(() => (sockets.forEach((socket) => socket.destroy()), silent.close()));
      const model = modelAt(`https://127.0.0.1:${port}`, protocol, { idleTimeoutMs: 60 });
      expect(await send(model)).toMatchObject({
        ok: false,
        failure: { kind: "timeout", attempts: 7 },
      });
    });

    it.each(["start", "headers", "body"] as const)(
      "PROVI-10 and stalls at its %s runs into the idle timeout and is asked again",
      async (at) => {
        const { result, waits } = await play(protocol, [fault({ kind: "stall", at }), "done"], {
          knobs: { idleTimeoutMs: 150 },
        });
        expect([result.ok, waits[0]?.kind]).toEqual([true, "timeout"]);
      },
    );

    it("PROVI-31 and dribbles without end runs into the deadline of the whole reply", async () => {
      const drip = createServer((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => response.write(": still here\n\n"), 10);
        response.on("close", () => clearInterval(timer));
      });
      const port = await listen(drip);
      closing.push(() => (drip.close(), drip.closeAllConnections()));
      const model = modelAt(`http://127.0.0.1:${port}`, protocol, {
        idleTimeoutMs: 10_000,
        replyTimeoutMs: 60,
      });
      expect(await send(model)).toMatchObject({
        ok: false,
        failure: { kind: "timeout", message: expect.stringContaining("not complete") as string },
      });
    });
  });

  describe("a request that the provider refuses", () => {
    it.each([401, 403])(
      "PROVI-05 with %i is not repeated, and the key is not repeated either",
      async (code) => {
        const { result, requests } = await play(protocol, [
          status(code, { body: { error: { message: `wrong key: ${key}` } } }),
        ]);
        expect([result, requests]).toMatchObject([
          { ok: false, failure: { kind: "auth", status: code } },
          1,
        ]);
        expect(JSON.stringify(result)).not.toContain(key);
      },
    );

    it.each([
      ["PROVI-06", { kind: "overflow" }],
      ["PROVI-07", { kind: "status", status: 413 }],
    ] as [string, MockFault][])(
      "%s because the prompt is too long is an overflow, told at once",
      async (_, value) => {
        const { result, requests } = await play(protocol, [fault(value)]);
        expect([result, requests]).toMatchObject([
          { ok: false, failure: { kind: "overflow", attempts: 1 } },
          1,
        ]);
      },
    );
  });

  describe("a stream", () => {
    it("PROVI-11 cut in the middle of an event is no reply; the text so far is kept", async () => {
      const { result } = await play(
        protocol,
        forever({ text: words, fault: { kind: "cut", at: "event" } }),
      );
      expect(result).toMatchObject({ ok: false, failure: { kind: "network", attempts: 7 } });
      expect(
        words.startsWith((result as { failure: { partialText: string } }).failure.partialText),
      ).toBe(true);
      expect(
        (result as { failure: { partialText: string } }).failure.partialText.length,
      ).toBeGreaterThan(10);
    });

    it("PROVI-12 cut after a complete tool call but before the stop is no reply", async () => {
      const { result } = await play(
        protocol,
        forever({ text: "I read.", tools: [readCall], fault: { kind: "cut", at: "stop" } }),
      );
      expect(result).toMatchObject({
        ok: false,
        failure: { kind: "network", partialText: "I read." },
      });
    });

    it("PROVI-11 PROVI-12 cut at any byte is a failure until all that matters has arrived, and then the same reply", async () => {
      const line = { text: "Ab", tools: [{ ...readCall, id: "t1" }] };
      const whole = replyOf((await play(protocol, [line])).result);
      let at = 1;
      const provider = await mock({ reply: () => ({ ...line, fault: { kind: "cut", at } }) });
      const model = modelAt(provider.url, protocol);
      let failures = 0;
      for (let result = await send(model); ; result = await send(model)) {
        if (result.ok) {
          expect(result.reply.content).toEqual(whole.content);
          break;
        }
        expect(["network", "malformed"]).toContain(result.failure.kind);
        failures++;
        at += 29;
        expect(at).toBeLessThan(5_000);
      }
      expect(failures).toBeGreaterThan(10);
    });

    it("PROVI-13 with an error event in its middle is a failure, tried again, with the deltas declared void", async () => {
      const { result, waits } = await play(protocol, [
        { text: words, fault: { kind: "error-event" } },
        "done",
      ]);
      expect(waits.map((wait) => wait.kind)).toEqual(["overloaded"]);
      expect(replyOf(result).content).toEqual([{ type: "text", text: "done" }]);
    });

    it.each([1, 2, 3, 7, 64])(
      "PROVI-14 PROVI-15 in pieces of %i bytes reads the same, without one broken character",
      async (chunkBytes) => {
        const line = { thinking: words, text: words, tools: [readCall] };
        const whole = replyOf((await play(protocol, [line])).result);
        const split = replyOf((await play(protocol, [line], { options: { chunkBytes } })).result);
        expect(split).toEqual(whole);
        expect(JSON.stringify(split)).not.toContain("\ufffd");
        expect(split.content).toContainEqual({ type: "text", text: words });
      },
    );

    it.each(["\r\n", "\r"] as const)(
      "PROVI-16 with line ends %j reads the same, whole or split",
      async (lineEnd) => {
        const line = { text: words, tools: [readCall] };
        const plain = replyOf((await play(protocol, [line])).result);
        expect(replyOf((await play(protocol, [line], { options: { lineEnd } })).result)).toEqual(
          plain,
        );
        expect(
          replyOf((await play(protocol, [line], { options: { lineEnd, chunkBytes: 5 } })).result),
        ).toEqual(plain);
      },
    );

    it.each([
      ["an HTML page", fault({ kind: "raw" })],
      [
        "an HTML page said to be a stream",
        fault({ kind: "raw", contentType: "text/event-stream" }),
      ],
      ["nothing", fault({ kind: "raw", body: "", contentType: "text/event-stream" })],
      [
        "a lone [DONE]",
        fault({ kind: "raw", body: "data: [DONE]\n\n", contentType: "text/event-stream" }),
      ],
      [
        "no JSON",
        fault({ kind: "raw", body: "data: {oops\n\n", contentType: "text/event-stream" }),
      ],
      [
        "binary noise",
        fault({ kind: "raw", body: "\0\x01\x02\n\n", contentType: "application/octet-stream" }),
      ],
      [
        "a whole JSON answer",
        fault({ kind: "raw", body: '{"id":"x"}', contentType: "application/json" }),
      ],
    ])(
      "PROVI-17 that is %s with status 200 is malformed, after two more tries",
      async (_, line) => {
        const { result, requests } = await play(protocol, forever(line));
        expect([result, requests]).toMatchObject([
          { ok: false, failure: { kind: "malformed", attempts: 3 } },
          3,
        ]);
      },
    );

    it("PROVI-18 whose data line was truncated and padded is asked for again", async () => {
      const body = `data: {"type":"message_start","choices":[{"del${" ".repeat(500)}\n\n`;
      const { result, waits } = await play(protocol, [
        fault({ kind: "raw", body, contentType: "text/event-stream" }),
        "done",
      ]);
      expect([result.ok, waits[0]?.kind]).toEqual([true, "malformed"]);
    });

    it("that is an error in JSON with status 200 is that error", async () => {
      const body = JSON.stringify({ error: { type: "rate_limit_error", message: "slow down" } });
      const { result, waits } = await play(protocol, [
        fault({ kind: "raw", body, contentType: "application/json" }),
        "done",
      ]);
      expect([result.ok, waits[0]?.kind]).toEqual([true, "rate_limit"]);
    });

    it("ends at once when the caller stops it, and the provider sees the connection close", async () => {
      const closed: Promise<void>[] = [];
      const server = createServer((_, response) => {
        closed.push(new Promise((resolve) => void response.on("close", resolve)));
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      });
      const port = await listen(server);
      closing.push(() => (server.close(), server.closeAllConnections()));
      const stop = new AbortController();
      const sending = send(
        modelAt(`http://127.0.0.1:${port}`, protocol, { idleTimeoutMs: 60_000 }),
        { signal: stop.signal },
      );
      setTimeout(() => stop.abort(), 50);
      expect(await sending).toMatchObject({ ok: false, failure: { kind: "aborted", attempts: 1 } });
      await closed[0];
    });
  });

  describe("a reply", () => {
    it.each([
      ["no JSON", '{"file_path": "a', /not valid JSON/],
      ["an array", "[1]", /no JSON object but an array/],
      ["a string", '"rm -rf /"', /no JSON object but string/],
      ["null", "null", /no JSON object/],
    ])(
      "PROVI-20 whose tool input is %s says so, and the input is empty",
      async (_, rawInput, problem) => {
        const { result } = await play(protocol, [
          {
            tools: [
              { name: "Read", id: "t1", rawInput },
              { ...readCall, id: "t2" },
            ],
          },
        ]);
        const reply = replyOf(result);
        expect(reply.content).toEqual([
          { type: "tool_use", id: "t1", name: "Read", input: {} },
          { type: "tool_use", id: "t2", ...readCall },
        ]);
        expect(reply.invalid_inputs).toEqual({ t1: expect.stringMatching(problem) as string });
      },
    );

    it("PROVI-23 that uses an id twice gives the second call another one and does not let it run", async () => {
      const { result } = await play(protocol, [
        {
          tools: [
            { ...readCall, id: "t1" },
            { name: "Bash", input: {}, id: "t1" },
          ],
        },
      ]);
      const { content, invalid_inputs } = replyOf(result);
      const ids = content.map((block) => (block.type === "tool_use" ? block.id : ""));
      expect(new Set(ids).size).toBe(2);
      expect(ids[0]).toBe("t1");
      expect(Object.keys(invalid_inputs ?? {})).toEqual([ids[1]]);
    });

    it.each(["__proto__", "constructor", "", "a b\n", "x".repeat(500)])(
      "whose call has the id %j gets a better one, and what was wrong stays known by it",
      async (id) => {
        const { content, invalid_inputs } = replyOf(
          (await play(protocol, [{ tools: [{ name: "Read", id, rawInput: "{" }] }])).result,
        );
        const [block] = content as { id: string; input: unknown }[];
        expect(block!.id).toMatch(/^toolu_[0-9a-f]{24}$/);
        expect(Object.keys(invalid_inputs!)).toEqual([block!.id]);
      },
    );

    it("PROVI-25 cut by the output limit inside a tool call is marked so", async () => {
      const { result } = await play(protocol, [
        {
          text: "I write.",
          tools: [{ name: "Write", id: "t1", rawInput: '{"content": "half' }],
          stop_reason: "max_tokens",
        },
      ]);
      expect(replyOf(result)).toMatchObject({
        stop_reason: "max_tokens",
        invalid_inputs: { t1: expect.stringContaining("incomplete") as string },
        content: [{ type: "text" }, { type: "tool_use", input: {} }],
      });
    });

    it("PROVI-26 that is a refusal is given back as one, once", async () => {
      const { result, requests } = await play(protocol, [
        { text: "I cannot", stop_reason: "refusal" },
      ]);
      expect([replyOf(result).stop_reason, requests]).toEqual(["refusal", 1]);
    });

    it.each([
      ["pause_turn", {}, "pause_turn"],
      ["something_new", {}, "end_turn"],
    ])("PROVI-27 that stops with %s is handled", async (stop_reason, more, expected) => {
      expect(
        replyOf((await play(protocol, [{ text: "well", stop_reason, ...more }])).result)
          .stop_reason,
      ).toBe(expected);
    });

    it("PROVI-27 that stops with an unknown reason lets none of its calls run", async () => {
      const reply = replyOf(
        (
          await play(protocol, [
            { tools: [{ ...readCall, id: "t1" }], stop_reason: "something_new" },
          ])
        ).result,
      );
      expect(reply).toMatchObject({
        stop_reason: "tool_use",
        invalid_inputs: { t1: expect.stringContaining("something_new") as string },
      });
    });

    it("that says stop but calls a tool is a tool call, and the other way round it is none", async () => {
      expect(
        replyOf((await play(protocol, [{ tools: [readCall], stop_reason: "end_turn" }])).result)
          .stop_reason,
      ).toBe("tool_use");
      expect(
        replyOf((await play(protocol, [{ text: "x", stop_reason: "tool_use" }])).result)
          .stop_reason,
      ).toBe("end_turn");
    });

    it("PROVI-28 that is empty is given back empty", async () => {
      expect(replyOf((await play(protocol, [{}])).result)).toMatchObject({
        content: [],
        stop_reason: "end_turn",
      });
    });

    it.each([
      ["missing", null],
      ["negative", { input_tokens: -5, output_tokens: -1, cache_read_input_tokens: -3 }],
      ["no numbers", { input_tokens: "many", output_tokens: {} }],
      ["zero", { input_tokens: 0, output_tokens: 0 }],
    ])("PROVI-30 whose usage is %s is counted by ourselves", async (_, usage) => {
      const { usage: counted } = replyOf((await play(protocol, [{ text: words, usage }])).result);
      expect(counted.input_tokens).toBeGreaterThan(5);
      expect(counted.input_tokens).toBeLessThan(500);
      expect(counted.output_tokens).toBeGreaterThan(10);
      expect(counted.cache_read_input_tokens).toBe(0);
    });
  });

  it("calls under way end at once, for good, when the connections are closed", async () => {
    const provider = await mock({ reply: () => ({ fault: { kind: "stall", at: "body" } }) });
    const models = createModels({
      env: {},
      providers: { test: { protocol, baseUrl: provider.url } },
    });
    const sending = [1, 2, 3].map(() => send(models.resolve("test:m")));
    while (provider.requests.length < 3)
      await new Promise((resolve) => void setTimeout(resolve, 5));
    await models.close();
    for (const result of await Promise.all([...sending, send(models.resolve("test:m"))]))
      expect(result).toMatchObject({ ok: false, failure: { kind: "aborted", attempts: 1 } });
    expect(provider.requests).toHaveLength(3);
  });

  it("50 agents all finish against a provider that answers 429 to half of their requests", async () => {
    const provider = await mock({
      reply: () => "done",
      rateLimited: { share: 0.5, seed: 3, headers: { "retry-after-ms": "40" } },
    });
    const models = createModels({
      env: {},
      providers: {
        test: { protocol, baseUrl: protocol === "anthropic" ? provider.url : `${provider.url}/v1` },
      },
      clock: createFakeClock(),
    });
    closing.push(() => models.close());
    const model = models.resolve("test:m");
    const results = await Promise.all(Array.from({ length: 50 }, () => send(model)));
    expect(results.filter((result) => !result.ok)).toEqual([]);
    expect(provider.requests.length).toBeGreaterThan(70);
  });
});

describe("Anthropic's stream in particular", () => {
  const stream = (...events: unknown[]): MockLine =>
    fault({
      kind: "raw",
      contentType: "text/event-stream",
      body: events
        .map((event) => (typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`))
        .join(""),
    });
  const start = {
    type: "message_start",
    message: { id: "m", model: "x", usage: { input_tokens: 3 } },
  };
  const end = [
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ];
  const textBlock = [
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
    { type: "content_block_stop", index: 0 },
  ];

  it("PROVI-16 PROVI-19 passes over comments, pings, empty data, unknown events and deltas, and unknown indexes", async () => {
    const noise = [
      ": comment\n\n",
      "event: ping\ndata:\n\n",
      "data: null\n\n",
      "data: [1]\n\n",
      "id: 7\nretry: soon\nfoo: bar\n\n",
      { type: "brand_new" },
      {
        type: "content_block_delta",
        index: 9,
        delta: { type: "input_json_delta", partial_json: "{" },
      },
      { type: "content_block_stop", index: 9 },
      { type: "content_block_start", index: 5, content_block: { type: "new_kind" } },
      { type: "content_block_delta", index: 5, delta: { type: "text_delta", text: "lost" } },
      { type: "content_block_delta", index: 0, delta: null },
    ];
    const { result } = await play("anthropic", [
      stream(start, ...noise, ...textBlock, ...noise, ...end),
    ]);
    expect(replyOf(result)).toEqual({
      id: "m",
      model: "x",
      content: [{ type: "text", text: "hi" }],
      stop_reason: "end_turn",
      usage: {
        input_tokens: 3,
        output_tokens: 2,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
    });
  });

  it("takes a data field spread over several lines and a byte order mark", async () => {
    const { result } = await play("anthropic", [
      stream(
        "\ufeff",
        start,
        'data: {"type": "content_block_start", "index": 0,\ndata: "content_block": {"type": "text", "text": "two lines"}}\n\n',
        ...end,
      ),
    ]);
    expect(replyOf(result)).toMatchObject({
      id: "m",
      content: [{ type: "text", text: "two lines" }],
    });
  });

  it("PROVI-12 is no reply without a stop reason, although it says message_stop", async () => {
    const { result } = await play(
      "anthropic",
      forever(stream(start, ...textBlock, { type: "message_stop" })),
    );
    expect(result).toMatchObject({ ok: false, failure: { kind: "network", partialText: "hi" } });
  });

  it("marks a tool call that was never closed", async () => {
    const open = [
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "t1", name: "Bash", input: {} },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: '{"command":"ls"}' },
      },
    ];
    const { result } = await play("anthropic", [
      stream(
        start,
        ...open,
        { type: "message_delta", delta: { stop_reason: "tool_use" } },
        { type: "message_stop" },
      ),
    ]);
    expect(replyOf(result).invalid_inputs).toEqual({
      t1: expect.stringContaining("incomplete") as string,
    });
  });

  it("keeps blocks apart that share an index, and the provider's own blocks whole", async () => {
    const search = [
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: '{"query":"x"}' },
      },
      { type: "content_block_stop", index: 0 },
      {
        type: "content_block_start",
        index: 0,
        content_block: {
          type: "web_search_tool_result",
          tool_use_id: "s1",
          content: [{ url: "u" }],
        },
      },
      { type: "content_block_stop", index: 0 },
    ];
    const { result } = await play("anthropic", [stream(start, ...search, ...textBlock, ...end)]);
    expect(replyOf(result).content).toEqual([
      { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } },
      { type: "web_search_tool_result", tool_use_id: "s1", content: [{ url: "u" }] },
      { type: "text", text: "hi" },
    ]);
  });
});

describe("the OpenAI-compatible stream in particular", () => {
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const raw = (...chunks: string[]): MockLine =>
    fault({ kind: "raw", contentType: "text/event-stream", body: chunks.join("") });

  it("takes calls without index, without id, and with input as an object", async () => {
    const calls = [
      chunk({ tool_calls: [{ function: { name: "A", arguments: '{"a":' } }] }),
      chunk({ tool_calls: [{ function: { arguments: "1}" } }] }),
      chunk({
        tool_calls: [
          {
            function: { name: "B", arguments: { b: 2 } },
            extra_content: { google: { thought_signature: "s" } },
          },
        ],
      }),
    ];
    const { content, stop_reason } = replyOf(
      (await play("openai", [raw(...calls, chunk({}, "stop"))])).result,
    );
    expect(content).toMatchObject([
      { name: "A", input: { a: 1 } },
      { name: "B", input: { b: 2 }, extra_content: { google: { thought_signature: "s" } } },
    ]);
    expect(stop_reason).toBe("tool_use");
  });

  it("takes a refusal as one, and text in parts", async () => {
    const reply = replyOf(
      (
        await play("openai", [
          raw(
            chunk({ content: [{ type: "text", text: "a" }] }),
            chunk({ refusal: "No." }, "stop"),
            "data: [DONE]\n\n",
          ),
        ])
      ).result,
    );
    expect(reply).toMatchObject({
      stop_reason: "refusal",
      content: [{ type: "text", text: "aNo." }],
    });
  });

  it("is complete with its finish_reason, although the end of the body never comes", async () => {
    const server = createServer(
      (_, response) =>
        void response
          .writeHead(200, { "content-type": "text/event-stream" })
          .write(chunk({ content: "all" }, "stop")),
    );
    const port = await listen(server);
    closing.push(() => (server.close(), server.closeAllConnections()));
    expect(
      replyOf(await send(modelAt(`http://127.0.0.1:${port}`, "openai", { idleTimeoutMs: 80 })))
        .content,
    ).toEqual([{ type: "text", text: "all" }]);
  });

  it("is incomplete with [DONE] alone", async () => {
    const { result } = await play(
      "openai",
      forever(raw(chunk({ content: "half" }), "data: [DONE]\n\n")),
    );
    expect(result).toMatchObject({ ok: false, failure: { kind: "network", partialText: "half" } });
  });
});

describe("proxies of the environment", () => {
  async function tunnel(): Promise<{ url: string; tunnels: string[] }> {
    const tunnels: string[] = [];
    const proxy = createServer((incoming, response) => {
      tunnels.push(incoming.url ?? "");
      incoming.pipe(
        httpRequest(
          incoming.url!,
          { method: incoming.method, headers: incoming.headers },
          (answer) => void answer.pipe(response),
        ),
      );
    });
    proxy.on("connect", (incoming, socket: Socket) => {
      tunnels.push(incoming.url ?? "");
      const [host, port] = incoming.url!.split(":");
      const onward = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      onward.on("error", () => socket.destroy());
      socket.on("error", () => onward.destroy());
    });
    const port = await listen(proxy);
    closing.push(() => (proxy.close(), proxy.closeAllConnections()));
    return { url: `http://127.0.0.1:${port}`, tunnels };
  }

  it("are used where they are set and left where NO_PROXY names the host", async () => {
    const provider = await mock({ reply: () => "done" });
    const { url, tunnels } = await tunnel();
    expect((await send(modelAt(provider.url, "anthropic", { env: { HTTP_PROXY: url } }))).ok).toBe(
      true,
    );
    expect(tunnels).toHaveLength(1);
    expect(
      (
        await send(
          modelAt(provider.url, "anthropic", { env: { HTTP_PROXY: url, NO_PROXY: "127.0.0.1" } }),
        )
      ).ok,
    ).toBe(true);
    expect((await send(modelAt(provider.url, "anthropic", { env: { HTTPS_PROXY: url } }))).ok).toBe(
      true,
    );
    expect(tunnels).toHaveLength(1);
  });

  it("that are no address are told at once", async () => {
    const result = await send(
      modelAt("http://127.0.0.1:9", "anthropic", { env: { HTTP_PROXY: "::nonsense::" } }),
    );
    expect(result).toMatchObject({
      ok: false,
      failure: {
        kind: "invalid_request",
        attempts: 1,
        message: expect.stringContaining("proxy") as string,
      },
    });
  });
});
