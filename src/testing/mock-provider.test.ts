import { afterEach, describe, expect, it } from "vitest";
import { startMockProvider, type MockProvider, type MockProviderOptions } from "./mock-provider.ts";

let provider: MockProvider;
const start = async (options: MockProviderOptions): Promise<MockProvider> =>
  (provider = await startMockProvider(options));
afterEach(() => provider.close());

const post = (
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(provider.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe("the mock provider", () => {
  it("answers whole where no stream was asked for, in both protocols", async () => {
    const line = { text: "hi", tools: [{ name: "Read", input: { a: 1 }, id: "t" }] };
    await start({ script: [line, line] });
    expect(await (await post("/v1/messages", { model: "m" })).json()).toMatchObject({
      model: "m",
      stop_reason: "tool_use",
      content: [{ text: "hi" }, { id: "t", input: { a: 1 } }],
      usage: { input_tokens: 100, output_tokens: 20 },
    });
    expect(await (await post("/v1/chat/completions", { model: "m" })).json()).toMatchObject({
      choices: [
        {
          finish_reason: "tool_calls",
          message: { content: "hi", tool_calls: [{ id: "t", function: { arguments: '{"a":1}' } }] },
        },
      ],
      usage: { prompt_tokens: 100 },
    });
    provider.finish();
  });

  it("remembers what it was asked, without the keys", async () => {
    await start({ reply: ({ body }) => `you said ${String(body.say)}` });
    const answer = await post(
      "/v1/messages",
      { say: "boo" },
      { "x-api-key": "very-secret-1234", authorization: "Bearer other-5678" },
    );
    expect(await answer.json()).toMatchObject({ content: [{ text: "you said boo" }] });
    expect(provider.requests).toMatchObject([
      {
        index: 0,
        method: "POST",
        path: "/v1/messages",
        protocol: "anthropic",
        body: { say: "boo" },
        headers: { "x-api-key": "***1234", authorization: "***5678" },
      },
    ]);
  });

  it("counts tokens without using the script", async () => {
    await start({ script: [] });
    expect(await (await post("/v1/messages/count_tokens", { messages: [] })).json()).toEqual({
      input_tokens: expect.any(Number) as number,
    });
    provider.finish();
  });

  it("fails loudly on a request too many and on lines left over", async () => {
    await start({ script: ["one"] });
    expect(() => provider.finish()).toThrow("0 requests, but the script has 1 line");
    await post("/v1/messages", {});
    provider.finish();
    const answer = await post("/v1/messages", {});
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("request 2, but the script has 1 line"),
    ]);
    expect(() => provider.finish()).toThrow("2 requests");
  });

  it("tells what a script's function threw", async () => {
    await start({
      script: [
        () => {
          throw new Error("no idea");
        },
      ],
    });
    expect(await (await post("/v1/messages", {})).text()).toContain("no idea");
  });

  it("refuses the share of requests that was asked for, the same ones for the same seed", async () => {
    const statuses = async (seed: number): Promise<number[]> => {
      await start({
        reply: () => "ok",
        rateLimited: { share: 0.5, seed, headers: { "retry-after": "1" } },
      });
      const answers = [];
      for (let n = 0; n < 40; n++) answers.push(await post("/v1/messages", {}));
      expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("1");
      await provider.close();
      return answers.map(({ status }) => status);
    };
    const first = await statuses(5);
    expect(await statuses(5)).toEqual(first);
    expect(await statuses(6)).not.toEqual(first);
    const refused = first.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(8);
    expect(refused).toBeLessThan(32);
  });

  it("wants either a script or a function", async () => {
    await start({ script: [] });
    await expect(startMockProvider({})).rejects.toThrow("either a script or a reply function");
    await expect(startMockProvider({ script: [], reply: () => "x" })).rejects.toThrow("either");
  });
});
