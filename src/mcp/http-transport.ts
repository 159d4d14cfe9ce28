// Streamable HTTP through the SDK's transport. In addition, a request whose stream breaks is
// answered with an error and not with silence.
import { setTimeout as sleep } from "node:timers/promises";
import type {
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  StreamableHTTPClientTransportOptions,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { cappedFetch } from "./capped-fetch.ts";
import type { HttpServer } from "./server-config.ts";

/** The code of that error, from JSON-RPC's range for implementations. */
export const brokenStreamCode = -32_099;

type SdkTransport = new (
  url: URL,
  options: StreamableHTTPClientTransportOptions,
) => StreamableHTTPClientTransport;

const goodbyeMs = 500;

export function createHttpTransport(config: HttpServer, HttpTransport: SdkTransport): Transport {
  const inner = new HttpTransport(new URL(config.url), {
    requestInit: { headers: config.headers },
    fetch: cappedFetch as unknown as NonNullable<StreamableHTTPClientTransportOptions["fetch"]>,
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  });
  const waiting = new Set<string | number>();
  const transport: Transport = {
    hasPerRequestStream: true,
    get sessionId() {
      return inner.sessionId;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
    async start() {
      const callbacks: Pick<Transport, "onmessage" | "onerror" | "onclose"> = {
        onmessage(message) {
          if (!("method" in message) && message.id !== undefined) waiting.delete(message.id);
          transport.onmessage?.(message);
        },
        onerror: (error) => transport.onerror?.(error),
        onclose: () => transport.onclose?.(),
      };
      Object.assign(inner, callbacks);
      await inner.start();
    },
    send: (message, options) => inner.send(message, watched(message, options ?? {})),
    async close() {
      await Promise.race([
        inner.terminateSession(),
        sleep(goodbyeMs, undefined, { ref: false }),
      ]).catch(() => {});
      await inner.close();
    },
  };

  function watched(message: JSONRPCMessage, options: TransportSendOptions): TransportSendOptions {
    if (!("method" in message) || !("id" in message)) return options;
    const { id } = message;
    waiting.add(id);
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.();
      const error = {
        code: brokenStreamCode,
        message: "the connection broke before the answer came; the call may or may not have run",
      };
      if (waiting.delete(id)) transport.onmessage?.({ jsonrpc: "2.0", id, error });
    };
    return { ...options, onRequestStreamEnd };
  }

  return transport;
}
