// The library's door: a manager for agents in the caller's own process, with the project's settings and definitions unless told otherwise.
import { RetinueError } from "../base/errors.ts";
import { oneLine } from "../base/printable.ts";
import { suggest } from "../base/suggest.ts";
import type { AgentFields } from "../definitions/agent-definition.ts";
import { watchDefinitions } from "../definitions/watch-definitions.ts";
import type { RunEvent } from "../events/event.ts";
import type { Catalog } from "../executors/catalog.ts";
import type { Executor } from "../executors/executor.ts";
import type { Hook } from "../hooks/hook.ts";
import type { Delegate } from "../patterns/flow.ts";
import { delegateOver } from "../flows/delegate.ts";
import type { AgentInfo } from "../manager/agent-register.ts";
import type { AgentOutput } from "../manager/agent-result.ts";
import { stopFolder, watchStopRequests } from "../manager/background/stop-requests.ts";
import type { Answerer, Asker } from "../manager/asker.ts";
import type { AgentRun, AgentStatus, Manager, StopResult } from "../manager/manager.ts";
import { openManager } from "../manager/open-manager.ts";
import type { LimitSource } from "../manager/resolve-limits.ts";
import { mainPolicy } from "../manager/resolve-policy.ts";
import type { Environment } from "../manager/session.ts";
import { spawnInputSchema, type SpawnInput } from "../manager/spawn-input.ts";
import { aiSdkModel, isAiSdkModel, type AiSdkModel } from "../model/ai-sdk-model.ts";
import type { Model } from "../model/model.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import type { Tool } from "../tool/tool.ts";
import { openSession, type OpenedSession } from "./open-session.ts";
import { usualModelName } from "./usual-model-name.ts";

export type PermissionOptions = { mode?: PermissionMode; allow?: readonly string[]; ask?: readonly string[]; deny?: readonly string[]; additionalDirectories?: readonly string[] };

export type ManagerOptions = {
  /** Definitions of your own, by name; they hide those of files. */
  agents?: Readonly<Record<string, Partial<AgentFields>>>;
  /** Where the agents work; the present directory without it. */
  cwd?: string;
  /** For agents that name none: `provider:id`, an alias, a key of `models`, or a model itself (the AI SDK's too). */
  model?: string | Model | AiSdkModel;
  /** Models of your own, by name. */
  models?: Readonly<Record<string, Model | AiSdkModel>>;
  tools?: readonly Tool[];
  permissions?: PermissionOptions;
  hooks?: readonly Hook[];
  /** Decides what the rules leave open; without it that is denied. */
  ask?: Asker;
  /** Answers questions that agents ask; without it they have no AskUserQuestion. */
  answer?: Answerer;
  limits?: LimitSource & { idleTimeoutMs?: number };
  outputDir?: string;
  /** Takes the place of `~/.claude/projects/{project}`. */
  transcriptDir?: string;
  executor?: (catalog: Catalog) => Executor;
  contract?: "report" | "handoff" | "none";
  /** Goes on with an earlier session: its agents can be read and resumed. */
  sessionId?: string;
  /** Uses what an untrusted folder brings, for this manager. */
  trust?: boolean;
  /** The environment; that of the process without it. */
  env?: Environment;
  /** Hears the events of all agents. */
  onEvent?: (event: RunEvent) => void;
  /** Picks up changed definitions while it runs; on unless false. */
  watch?: boolean;
};

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

const optionNames: Readonly<Record<keyof ManagerOptions, true>> = { agents: true, cwd: true, model: true, models: true, tools: true, permissions: true, hooks: true, ask: true, answer: true, limits: true, outputDir: true, transcriptDir: true, executor: true, contract: true, sessionId: true, trust: true, env: true, onEvent: true, watch: true };
const permissionNames: Readonly<Record<keyof PermissionOptions, true>> = { mode: true, allow: true, ask: true, deny: true, additionalDirectories: true };

/** A slip in `permissions` or `deny` would be a rule that nobody keeps: JavaScript has no compiler that says so. */
function refuseUnknown(given: object, known: object, where: string): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const near = suggest(unknown, Object.keys(known));
  throw new RetinueError("usage", `${where}: there is no "${oneLine(unknown, 60)}"${near ? `; did you mean "${near}"?` : `. There are ${Object.keys(known).join(", ")}.`}`);
}

/** Throws a RetinueError for settings or options that cannot be used. */
export function createManager(options: ManagerOptions = {}): AgentManager {
  refuseUnknown(options, optionNames, "options");
  refuseUnknown(options.permissions ?? {}, permissionNames, "options.permissions");
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
