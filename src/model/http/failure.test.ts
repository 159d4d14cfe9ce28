import { describe, expect, it } from "vitest";
import { failureOfErrorEvent, failureOfResponse, failureOfSocket } from "./failure.ts";
import type { FailureKind } from "../model.ts";
import { retryAfterMs } from "./retry-after.ts";

const body = (message: string, more: object = {}): string =>
  JSON.stringify({ error: { message, ...more } });

describe("the kind of a failed answer", () => {
  const table: [number, string, FailureKind][] = [
    [
      400,
      body("messages: roles must alternate", { type: "invalid_request_error" }),
      "invalid_request",
    ],
    [
      400,
      body("prompt is too long: 208310 tokens > 200000 maximum", { type: "invalid_request_error" }),
      "overflow",
    ],
    [
      400,
      body(
        "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length",
      ),
      "overflow",
    ],
    [
      400,
      body(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      ),
      "overflow",
    ],
    [400, body("too big", { code: "context_length_exceeded" }), "overflow"],
    [
      400,
      body(
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
      ),
      "overflow",
    ],
    [
      400,
      JSON.stringify([
        {
          error: {
            code: 400,
            message:
              "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            status: "INVALID_ARGUMENT",
          },
        },
      ]),
      "overflow",
    ],
    [400, JSON.stringify({ message: "Input is too long for requested model." }), "overflow"],
    [
      400,
      body("the request exceeds the available context size. try increasing the context size", {
        type: "exceed_context_size_error",
      }),
      "overflow",
    ],
    [
      400,
      body(
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      ),
      "overflow",
    ],
    [
      400,
      body("This model's maximum prompt length is 131072 but the request contains 140000 tokens."),
      "overflow",
    ],
    [400, body("Please reduce the length of the messages or completion."), "overflow"],
    [
      400,
      JSON.stringify({ error: "prompt too long; exceeded max context length by 200 tokens" }),
      "overflow",
    ],
    [500, JSON.stringify({ error: "input length exceeds the context length" }), "overflow"],
    [413, body("Request exceeds the maximum size", { type: "request_too_large" }), "overflow"],
    [413, "<html><body>413 Request Entity Too Large</body></html>", "overflow"],
    [401, body("invalid x-api-key", { type: "authentication_error" }), "auth"],
    [403, body("no access"), "auth"],
    [404, body("model: claude-nope", { type: "not_found_error" }), "invalid_request"],
    [408, "", "timeout"],
    [429, body("slow down"), "rate_limit"],
    [
      429,
      body("You exceeded your current quota", { code: "insufficient_quota" }),
      "invalid_request",
    ],
    [500, body("oops", { type: "api_error" }), "server"],
    [502, "<html><head><title>Bad Gateway</title></head></html>", "server"],
    [503, "", "server"],
    [503, body("busy", { type: "overloaded_error" }), "overloaded"],
    [529, body("Overloaded", { type: "overloaded_error" }), "overloaded"],
    [302, "", "invalid_request"],
    [400, "not json at all", "invalid_request"],
  ];
  it.each(table)("of status %i and body %s is %s", (status, text, kind) => {
    const failure = failureOfResponse({ status, headers: {}, body: text });
    expect(failure).toMatchObject({ kind, status });
    expect(failure.message).toContain(`HTTP ${status}`);
    expect(failure.message.includes("does not accept the key")).toBe(failure.kind === "auth");
  });

  it("says what an HTML page, a redirect and a missing address were", () => {
    expect(
      failureOfResponse({ status: 502, headers: {}, body: "<html><title>Bad Gateway</title>" })
        .message,
    ).toContain("Bad Gateway");
    expect(
      failureOfResponse({
        status: 301,
        headers: { location: "https://elsewhere.example/" },
        body: "",
      }).message,
    ).toContain("elsewhere.example");
    expect(failureOfResponse({ status: 404, headers: {}, body: "" }).message).toContain(
      "base address",
    );
  });

  it("never repeats a key, neither the one that was sent nor another", () => {
    const key = "secret-key-of-mine";
    const said = body(
      `Incorrect API key provided: ${key}; or sk-proj-abc123def456ghi789; header was Bearer abcdefgh.ijkl`,
    );
    const { message } = failureOfResponse({ status: 401, headers: {}, body: said, key });
    expect(message).not.toMatch(/secret-key|abc123|abcdefgh/);
    expect(failureOfSocket(new Error(`bad header ${key}`), key).message).not.toContain(key);
    expect(failureOfErrorEvent({ error: { message: key } }, key).message).not.toContain(key);
  });

  it("survives error bodies of any shape", () => {
    for (const text of [
      "null",
      "[]",
      "[[]]",
      "3",
      '"words"',
      "{}",
      '{"error":null}',
      '{"error":[]}',
      "\0",
      "{",
      "x".repeat(100_000),
    ]) {
      const failure = failureOfResponse({ status: 500, headers: {}, body: text });
      expect(failure.kind).toBe("server");
      expect(failure.message.length).toBeLessThan(1_000);
    }
  });
});

describe("the kind of an error inside a stream", () => {
  const table: [unknown, FailureKind][] = [
    [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "overloaded"],
    [{ type: "error", error: { type: "api_error", message: "Internal" } }, "server"],
    [{ error: { type: "rate_limit_error", message: "slow" } }, "rate_limit"],
    [{ error: { message: "maximum context length is 8192 tokens", code: 400 } }, "overflow"],
    [{ error: { message: "Provider returned error", code: 502 } }, "server"],
    [{ error: { message: "no", code: "invalid_api_key" } }, "auth"],
    [{ error: "the model is overloaded" }, "overloaded"],
    [{ error: {} }, "server"],
    [null, "server"],
  ];
  it.each(table)("%j is %s", (data, kind) => expect(failureOfErrorEvent(data).kind).toBe(kind));
});

describe("the kind of a socket's error", () => {
  const coded = (code: string): Error => Object.assign(new Error("words"), { code });
  it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"])(
    "%s is network, and nobody was reached",
    (code) => {
      expect(failureOfSocket(coded(code))).toEqual({
        kind: "network",
        message: `${code}: words`,
        isUnreachable: true,
      });
    },
  );
  it.each(["ECONNRESET", "UND_ERR_SOCKET"])(
    "%s is network, and what was asked may have been heard",
    (code) => {
      expect(failureOfSocket(coded(code))).toEqual({ kind: "network", message: `${code}: words` });
    },
  );
  it("of the HTTP parser is malformed", () =>
    expect(failureOfSocket(coded("HPE_INVALID_CONSTANT")).kind).toBe("malformed"));
  it("finds the code inside an aggregate", () =>
    expect(failureOfSocket(new AggregateError([coded("ECONNREFUSED")])).message).toContain(
      "ECONNREFUSED",
    ));
});

describe("retry-after", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  const table: [Record<string, string>, number | undefined][] = [
    [{ "retry-after": "30" }, 30_000],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after-ms": "250", "retry-after": "30" }, 250],
    [{ "retry-after": "Sun, 15 Nov 2026 12:00:10 GMT" }, 10_000],
    [{ "retry-after": "Sun, 15 Nov 2020 12:00:10 GMT" }, 0],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ];
  it.each(table)("%j is %s ms", (headers, ms) => expect(retryAfterMs(headers, now)).toBe(ms));
});
