// The manager of a session: starts agents, watches them, stops them, and forgets them when they are done; what they did stands on disk.
import { RetinueError } from "../base/errors.ts";
import { newAgentId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { suggest } from "../base/suggest.ts";
import type { AgentDefinition, AgentFields } from "../definitions/agent-definition.ts";
import type { RunEvent } from "../events/event.ts";
import type { Executor } from "../executors/executor.ts";
import { decide } from "../permissions/decide.ts";
import type { Policy } from "../permissions/policy.ts";
import { pathFacts } from "../base/path-facts.ts";
import type { AgentResult } from "./agent-result.ts";
import { eventStream } from "./event-stream.ts";
import { LiveRun } from "./live-run.ts";
import { openOutputFile } from "./output-file.ts";
import { prepareRun, wantedServers } from "./prepare-run.ts";
import { childPolicy } from "./resolve-policy.ts";
import { resolveModelName } from "./resolve-model.ts";
import { lifeOf } from "./run-life.ts";
import type { Session } from "./session.ts";
import type { SpawnInput, SpawnOrigin } from "./spawn-input.ts";

export type AgentRun = {
  readonly id: string;
  /** Never rejects. */
  readonly done: Promise<AgentResult>;
  events(): AsyncIterable<RunEvent>;
};

export type AgentStatus = {
  agent_id: string;
  agent_type: string;
  name: string | null;
  state: "running";
  started_at: string;
  background: boolean;
  metrics: { turns: number; tool_uses: number; tokens_used: number };
};

/** Whose children they are: the main thread's policy and model. */
export type Parent = { policy: Policy; model: string };

export type ManagerParts = { session: Session; executor: Executor; parent: Parent; onEvent?: (event: RunEvent) => void };

/** Stopped runs are waited for this long; by then no process of theirs is left. */
const stopWaitMs = 2_000;

export class Manager {
  readonly #session: Session;
  readonly #executor: Executor;
  readonly #onEvent: ((event: RunEvent) => void) | undefined;
  readonly #live = new Map<string, LiveRun>();
  readonly #registered = new Map<string, AgentDefinition>();
  #parent: Parent;

  constructor({ session, executor, parent, onEvent }: ManagerParts) {
    this.#session = session;
    this.#executor = executor;
    this.#parent = parent;
    this.#onEvent = onEvent;
  }

  /** The main thread's own policy and model, once they are settled. */
  adopt(parent: Parent): void {
    this.#parent = parent;
  }

  /** Starts an agent on the next tick: the caller holds the run before its first event. Throws a RetinueError for what cannot be started. */
  spawn(input: SpawnInput, origin: SpawnOrigin = { viaTool: false }): AgentRun {
    const definition = this.#definition(input.subagent_type ?? "general-purpose");
    this.#refuseDenied(definition.name, input.prompt);
    this.#refuseOverLimit();
    const run = new LiveRun(this.#settle(definition, input, origin));
    this.#live.set(run.spec.agentId, run);
    if (run.isBackground) run.writeTo(openOutputFile(this.#session.paths.output(run.spec.agentId)));
    if (this.#onEvent) run.listen(this.#onEvent);
    setImmediate(() => void this.#run(run, definition));
    return { id: run.spec.agentId, done: run.done, events: () => eventStream(run) };
  }

  list(): AgentStatus[] {
    return [...this.#live.values()].map(({ spec, startedAt, isBackground, progress }) => ({
      agent_id: spec.agentId,
      agent_type: spec.agentType,
      name: spec.name ?? null,
      state: "running",
      started_at: startedAt,
      background: isBackground,
      metrics: { turns: progress.turns, tool_uses: progress.tool_uses, tokens_used: progress.tokens_used },
    }));
  }

  /** The run while it lives; undefined once it is on disk alone. */
  running(id: string): LiveRun | undefined {
    return this.#live.get(id) ?? [...this.#live.values()].find((run) => run.spec.name === id);
  }

  /** Ends a running agent and returns when its processes are gone; false when it was not running. */
  async stop(id: string): Promise<boolean> {
    const run = this.running(id);
    if (!run) return false;
    run.abort();
    await Promise.race([run.done, new Promise((resolve) => setTimeout(resolve, stopWaitMs).unref())]);
    return true;
  }

  /** Adds or replaces definitions of the library's user. */
  registerAgents(definitions: Readonly<Record<string, AgentFields>>): void {
    for (const [name, fields] of Object.entries(definitions)) this.#registered.set(name, { ...fields, name, source: "library", priority: 500 });
  }

  definitions(): ReadonlyMap<string, AgentDefinition> {
    return new Map([...this.#session.definitions(), ...this.#registered]);
  }

  /** Stops everything that still runs. */
  async close(): Promise<void> {
    await Promise.all([...this.#live.keys()].map((id) => this.stop(id)));
  }

  async #run(run: LiveRun, definition: AgentDefinition): Promise<void> {
    const result = await lifeOf(run, definition, { session: this.#session, executor: this.#executor });
    // Out of the map before anyone hears of it: a slot is free when the result is there.
    this.#live.delete(run.spec.agentId);
    run.end(result);
  }

  #definition(type: string): AgentDefinition {
    const definitions = this.definitions();
    const found = definitions.get(type);
    if (found) return found;
    const near = suggest(type, definitions.keys());
    throw new RetinueError("unknown_agent", `unknown subagent_type: ${type}${near ? `. Did you mean ${near}?` : ""} (available: ${[...definitions.keys()].join(", ")})`);
  }

  #refuseDenied(type: string, prompt: string): void {
    const { cwd, home } = this.#session;
    const decision = decide({ tool: "Agent", input: { subagent_type: type, prompt, description: "" } }, { ...this.#parent.policy, mode: "bypassPermissions" }, (path) => pathFacts(path, cwd, home));
    if (decision.behavior === "deny") throw new RetinueError("denied", `agent ${type} may not be started: ${decision.reason}`);
  }

  #refuseOverLimit(): void {
    const max = this.#session.limits.maxConcurrent ?? limits.run.maxConcurrent;
    if (this.#live.size >= max) throw new RetinueError("limit", `max concurrent agents reached (${max}): ${[...this.#live.keys()].join(", ")} are running. Wait for one, stop one, or raise retinue.limits.maxConcurrent.`);
  }

  #settle(definition: AgentDefinition, input: SpawnInput, origin: SpawnOrigin): LiveRun["spec"] {
    const session = this.#session;
    const background = input.run_in_background ?? definition.background ?? false;
    const model = session.model(resolveModelName({ input: input.model, definition: definition.model, fallback: session.env["CLAUDE_CODE_SUBAGENT_MODEL"], parent: this.#parent.model }));
    const policy = childPolicy(session, definition, { parent: this.#parent.policy, mode: input.mode, viaTool: origin.viaTool, cwd: session.cwd, background });
    const { spec } = prepareRun(session, definition, {
      agentId: newAgentId(),
      prompt: input.prompt,
      name: input.name,
      model,
      limits: { maxTurns: input.max_turns },
      isMain: false,
      cwd: session.cwd,
      policy,
      mcpServers: wantedServers(session, definition, background),
      background,
      toolUseId: origin.toolUseId,
      description: input.description,
    });
    return spec;
  }
}
