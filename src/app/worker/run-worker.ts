// A worker of this machine from what a person gives on the command line: runs until it is told to
// end, then lets go of its runs, which go on elsewhere.
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { isObject } from "../../base/data/json.ts";
import { RetinueError, errorText } from "../../base/errors.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import type { Environment } from "../../manager/session/session.ts";
import { readClusterKey } from "../../restate/cluster-key.ts";
import { openStore } from "../../restate/store/open-store.ts";
import { startWorker, type RunningWorker } from "../../restate/worker/start-worker.ts";
import { gitWorkspaces } from "../../restate/workspace/git-workspaces.ts";
import type { Workspaces } from "../../restate/workspace/workspaces.ts";
import { driveRuns, type WorkerModule } from "./drive-run.ts";

export type WorkerRequest = {
  listen: { host: string; port: number };
  events: { host: string; port: number };
  eventsUrl?: string | undefined;
  health: { host: string; port: number };
  server: string;
  keyFile: string;
  store: string;
  /** A file whose exports are tools, hooks and models. */
  module?: string | undefined;
  scratch: string;
  /** The folder of folders that follow their runs, with the repository that they come from. */
  workspaces?: string | undefined;
  remote?: string | undefined;
  setup?: string | undefined;
  trust: boolean;
  identityKeys: readonly string[];
};

export async function runWorker(
  request: WorkerRequest,
  { env, tell }: Surroundings,
): Promise<RunningWorker> {
  const scratch = resolve(request.scratch);
  makePrivateDir(scratch);
  const module = request.module === undefined ? {} : await loadModule(request.module);
  return startWorker({
    host: request.listen.host,
    port: request.listen.port,
    eventsPort: request.events.port,
    eventsUrl: request.eventsUrl,
    health: request.health,
    server: request.server,
    key: readClusterKey(request.keyFile),
    store: openStore(request.store, env),
    drive: driveRuns({
      env,
      trust: request.trust,
      module,
      scratch,
      workspaces: workspacesOf(request, { env, tell }),
      onTrouble: tell,
    }),
    identityKeys: request.identityKeys,
    onLog: tell,
  });
}

type Surroundings = { env: Environment; tell: (line: string) => void };

function workspacesOf(
  { workspaces, remote, setup }: WorkerRequest,
  { env, tell }: Surroundings,
): Workspaces | null {
  if ((workspaces === undefined) !== (remote === undefined))
    throw new RetinueError(
      "usage",
      "--workspaces and --remote belong together: the folder on this machine, and the repository " +
        "that runs work on.",
    );
  if (workspaces === undefined || remote === undefined) {
    if (setup === undefined) return null;
    throw new RetinueError("usage", "--setup needs --workspaces and --remote.");
  }
  return gitWorkspaces({
    folder: resolve(workspaces),
    remote,
    setup: setup ?? null,
    onTrouble: tell,
    env,
  });
}

const exported = ["tools", "hooks", "models"] as const;

async function loadModule(path: string): Promise<WorkerModule> {
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    throw new RetinueError("config", `--module ${path} cannot be loaded: ${errorText(error)}`);
  }
  const names = isObject(loaded) ? Object.keys(loaded) : [];
  const unknown = names.find((name) => !(exported as readonly string[]).includes(name));
  if (names.length === 0 || unknown !== undefined)
    throw new RetinueError(
      "config",
      `--module ${path} exports ${unknown ?? "nothing"}; expected some of ${exported.join(", ")}.`,
    );
  return { ...(loaded as WorkerModule) };
}

/** Tells the engine where this worker, or the balancer before it, is reached. */
export async function registerWorker(admin: string, address: string): Promise<void> {
  const url = `${admin.replace(/\/+$/, "")}/deployments`;
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri: address, force: true }),
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    throw new RetinueError("config", `${admin} cannot be reached: ${errorText(error)}`);
  }
  if (!response.ok)
    throw new RetinueError(
      "config",
      `${admin} does not take ${address}: ${(await response.text()).slice(0, 500)}`,
    );
}
