// The sockets to one provider: kept alive, as many as are needed, through the environment's proxy where one is set. Loaded when first used.
import type { Dispatcher } from "undici";
import { limits } from "../base/limits.ts";
import type { Environment } from "./aliases.ts";

export type Connections = {
  /** The dispatcher once it is open; until then, undefined. */
  ready(): Dispatcher | undefined;
  open(): Promise<Dispatcher>;
  close(): Promise<void>;
};

// Idle and total time are watched by the exchange itself, on its own clock.
const untimed = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000, pipelining: 1 };

export function createConnections({ origin, env }: { origin: string; env: Environment }): Connections {
  let opening: Promise<Dispatcher> | undefined;
  let dispatcher: Dispatcher | undefined;
  return {
    ready: () => dispatcher,
    async open() {
      opening ??= connect(origin, env);
      dispatcher = await opening;
      return dispatcher;
    },
    async close() {
      await (await opening?.catch(() => undefined))?.destroy();
    },
  };
}

async function connect(origin: string, env: Environment): Promise<Dispatcher> {
  const httpProxy = env.http_proxy || env.HTTP_PROXY || "";
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || httpProxy;
  const options = { ...untimed, connect: { timeout: limits.model.connectTimeoutMs } };
  if (httpProxy || httpsProxy) {
    // Tunnels need what the index adds to its dispatchers; a bundle keeps only the default export of a dynamic import.
    const { default: undici } = await import("undici");
    return new undici.EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy, noProxy: env.no_proxy || env.NO_PROXY || "" });
  }
  const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
  return new Pool(origin, options);
}
