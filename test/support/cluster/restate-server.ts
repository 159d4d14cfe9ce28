// A real engine on loopback, with its data in a folder of its own: it can be killed and started
// again over the same data.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { enginePath } from "../../../scripts/engine.mjs";
import { guardedProcess, type GuardedProcess } from "./guarded-process.ts";

export const restateBinary: () => string | undefined = enginePath;

export type RestateServer = {
  readonly ingress: string;
  readonly admin: string;
  readonly data: string;
  /** Of the process that runs now. */
  pid(): number;
  /** As kill -9 does it. */
  kill(): Promise<void>;
  /** Over the same data; settles when it answers. */
  start(): Promise<void>;
  /** Rows of the engine's own tables. */
  sql(query: string): Promise<Record<string, unknown>[]>;
  signal(name: NodeJS.Signals): void;
  end(): Promise<void>;
};

export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

export async function startRestateServer(folder: string): Promise<RestateServer> {
  const binary = restateBinary();
  if (binary === undefined)
    throw new Error("the engine is not installed: `npm test` does it on Linux (x64)");
  const [ingressPort, adminPort, nodePort] = await freePorts(3);
  const data = join(folder, "engine");
  mkdirSync(data, { recursive: true });
  const config = join(folder, "engine.toml");
  writeFileSync(
    config,
    `base-dir = "${data}"
cluster-name = "test"
node-name = "one"
default-num-partitions = 2
disable-telemetry = true
listen-mode = "tcp"
bind-ip = "127.0.0.1"
bind-port = ${nodePort}
advertised-host = "127.0.0.1"
rocksdb-total-memory-size = "256.0 MiB"
log-filter = "error"
log-disable-ansi-codes = true
[admin]
bind-address = "127.0.0.1:${adminPort}"
disable-web-ui = true
[ingress]
bind-address = "127.0.0.1:${ingressPort}"
[worker.invoker]
concurrent-invocations-limit = 100000
http2-keep-alive-interval = "1s"
http2-keep-alive-timeout = "3s"
`,
  );
  const ingress = `http://127.0.0.1:${ingressPort}`;
  const admin = `http://127.0.0.1:${adminPort}`;
  // Whatever it may look for outside of this machine ends at a closed port.
  const closed = "http://127.0.0.1:9";
  const env = {
    DO_NOT_TRACK: "1",
    HTTPS_PROXY: closed,
    HTTP_PROXY: closed,
    ALL_PROXY: closed,
    NO_PROXY: "127.0.0.1",
    RUST_BACKTRACE: "0",
  };
  let running: GuardedProcess | undefined;
  const server: RestateServer = {
    ingress,
    admin,
    data,
    pid: () => running!.pid,
    async start() {
      running = await guardedProcess(binary, ["--no-logo", "-c", config], { cwd: folder, env });
      for (;;) {
        if (await isUp(`${ingress}/restate/health`, `${admin}/health`)) return;
        await sleep(20);
      }
    },
    async kill() {
      await running?.end();
    },
    async sql(query) {
      const response = await fetch(`${admin}/query`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ query }),
      });
      if (!response.ok) throw new Error(await response.text());
      return ((await response.json()) as { rows: Record<string, unknown>[] }).rows;
    },
    signal: (name) => running?.signal(name),
    end: async () => running?.end(),
  };
  await server.start();
  return server;
}

async function isUp(...urls: string[]): Promise<boolean> {
  try {
    const answers = await Promise.all(
      urls.map((url) => fetch(url, { signal: AbortSignal.timeout(1_000) })),
    );
    return answers.every(({ ok }) => ok);
  } catch {
    return false;
  }
}
