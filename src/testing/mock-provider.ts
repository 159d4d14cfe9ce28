// A provider on 127.0.0.1 for both protocols. It answers from a script or a function, remembers
// every request, and fails on demand.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorText } from "../base/errors.ts";
import { counted } from "../base/text/grouped.ts";
import { countTokens } from "../base/text/tokens.ts";
import {
  answerFault,
  errorBody,
  faultyStream,
  type MockFault,
  type Protocol,
} from "./mock-fault.ts";
import {
  anthropicEvents,
  anthropicMessage,
  openAiCompletion,
  openAiEvents,
  type MockReply,
} from "./mock-reply.ts";

export type MockRequest = {
  /** Counts from 0. */
  index: number;
  method: string;
  path: string;
  protocol: Protocol;
  /** Keys are masked except for their last four characters. */
  headers: Record<string, string>;
  body: Record<string, unknown>;
};

/** A text, or a reply, with a fault if wanted; `{}` is an empty reply. */
export type MockAnswer = string | (MockReply & { fault?: MockFault; delayMs?: number });
export type MockLine = MockAnswer | ((request: MockRequest) => MockAnswer);

export type MockProviderOptions = {
  /**
   * One line per HTTP request, also for retries. A request too many is answered with 400, and
   * `finish` throws.
   */
  script?: readonly MockLine[];
  /** Answers every request, instead of a script. */
  reply?: (request: MockRequest) => MockAnswer;
  /** Sends bodies in pieces of this many bytes. */
  chunkBytes?: number;
  lineEnd?: "\n" | "\r\n" | "\r";
  /** This share of the requests gets 429, drawn from a seed. */
  rateLimited?: { share: number; seed?: number; headers?: Record<string, string> };
};

export type MockProvider = {
  /** Without /v1, as for ANTHROPIC_BASE_URL. */
  readonly url: string;
  readonly requests: readonly MockRequest[];
  /** Throws if lines are left over or there was a request too many. */
  finish(): void;
  close(): Promise<void>;
};

const maxBodyBytes = 64 * 1024 * 1024;

export async function startMockProvider(options: MockProviderOptions = {}): Promise<MockProvider> {
  const { script } = options;
  if (!script === !options.reply)
    throw new Error("mock provider: give either a script or a reply function");
  const requests: MockRequest[] = [];
  const answers = answersOf(options);
  const server = createServer((incoming, response) => {
    response.on("error", () => {});
    readBody(incoming)
      .then((text) => {
        const request = toRequest(incoming, text, requests.length);
        requests.push(request);
        if (request.path.endsWith("/count_tokens"))
          return sendJson(response, { input_tokens: countTokens(text) });
        answer({ request, answer: answers.next(request), response, options });
      })
      // An error of a script's function becomes an answer that the caller does not retry.
      .catch((error: unknown) => {
        const body = errorBody("anthropic", 400, `mock provider: ${errorText(error)}`);
        answerFault({ kind: "status", status: 400, body }, response, "anthropic");
      });
  });
  // Longer than any test: a connection that closes while the next request is on its way is a fault,
  // and faults come on demand.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", 1024, resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    finish() {
      const { used } = answers;
      if (script && used !== script.length)
        throw new Error(
          `mock provider: ${counted(used, "request")}, but the script has ${counted(script.length, "line")}`,
        );
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The answers in the order of requests: from the script or the function, some of them 429. */
function answersOf({ script, reply, rateLimited }: MockProviderOptions): {
  readonly used: number;
  next(request: MockRequest): MockAnswer;
} {
  const draw = seededRandom(rateLimited?.seed ?? 1);
  let used = 0;
  return {
    get used() {
      return used;
    },
    next(request) {
      if (rateLimited && draw() < rateLimited.share) {
        const { headers } = rateLimited;
        return { fault: { kind: "status", status: 429, ...(headers ? { headers } : {}) } };
      }
      const line = script ? script[used++] : reply;
      if (line !== undefined) return typeof line === "function" ? line(request) : line;
      const words = `mock provider: request ${used}, but the script has ${counted(script!.length, "line")}`;
      const body = errorBody(request.protocol, 400, words);
      return { fault: { kind: "status", status: 400, body } };
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error("the request is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toRequest(incoming: IncomingMessage, text: string, index: number): MockRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    headers[name] = /^(x-api-key|authorization)$/.test(name)
      ? `***${String(value).slice(-4)}`
      : String(value);
  const path = incoming.url ?? "/";
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // A request that is no JSON is remembered with an empty body.
  }
  return {
    index,
    method: incoming.method ?? "",
    path,
    protocol: path.includes("/chat/completions") ? "openai" : "anthropic",
    headers,
    body,
  };
}

type Answering = {
  request: MockRequest;
  answer: MockAnswer;
  response: ServerResponse;
  options: MockProviderOptions;
};

function answer({ request, answer: given, response, options }: Answering): void {
  const { fault, delayMs, ...plain } = typeof given === "string" ? { text: given } : { ...given };
  if (delayMs)
    return void setTimeout(
      () =>
        answer({ request, answer: { ...plain, ...(fault ? { fault } : {}) }, response, options }),
      delayMs,
    );
  const { protocol, body, index } = request;
  if (fault && answerFault(fault, response, protocol)) return;
  // A fault inside a stream needs a stream to happen in.
  const reply: MockReply =
    fault && !plain.text && !plain.tools && !plain.thinking
      ? { ...plain, text: "The mock provider says a few words so that there is a stream to break." }
      : plain;
  const facts = { reply, index, model: typeof body.model === "string" ? body.model : "mock" };
  if (body.stream !== true)
    return sendJson(
      response,
      protocol === "anthropic" ? anthropicMessage(facts) : openAiCompletion(facts),
    );
  const events = protocol === "anthropic" ? anthropicEvents(facts) : openAiEvents(facts);
  const stream: ReturnType<typeof faultyStream> = fault
    ? faultyStream(events, fault, protocol)
    : { body: events.join(""), after: "end" };
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  void sendStream(response, stream, options);
}

async function sendStream(
  response: ServerResponse,
  { body, after }: ReturnType<typeof faultyStream>,
  { chunkBytes, lineEnd = "\n" }: MockProviderOptions,
): Promise<void> {
  const bytes =
    lineEnd === "\n" || typeof body !== "string" ? body : body.replaceAll("\n", lineEnd);
  if (!chunkBytes && after === "end") return void response.end(bytes);
  const whole = Buffer.from(bytes as string);
  const size = chunkBytes ?? Math.max(1, whole.length);
  for (let at = 0; at < whole.length; at += size) {
    response.write(whole.subarray(at, at + size));
    // Each piece is a packet of its own only if the event loop turns in between.
    await new Promise((resolve) => void setImmediate(resolve));
  }
  if (after === "end") response.end();
  if (after === "destroy") response.destroy();
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** A small multiplicative generator: the same seed draws the same numbers. */
function seededRandom(seed: number): () => number {
  let state = (Math.abs(Math.trunc(seed)) % 2_147_483_646) + 1;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
