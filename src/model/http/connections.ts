// The sockets to one provider: kept alive, as many as needed, through the environment's proxy if
// one is set. Loaded at first use.
import type { Dispatcher } from "undici";
import { limits } from "../../base/limits.ts";
import type { EnvironmentVariables } from "../aliases.ts";
import { ClientStack } from "./client-stack.ts";
import { skipContinue } from "./skip-continue.ts";

/** Takes requests for one provider; undici's dispatchers do, and so does a ClientStack. */
export type Sender = {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown;
  destroy(): Promise<void>;
};

export type Connections = {
  /** The sender once it is open; undefined until then. */
  ready(): Sender | undefined;
  open(): Promise<Sender>;
  close(): Promise<void>;
};

// The exchange itself watches idle and total time, on its own clock.
const untimed = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000, pipelining: 1 };

export function createConnections({
  origin,
  env,
}: {
  origin: string;
  env: EnvironmentVariables;
}): Connections {
  let opening: Promise<Sender> | undefined;
  let sender: Sender | undefined;
  return {
    ready: () => sender,
    async open() {
      opening ??= connect(origin, env);
      sender = await opening;
      return sender;
    },
    async close() {
      await (await opening?.catch(() => undefined))?.destroy();
    },
  };
}

async function connect(origin: string, env: EnvironmentVariables): Promise<Sender> {
  const httpProxy = env.http_proxy || env.HTTP_PROXY || "";
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || httpProxy;
  const connecting = { timeout: limits.model.connectTimeoutMs };
  if (httpProxy || httpsProxy) {
    // Tunnels need what undici's index adds to its dispatchers; a bundle keeps only the default
    // export of a dynamic import.
    const { default: undici } = await import("undici");
    return new undici.EnvHttpProxyAgent({
      ...untimed,
      connect: connecting,
      httpProxy,
      httpsProxy,
      noProxy: env.no_proxy || env.NO_PROXY || "",
    });
  }
  const [{ default: Client }, { default: buildConnector }] = await Promise.all([
    import("undici/lib/dispatcher/client.js"),
    import("undici/lib/core/connect.js"),
  ]);
  // Shared by all sockets: it keeps the TLS sessions that shorten the next handshake.
  const open = buildConnector(connecting);
  const connect: typeof open = (target, opened) =>
    open(target, (...[error, socket]) => {
      if (error) return opened(error, null);
      skipContinue(socket);
      opened(null, socket);
    });
  const options = { ...untimed, connect };
  return new ClientStack(() => new Client(origin, options));
}
