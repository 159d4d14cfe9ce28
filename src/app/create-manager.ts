// createManager, the entry of the library: a manager that runs agents in the caller's process, with
// the project's settings and definitions unless the options say otherwise.
import { RetinueError } from "../base/errors.ts";
import type { AgentPlan } from "../definitions/agent-definition.ts";
import { watchDefinitions } from "../definitions/watch-definitions.ts";
import type { Delegate } from "../patterns/flow.ts";
import { delegateOver } from "../flows/delegate.ts";
import type { AgentInfo } from "../manager/agents/agent-register.ts";
import type { AgentOutput } from "../manager/session/agent-result.ts";
import { stopFolder, watchStopRequests } from "../manager/background/stop-requests.ts";
import type { AgentRun, AgentStatus, StopResult } from "../manager/agents/agent-run.ts";
import type { Manager } from "../manager/agents/manager.ts";
import { openManager } from "../manager/agents/open-manager.ts";
import { owedData, type OutputSchema } from "../manager/run/tools/owed-data.ts";
import { resolveMainPolicy } from "../manager/run/settle/resolve-policy.ts";
import { spawnInputSchema, type SpawnInput } from "../manager/agents/spawn-input.ts";
import { checkAgents } from "./check-agents.ts";
import { checkOptions, type ManagerOptions } from "./manager-options.ts";
import { refuseUnknown } from "./refuse-unknown.ts";
import { openSession, type OpenedSession } from "./session/open-session.ts";
import { quietListener } from "./quiet-listener.ts";
import { sessionOptionsOf } from "./session/session-options-of.ts";
import { usualModelName } from "./session/usual-model-name.ts";

/** Starts agents, watches them, stops them and reads their results. */
export type AgentManager = {
  readonly sessionId: string;
  /** What a person should know: broken files, what an untrusted folder did not get. */
  readonly warnings: readonly string[];
  /** Starts an agent on the next tick; throws a RetinueError for what cannot be started. */
  spawn<T = unknown>(
    input: SpawnInput,
    options?: {
      /** Aborted, it stops the agent: `done` is then `stopped`. */ signal?: AbortSignal;
      /** The agent owes this data instead of a report; it stands in the result as `output`. */
      outputSchema?: OutputSchema<T>;
    },
  ): AgentRun<T>;
  /** The same agent goes on, with what both its first life and today's definition allow. */
  resume(
    id: string,
    prompt: string,
    options?: { background?: boolean; signal?: AbortSignal },
  ): AgentRun;
  /** A running agent reads it at its next turn, a finished one goes on with it. */
  send(
    to: string,
    message: string,
  ):
    | { delivered: true; agent_id: string }
    | { delivered: false; run: AgentRun; background: boolean };
  /**
   * A task and its answer as handoffs: read, checked, repaired once. The patterns `sequence`,
   * `parallel` and `branch` work over it.
   */
  readonly delegate: Delegate;
  /** Its result; while it runs, its text so far, unverified. */
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
  registerAgents(definitions: Readonly<Record<string, AgentPlan>>): void;
  /** Reads the definitions on disk anew. */
  reload(): void;
  /** Stops what runs, and leaves nothing open. */
  close(): Promise<void>;
};

/**
 * Makes a manager: it reads settings and agent files and starts agents for your program. Throws a
 * RetinueError for settings or options that cannot be used.
 */
export function createManager(options: ManagerOptions = {}): AgentManager {
  checkOptions(options);
  const { named, ...given } = sessionOptionsOf(options);
  const opened = openSession(given.options);
  const { session } = opened;
  const caller = {
    name: "library",
    description: "the caller",
    prompt: "",
    source: "library" as const,
    priority: 0,
  };
  const parent = {
    policy: resolveMainPolicy(session, caller, {
      mode: options.permissions?.mode,
      cwd: session.cwd,
    }),
    get model() {
      return named ?? usualModelName(opened);
    },
  };
  const manager = openManager(session, {
    parent,
    onEvent: options.onEvent && quietListener(options.onEvent),
    executor: typeof options.executor === "function" ? options.executor : undefined,
  });
  const watcher =
    options.watch === false
      ? undefined
      : watchDefinitions(opened.loadOptions, () => session.reload());
  // `retinue stop` of another process reaches the agents of this one.
  const unwatch = session.persist
    ? watchStopRequests(stopFolder(session.configDir), (id) => manager.stopIfRunning(id))
    : () => undefined;
  return faceOf(manager, opened, { close: async () => (unwatch(), watcher?.close()) });
}

function faceOf(
  manager: Manager,
  opened: OpenedSession,
  watchers: { close(): Promise<void> },
): AgentManager {
  return {
    sessionId: opened.session.id,
    warnings: opened.warnings,
    spawn<T>(
      input: SpawnInput,
      more: { signal?: AbortSignal; outputSchema?: OutputSchema<T> } = {},
    ) {
      refuseHabits(input);
      refuseUnknown(input, spawnInputSchema.shape, "spawn");
      refuseUnknown(more, { signal: true, outputSchema: true }, "spawn: options");
      const output = more.outputSchema && owedData(more.outputSchema);
      const origin = { viaTool: false, ...(output ? { output } : {}) };
      const run = stoppedBy(more.signal, manager, () => manager.spawn(input, origin));
      // The value was checked by the schema that the type is read off.
      return run as AgentRun<T>;
    },
    resume(id, prompt, more = {}) {
      refuseUnknown(more, { background: true, signal: true }, "resume: options");
      const { signal, ...rest } = more;
      return stoppedBy(signal, manager, () => manager.resume(id, prompt, rest));
    },
    send: (to, message) => manager.send(to, message),
    delegate: delegateOver({ manager, spillDir: opened.session.paths.spill }),
    async getOutput(id, wait = {}) {
      refuseUnknown(wait, { block: true, timeoutMs: true }, "getOutput: options");
      return manager.getOutput(id, wait);
    },
    stop: (id) => manager.stop(id),
    background: (id) => manager.background(id),
    list: () => manager.list(),
    registerAgents(definitions) {
      checkAgents(definitions, "registerAgents");
      manager.registerAgents(definitions);
    },
    reload: () => manager.reload(),
    listAgentInfo: () => manager.listAgentInfo(),
    async close() {
      await manager.close();
      await Promise.all([watchers.close(), opened.close()]);
    },
  };
}

/** What other libraries take in the same place, with what says it here. */
const habits: Readonly<Record<string, string>> = {
  signal: "give it beside the input: spawn(input, { signal })",
  abortSignal: "give it beside the input: spawn(input, { signal })",
  timeoutMs:
    "it belongs to the agent's definition or to the manager's limits; for one run: " +
    "spawn(input, { signal: AbortSignal.timeout(ms) })",
  agent: "the agent's name is subagent_type",
  input: "the task is prompt",
  tools: "they belong to the agent's definition",
  maxTurns: "write max_turns",
};

function refuseHabits(input: object): void {
  const known = Object.keys(input ?? {}).find((key) => Object.hasOwn(habits, key));
  if (known !== undefined)
    throw new RetinueError("usage", `spawn: there is no "${known}": ${habits[known]}`);
}

/**
 * The runs that were started with a signal. One listener for all of them: a signal may be a whole
 * service's, and one that outlives them keeps nothing.
 */
const bySignal = new WeakMap<AbortSignal, Map<string, Manager>>();

function stoppedBy(
  signal: AbortSignal | undefined,
  manager: Manager,
  start: () => AgentRun,
): AgentRun {
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new RetinueError("usage", "signal: expected an AbortSignal");
  const run = start();
  if (signal === undefined) return run;
  if (signal.aborted) {
    manager.stopIfRunning(run.id);
    return run;
  }
  const runs = bySignal.get(signal) ?? listened(signal);
  runs.set(run.id, manager);
  void run.done.then(() => runs.delete(run.id));
  return run;
}

function listened(signal: AbortSignal): Map<string, Manager> {
  const runs = new Map<string, Manager>();
  bySignal.set(signal, runs);
  signal.addEventListener("abort", () => runs.forEach((manager, id) => manager.stopIfRunning(id)), {
    once: true,
  });
  return runs;
}
