// The library's door: a manager for agents in the caller's own process, with the project's settings and definitions unless told otherwise.
import { RetinueError } from "../base/errors.ts";
import type { AgentFields } from "../definitions/agent-definition.ts";
import { watchDefinitions } from "../definitions/watch-definitions.ts";
import type { Delegate } from "../patterns/flow.ts";
import { delegateOver } from "../flows/delegate.ts";
import type { AgentInfo } from "../manager/agent-register.ts";
import type { AgentOutput } from "../manager/agent-result.ts";
import { stopFolder, watchStopRequests } from "../manager/background/stop-requests.ts";
import type { AgentRun, AgentStatus, Manager, StopResult } from "../manager/manager.ts";
import { openManager } from "../manager/open-manager.ts";
import { mainPolicy } from "../manager/resolve-policy.ts";
import { spawnInputSchema, type SpawnInput } from "../manager/spawn-input.ts";
import { aiSdkModel, isAiSdkModel, type AiSdkModel } from "../model/ai-sdk-model.ts";
import type { Model } from "../model/model.ts";
import { checkOptions, refuseUnknown, type ManagerOptions } from "./manager-options.ts";
import { openSession, type OpenedSession } from "./open-session.ts";
import { usualModelName } from "./usual-model-name.ts";

export type AgentManager = {
  readonly sessionId: string;
  /** What a person should know: broken files, what an untrusted folder did not get. */
  readonly warnings: readonly string[];
  /** Starts an agent on the next tick; throws a RetinueError for what cannot be started. */
  spawn(input: SpawnInput): AgentRun;
  /** The same agent goes on, with what both its first life and today's definition allow. */
  resume(id: string, prompt: string, options?: { background?: boolean }): AgentRun;
  /** A running agent reads it at its next turn, a finished one goes on with it. */
  send(to: string, message: string): { delivered: true; agent_id: string } | { delivered: false; run: AgentRun; background: boolean };
  /** A task and its answer as handoffs: read, checked, repaired once. The patterns `sequence`, `parallel` and `branch` work over it. */
  readonly delegate: Delegate;
  /** Its result; while it runs, the text so far, which nobody has verified. */
  getOutput(id: string, options?: { block?: boolean; timeoutMs?: number }): Promise<AgentOutput>;
  /** Returns when its processes are gone; what has ended stays as it is. */
  stop(id: string): Promise<StopResult>;
  /** A foreground agent goes on without the caller: what is not approved is denied. */
  background(id: string): { agent_id: string; output_file: string };
  /** What runs now. */
  list(): AgentStatus[];
  /** Which definitions there are, and which one wins. */
  listAgentInfo(): AgentInfo[];
  /** Definitions of your own; they hide those of files. */
  registerAgents(definitions: Readonly<Record<string, Partial<AgentFields>>>): void;
  /** Reads the definitions on disk anew. */
  reload(): void;
  /** Stops what runs, and leaves nothing open. */
  close(): Promise<void>;
};

/** Throws a RetinueError for settings or options that cannot be used. */
export function createManager(options: ManagerOptions = {}): AgentManager {
  checkOptions(options);
  const { models, named } = modelsOf(options);
  const opened = openSession({ ...sessionOptions(options), models });
  refuseBrokenAgents(options, opened);
  const { session } = opened;
  const caller = { name: "library", description: "the caller", prompt: "", source: "library" as const, priority: 0 };
  const parent = {
    policy: mainPolicy(session, caller, { mode: options.permissions?.mode, cwd: session.cwd }),
    get model() {
      return named ?? usualModelName(opened);
    },
  };
  const { manager } = openManager(session, { parent, onEvent: options.onEvent, executor: options.executor });
  const watcher = options.watch === false ? undefined : watchDefinitions(opened.loadOptions, () => session.reload());
  // `retinue stop` of another process reaches the agents of this one.
  const unwatch = watchStopRequests(stopFolder(session.configDir), (id) => manager.stopIfRunning(id));
  return faceOf(manager, opened, { close: async () => (unwatch(), watcher?.close()) });
}

function faceOf(manager: Manager, opened: OpenedSession, watchers: { close(): Promise<void> }): AgentManager {
  return {
    sessionId: opened.session.id,
    warnings: opened.warnings,
    spawn(input) {
      refuseUnknown(input, spawnInputSchema.shape, "spawn");
      return manager.spawn(input);
    },
    resume: (id, prompt, more) => manager.resume(id, prompt, more),
    send: (to, message) => manager.send(to, message),
    delegate: delegateOver({ manager, spillDir: opened.session.paths.spill }),
    getOutput: (id, wait) => manager.getOutput(id, wait),
    stop: (id) => manager.stop(id),
    background: (id) => manager.background(id),
    list: () => manager.list(),
    registerAgents: (definitions) => manager.registerAgents(definitions),
    reload: () => manager.reload(),
    listAgentInfo: () => manager.listAgentInfo(),
    async close() {
      await manager.close();
      await Promise.all([watchers.close(), opened.close()]);
    },
  };
}

/** In a file a bad definition is a problem among others; in code it is a mistake. */
function refuseBrokenAgents({ agents = {} }: ManagerOptions, { loaded }: OpenedSession): void {
  const read = new Set(loaded.all.filter(({ definition }) => definition.source === "library").map(({ definition }) => definition.name));
  const lost = Object.keys(agents).filter((name) => !read.has(name));
  if (lost.length === 0) return;
  const why = loaded.problems.filter(({ path, severity }) => path.startsWith("agents") && severity === "error").map(({ message }) => message);
  throw new RetinueError("config", `agents that cannot be used: ${lost.join(", ")}. ${why.join("; ")}`);
}

/** Every model under its name, and the name of the one that is used where none is named. */
function modelsOf({ model, models = {} }: ManagerOptions): { models: Record<string, Model>; named: string | undefined } {
  const all = Object.fromEntries(Object.entries(models).map(([name, given]) => [name, asModel(given, name)]));
  if (model === undefined || typeof model === "string") return { models: all, named: model };
  const own = asModel(model);
  return { models: { ...all, [own.name]: own }, named: own.name };
}

/** A run names its model in its spec, so a model has to answer to the name under which it was given. */
const asModel = (given: Model | AiSdkModel, name?: string): Model => ({ ...(isAiSdkModel(given) ? aiSdkModel(given) : given), ...(name === undefined ? {} : { name }) });

function sessionOptions({ cwd = process.cwd(), env = process.env, permissions = {}, agents, ...rest }: ManagerOptions): Parameters<typeof openSession>[0] {
  const { mode, allow, ask, deny, additionalDirectories } = permissions;
  const { model: _model, models: _models, executor: _executor, onEvent: _onEvent, watch: _watch, ...passed } = rest;
  return {
    ...passed,
    cwd,
    env,
    ...(agents ? { agents } : {}),
    ...(mode === undefined ? {} : { mode }),
    ...(allow ? { allowedTools: allow } : {}),
    ...(ask ? { askRules: ask } : {}),
    ...(deny ? { disallowedTools: deny } : {}),
    ...(additionalDirectories ? { addDirs: additionalDirectories } : {}),
  };
}
