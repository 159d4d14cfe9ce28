// The faults of the mock provider, instead of an answer or in the middle of one.
import type { ServerResponse } from "node:http";

export type MockFault =
  /** An answer with this status; the body is an error of the protocol by default. */
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string | object }
  /** Nothing more is sent: before the headers, after them, or in the middle of the body. */
  | { kind: "stall"; at: "start" | "headers" | "body" }
  /** The connection is reset before any answer. */
  | { kind: "reset" }
  /**
   * The connection ends after this many bytes of the body, in the middle of the last delta, or
   * before the closing events.
   */
  | { kind: "cut"; at: number | "event" | "stop" }
  /** An error event in the middle of the stream. */
  | { kind: "error-event"; type?: string; message?: string }
  /** An error that says that the prompt is too long. */
  | { kind: "overflow" }
  /** Any body with status 200, by default an HTML page. */
  | { kind: "raw"; body?: string; contentType?: string };

export type Protocol = "anthropic" | "openai";

const htmlPage =
  "<!doctype html><html><head><title>Sign in</title></head><body>Welcome to the network</body></html>";

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** The body of an error in the form of a protocol. */
export function errorBody(
  protocol: Protocol,
  status: number,
  message = `mock error ${status}`,
): object {
  const type = errorTypes[status] ?? "api_error";
  return protocol === "anthropic"
    ? { type: "error", error: { type, message } }
    : { error: { message, type, code: null } };
}

/** Answers instead of a reply; false when the fault happens inside a stream. */
type FaultAnswer<Kind extends MockFault["kind"]> = (
  fault: Extract<MockFault, { kind: Kind }>,
  response: ServerResponse,
  protocol: Protocol,
) => boolean;

const overflowWords: Record<Protocol, string> = {
  anthropic: "prompt is too long: 210000 tokens > 200000 maximum",
  openai:
    "This model's maximum context length is 128000 tokens. However, your messages resulted in " +
    "140000 tokens.",
};

const faultAnswers: { [Kind in MockFault["kind"]]?: FaultAnswer<Kind> } = {
  status(fault, response, protocol) {
    const body = fault.body ?? errorBody(protocol, fault.status);
    const isText = typeof body === "string";
    response.writeHead(fault.status, {
      "content-type": isText && body.startsWith("<") ? "text/html" : "application/json",
      ...fault.headers,
    });
    response.end(isText ? body : JSON.stringify(body));
    return true;
  },
  overflow(_fault, response, protocol) {
    const body = errorBody(protocol, 400, overflowWords[protocol]);
    return answerFault({ kind: "status", status: 400, body }, response, protocol);
  },
  raw(fault, response) {
    response.writeHead(200, { "content-type": fault.contentType ?? "text/html" });
    response.end(fault.body ?? htmlPage);
    return true;
  },
  reset(_fault, response) {
    response.socket?.resetAndDestroy();
    return true;
  },
  stall({ at }, response) {
    if (at === "headers")
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    return at !== "body";
  },
};

/** Answers with a fault that replaces the whole reply; false when it happens inside a stream. */
export function answerFault(
  fault: MockFault,
  response: ServerResponse,
  protocol: Protocol,
): boolean {
  const answer = faultAnswers[fault.kind] as FaultAnswer<MockFault["kind"]> | undefined;
  return answer?.(fault, response, protocol) ?? false;
}

/** The stream as a fault leaves it, and what happens after its last byte. */
export function faultyStream(
  events: readonly string[],
  fault: MockFault,
  protocol: Protocol,
): { body: string | Buffer; after: "end" | "destroy" | "stall" } {
  const middle = Math.max(1, Math.floor(events.length / 2));
  if (fault.kind === "stall") return { body: events.slice(0, middle).join(""), after: "stall" };
  if (fault.kind === "error-event") {
    const error = {
      type: fault.type ?? "overloaded_error",
      message: fault.message ?? "Overloaded",
    };
    const told =
      protocol === "anthropic"
        ? `event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`
        : `data: ${JSON.stringify({ error })}\n\n`;
    return { body: events.slice(0, middle).join("") + told, after: "end" };
  }
  if (fault.kind !== "cut") return { body: events.join(""), after: "end" };
  if (typeof fault.at === "number")
    return { body: Buffer.from(events.join("")).subarray(0, fault.at), after: "destroy" };
  const closing = events.findLastIndex((text) => /"message_delta"|"finish_reason":"/.test(text));
  if (fault.at === "stop") return { body: events.slice(0, closing).join(""), after: "destroy" };
  const last = events.slice(0, closing).findLastIndex((text) => text.includes("delta"));
  return {
    body:
      events.slice(0, last).join("") +
      events[last]!.slice(0, Math.floor(events[last]!.length * 0.7)),
    after: "destroy",
  };
}
