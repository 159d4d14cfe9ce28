// The address and the key of a provider: one endpoint per provider, shared by all its models and
// their runs.
import { errorText } from "../../base/errors.ts";
import type { Clock } from "../clock.ts";
import type { Connections, Sender } from "./connections.ts";
import { exchange, type ExchangeRequest, type StreamReader } from "./exchange.ts";
import type { Limiter } from "./limiter.ts";
import type { ModelCall, ModelResult } from "../model.ts";
import { sendWithRetry } from "./retry.ts";

export type Endpoint = {
  provider: string;
  baseUrl: URL;
  key?: string;
  /** The header of the key, and the text before the key. */
  auth?: { header: string; prefix: string };
  connections: Connections;
  limiter: Limiter;
  clock: Clock;
  idleTimeoutMs: number;
  replyTimeoutMs?: number;
};

/** Loads the connections before the first request; that request reports what went wrong. */
export function prepare({ connections }: Endpoint): void {
  connections.open().catch(() => undefined);
}

/** Where the requests of one model go; the same for all of them. */
export type Target = Omit<ExchangeRequest, "sender">;

export function targetOf(
  { baseUrl, key, auth }: Pick<Endpoint, "baseUrl" | "key" | "auth">,
  path: string,
  headers: Record<string, string>,
): Target {
  return {
    origin: baseUrl.origin,
    path: `${baseUrl.pathname.replace(/\/+$/, "")}${path}${baseUrl.search}`,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...headers,
      ...(key && auth ? { [auth.header]: auth.prefix + key } : {}),
    },
  };
}

export type Posting = {
  target: Target;
  body: () => string;
  newReader: () => StreamReader;
  call: ModelCall;
};

/** Posts the body until it is answered or given up; never rejects. */
export function post(
  endpoint: Endpoint,
  { target: { origin, path, headers }, body, newReader, call }: Posting,
): Promise<ModelResult> {
  const { key, connections, limiter, clock, idleTimeoutMs, replyTimeoutMs } = endpoint;
  const talk = (sender: Sender): Promise<ModelResult> => {
    let text: string;
    try {
      // Written again for every attempt: kept until the reply arrives, it would be the largest
      // object of a waiting agent.
      text = body();
    } catch (error) {
      return refused(`the request cannot be written as JSON: ${errorText(error)}`);
    }
    return exchange({ sender, origin, path, headers }, text, {
      reader: newReader(),
      call,
      idleTimeoutMs,
      replyTimeoutMs,
      key,
    });
  };
  const attempt = (): Promise<ModelResult> => {
    const sender = connections.ready();
    return sender
      ? talk(sender)
      : connections
          .open()
          .then(talk, (error: unknown) =>
            refused(
              `the connection cannot be set up (is the proxy's address right?): ${errorText(error)}`,
            ),
          );
  };
  return sendWithRetry(attempt, { limiter, clock, call });
}

const refused = (message: string): Promise<ModelResult> =>
  Promise.resolve({ ok: false, failure: { kind: "invalid_request", message } });
