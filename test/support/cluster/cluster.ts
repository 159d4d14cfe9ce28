// A whole cluster on loopback: a real engine, a balancer, worker processes, a gateway process, and
// a provider of the test's own. Everything is ended with it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createManager, type AgentManager } from "../../../src/app/create-manager.ts";
import type { ManagerOptions } from "../../../src/app/manager-options.ts";
import { restate } from "../../../src/restate/index.ts";
import { readClusterKey } from "../../../src/restate/cluster-key.ts";
import { openIngress } from "../../../src/restate/ingress.ts";
import { services, type ShownAt } from "../../../src/restate/services.ts";
import { newToken } from "../../../src/restate/gateway/tenants.ts";
import { tempProject, type TempProject } from "../../../src/testing/temp-project.ts";
import { repositoryRoot } from "./repository-root.ts";
import { startBalancer, type Balancer } from "./balancer.ts";
import { guardedProcess, type GuardedProcess } from "./guarded-process.ts";
import { startRestateServer, type RestateServer } from "./restate-server.ts";
import { startThinker, type Thinker } from "./thinker.ts";

const entry = join(repositoryRoot, "dist", "cli", "retinue.js");

export type ClusterWorker = GuardedProcess & {
  readonly port: number;
  readonly events: string;
  /** Where the balancer asks whether it lives. */
  readonly health: number;
};

export type Cluster = {
  readonly engine: RestateServer;
  readonly balancer: Balancer;
  readonly thinker: Thinker;
  readonly gateway: string;
  /** The ids of its processes, by what they are. */
  processes(): Record<"engine" | "gateway" | "workers", number[]>;
  readonly store: string;
  readonly keyFile: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly workers: ClusterWorker[];
  /** `isAlone`: behind an address of its own, and not behind the balancer. */
  addWorker(isAlone?: "alone"): Promise<ClusterWorker>;
  /** The worker that shows a run now. */
  workerOf(agentId: string): Promise<ClusterWorker>;
  removeWorker(worker: ClusterWorker): Promise<void>;
  /** As kill -9 does it, all at once; then as many new ones. */
  replaceWorkers(): Promise<void>;
  manager(project: TempProject, options?: ManagerOptions): AgentManager;
  project(files?: Record<string, string>): TempProject;
  close(): Promise<void>;
};

export type ClusterOptions = {
  workers?: number;
  /** Ceilings besides those of the tenants `web` and `other`. */
  tenants?: Record<string, object>;
  /** Variables of the workers. */
  env?: Record<string, string>;
  /** Further options of the workers. */
  workerArgs?: readonly string[];
};

/** A tool with a result that no journal takes, and one that lets its process do nothing else. */
const workerModule = `
const schema = { type: "object", properties: { mebibytes: { type: "number" } } };
export const tools = [
  {
    name: "Stall",
    description: "keeps its process busy",
    inputSchema: { type: "object", properties: { ms: { type: "number" } } },
    readOnly: false,
    parse: (value) => ({ ok: true, value: value ?? {} }),
    execute: async ({ ms }) => {
      const until = performance.now() + ms;
      while (performance.now() < until);
      return { content: "stalled" };
    },
  },
  {
    name: "Flood",
    description: "gives a large result",
    inputSchema: schema,
    readOnly: true,
    parse: (value) => ({ ok: true, value: value ?? {} }),
    execute: async ({ mebibytes }) => ({
      content: "flooded",
      facts: { flood: "a line of words\\n".repeat((mebibytes * 1024 * 1024) / 16) },
    }),
  },
];
`;

const wide = {
  folders: "*",
  modes: ["plan", "dontAsk", "default", "acceptEdits"],
  tools: "*",
  models: "*",
  deny: [],
  maxRuns: "*",
  maxTurns: 1_000,
  timeoutMs: 3_600_000,
};

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "retinue-cluster-"));
  const home = join(folder, "home");
  const store = join(folder, "store");
  mkdirSync(home);
  mkdirSync(store);
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, "k".repeat(16) + "0123456789abcdef0123456789abcdef", { mode: 0o600 });
  const tokens: Record<string, string> = {};
  const tenants: Record<string, object> = { web: wide, other: wide, ...options.tenants };
  for (const [name, ceiling] of Object.entries(tenants)) {
    const { token, hash } = newToken();
    tokens[name] = token;
    tenants[name] = { ...wide, ...ceiling, tokens: [hash] };
  }
  const moduleFile = join(folder, "module.mjs");
  writeFileSync(moduleFile, workerModule);
  const runs = new Map<string, { runId: string }>();
  const tenantsFile = join(folder, "tenants.json");
  writeFileSync(tenantsFile, JSON.stringify(tenants));
  const [engine, balancer, thinker] = await Promise.all([
    startRestateServer(folder),
    startBalancer(),
    startThinker(),
  ]);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, NO_COLOR: "1" };
  const common = ["--key-file", keyFile, "--store", store, "--server", engine.ingress];
  const workers: ClusterWorker[] = [];
  const alone: ClusterWorker[] = [];
  const ingress = openIngress(engine.ingress, readClusterKey(keyFile));
  const projects: TempProject[] = [];
  const managers: AgentManager[] = [];
  const use = (): void => balancer.setWorkers(workers);
  const addWorker = async (isAlone?: "alone"): Promise<ClusterWorker> => {
    const started = await guardedProcess(
      process.execPath,
      [
        entry,
        "worker",
        ...common,
        "--listen=0",
        "--events=0",
        "--health=0",
        "--module",
        moduleFile,
        ...(options.workerArgs ?? []),
      ],
      { cwd: folder, env: { ...env, ...thinker.env, ...options.env } },
    );
    const [, port, events, health] = await started.line(
      /worker ready: engine on [\d.]+:(\d+), events on (\S+), health on [\d.]+:(\d+)/,
    );
    const address = { port: Number(port), events: `http://${events}`, health: Number(health) };
    const worker = { ...started, ...address };
    if (isAlone) alone.push(worker);
    else workers.push(worker);
    use();
    return worker;
  };
  const removeWorker = async (worker: ClusterWorker): Promise<void> => {
    await worker.end();
    for (const some of [workers, alone])
      if (some.includes(worker)) some.splice(some.indexOf(worker), 1);
    use();
  };
  let gateway: GuardedProcess | undefined;
  const close = async (): Promise<void> => {
    await Promise.all(managers.map((manager) => manager.close().catch(() => undefined)));
    const ended = [...workers, ...alone].map((worker) => worker.end());
    await Promise.all([...ended, gateway?.end(), engine.end()]);
    await Promise.all([balancer.close(), thinker.close()]);
    for (const project of projects) project.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    gateway = await guardedProcess(
      process.execPath,
      [entry, "gateway", ...common, "--tenants", tenantsFile, "--listen", "0"],
      { cwd: folder, env },
    );
    const [, port] = await gateway.line(/gateway ready on [\d.]+:(\d+)/);
    for (let count = 0; count < (options.workers ?? 2); count += 1) await addWorker();
    await register(engine.admin, balancer.url);
    const url = `http://127.0.0.1:${port}`;
    return {
      engine,
      balancer,
      thinker,
      gateway: url,
      processes: () => ({
        engine: [engine.pid()],
        gateway: [gateway!.pid],
        workers: [...workers, ...alone].map(({ pid }) => pid),
      }),
      store,
      keyFile,
      tokens,
      workers,
      addWorker,
      removeWorker,
      async replaceWorkers() {
        const old = [...workers];
        await Promise.all(old.map(removeWorker));
        await Promise.all(old.map(() => addWorker()));
      },
      async workerOf(agentId) {
        const [runId] = Object.values(runs.get(agentId) ?? {});
        const moved = await ingress.call<string | null>(services.place, `web.${runId}`, {
          handler: "life",
        });
        const place = await ingress.call<ShownAt | null>(services.run, moved ?? `web.${runId}.0`, {
          handler: "where",
          input: 0,
        });
        const found = [...workers, ...alone].find(({ events }) => events === place?.url);
        if (!found) throw new Error(`no worker shows ${agentId}`);
        return found;
      },
      project(files = {}) {
        const project = tempProject(files);
        projects.push(project);
        return project;
      },
      manager(project, more = {}) {
        const manager = createManager({
          cwd: project.root,
          watch: false,
          contract: "none",
          model: thinker.model,
          executor: restate({ url, token: tokens["web"]! }),
          ...more,
          onEvent(event) {
            runs.set(event.agentId, { runId: event.runId });
            return more.onEvent?.(event);
          },
          env: { PATH: process.env["PATH"], HOME: project.home, ...thinker.env, ...more.env },
        });
        managers.push(manager);
        return manager;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function register(admin: string, uri: string): Promise<void> {
  const response = await fetch(`${admin}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri, force: true }),
  });
  if (!response.ok) throw new Error(`not registered: ${await response.text()}`);
}
