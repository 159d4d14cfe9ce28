// A worker: an endpoint of the engine over HTTP/2, and its runs' events over HTTP/1.1 for gateways.
// Only here is the engine's SDK loaded.
import type * as Sdk from "@restatedev/restate-sdk";
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { RetinueError, errorText } from "../../base/errors.ts";
import type { ClusterKey } from "../cluster-key.ts";
import { openIngress } from "../ingress.ts";
import { services } from "../services.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { EventHub, serveEvents } from "./event-hub.ts";
import { startHeart } from "./heart.ts";
import { placeService } from "./place-service.ts";
import { queueService } from "./queue-service.ts";
import { runService, type DriveRun, type LifeParts } from "./run-service.ts";

export type WorkerOptions = {
  /** Where the engine and the gateways reach this worker. */
  host: string;
  port: number;
  eventsPort: number;
  /** Where a balancer asks whether this process lives. */
  health: { host: string; port: number };
  /** How gateways reach its events; `http://host:eventsPort` without it. */
  eventsUrl?: string | undefined;
  /** The engine's ingress. */
  server: string;
  key: ClusterKey;
  store: ObjectStore;
  drive: DriveRun;
  /** Public keys by which the engine's own requests are known. Empty: anybody who reaches the port. */
  identityKeys: readonly string[];
  /** A line of the engine's SDK that a person should see. */
  onLog: (line: string) => void;
};

export type RunningWorker = {
  port: number;
  eventsPort: number;
  healthPort: number;
  counts: Readonly<LifeParts["counts"]>;
  close(): Promise<void>;
};

/** Throws `config` where the SDK is not installed. */
async function loadSdk(): Promise<typeof Sdk> {
  withResolvers();
  try {
    return await import("@restatedev/restate-sdk");
  } catch (error) {
    throw new RetinueError(
      "config",
      "a worker needs the package @restatedev/restate-sdk, which is not installed " +
        `(${errorText(error)}). Run \`npm install @restatedev/restate-sdk\` beside retinue.`,
    );
  }
}

/** Node 20 has it not yet, and the SDK relies on it. */
function withResolvers(): void {
  const known = Promise as unknown as { withResolvers?: () => object };
  known.withResolvers ??= () => {
    const parts: { resolve?: unknown; reject?: unknown } = {};
    const promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
    return { promise, ...parts };
  };
}

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { host, key, onLog } = options;
  const sdk = await loadSdk();
  const hub = new EventHub();
  const counts = { started: 0, ended: 0, refused: 0, driven: 0 };
  const events = serveEvents(hub, key.eventsToken, counts);
  let url = "";
  const ingress = openIngress(options.server, key);
  const run = runService({
    sdk,
    key,
    hub,
    counts,
    store: options.store,
    drive: options.drive,
    begin: (life) => ingress.call<number>(services.run, life, { handler: "begin", input: url }),
  });
  const handler = sdk.createEndpointHandler({
    services: [run, placeService(sdk), queueService(sdk)],
    journalValueCodecProvider: async () => ({
      encode: (bytes) => (bytes.length === 0 ? bytes : key.encode(bytes)),
      decode: async (bytes) => (bytes.length === 0 ? bytes : key.decode(bytes)),
    }),
    identityKeys: [...options.identityKeys],
    logger: ({ level }, ...message) => {
      const word: string = level;
      if (word === "warn" || word === "error") onLog(message.map(String).join(" "));
    },
  });
  const eventsPort = await listening(events, options.eventsPort, host);
  url = options.eventsUrl ?? `http://${host}:${eventsPort}`;
  const server = createServer(handler);
  const sessions = noDelay(server);
  const port = await listening(server, options.port, host).catch((error: unknown) => {
    events.close();
    throw error;
  });
  const heart = await startHeart(options.health).catch((error: unknown) => {
    for (const one of [events, server]) one.close();
    throw error;
  });
  return {
    port,
    eventsPort,
    healthPort: heart.port,
    counts,
    async close() {
      for (const session of sessions) session.destroy();
      events.closeAllConnections();
      await Promise.all([closed(server), closed(events), heart.close()]);
    },
  };
}

/** Small frames leave at once: else every turn waits for the other side's acknowledgement. */
function noDelay(server: Http2Server): Set<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  server.on("connection", (socket: Socket) => socket.setNoDelay(true));
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  return sessions;
}

function listening(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new RetinueError("usage", `${host}:${port} cannot be listened on: ${errorText(error)}`),
      ),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => server.close(() => resolve()));
