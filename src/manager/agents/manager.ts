// The manager of a session: starts agents, watches them, stops them, and forgets them when they are done; what they did stands on disk.
import { RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { suggest } from "../../base/text/suggest.ts";
import type { AgentDefinition, AgentPlan } from "../../definitions/agent-definition.ts";
import type { RunEvent } from "../../events/event.ts";
import type { RunState } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Executor } from "../../executors/executor.ts";
import {
  agentResult,
  outcomeWithout,
  type AgentOutput,
  type AgentResult,
} from "../session/agent-result.ts";
import { AgentRegister, type AgentInfo } from "./agent-register.ts";
import { backgroundDisabled } from "../background/background-disabled.ts";
import { earlierRuns, findEarlier, firstSpec, resultOnDisk } from "../session/earlier-run.ts";
import { eventStream } from "./event-stream.ts";
import { RunHandle } from "../run/run-handle.ts";
import { openOutputFile, type OutputFile } from "../background/output-file.ts";
import { spawnRefusal } from "../run/settle/resolve-policy.ts";
import { runningElsewhere, runningOutput } from "../session/running-output.ts";
import { runAgent } from "../run/run-agent.ts";
import { transcriptPath } from "../run/run-store.ts";
import type { Session } from "../session/session.ts";
import {
  checkPrompt,
  settleNew,
  settleResumed,
  type Parent,
  type SettledRun,
} from "../run/settle/settle-run.ts";
import { spawnInputSchema, type SpawnInput, type SpawnOrigin } from "./spawn-input.ts";
import { Spending } from "../session/spending.ts";

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

export type StopResult = {
  agent_id: string;
  /** False when it had ended before, and when it runs in another process. */ stopped: boolean;
  state: RunState | "running";
  message: string;
};

export type ManagerParts = {
  session: Session;
  executor: Executor;
  parent: Parent;
  /** For the main thread and its agents together. */ maxUsd?: number | undefined;
  onEvent?: ((event: RunEvent) => void) | undefined;
  onEnd?:
    | ((result: AgentResult, run: { background: boolean; description: string }) => void)
    | undefined;
};

const byLibrary: SpawnOrigin = { viaTool: false };
const unheard = (): void => undefined;

export class Manager {
  readonly #parts: ManagerParts;
  readonly #session: Session;
  readonly #live = new Map<string, RunHandle>();
  readonly #register: AgentRegister;
  readonly spending: Spending;
  #main: RunHandle | undefined;
  #parent: Parent;
  #isClosed = false;

  constructor(parts: ManagerParts) {
    this.#parts = parts;
    this.#session = parts.session;
    this.#parent = parts.parent;
    this.#register = new AgentRegister(parts.session);
    this.spending = new Spending(parts.maxUsd ?? parts.session.limits.maxUsd);
  }

  /**
   * Starts the session's main thread on the next tick: a run like any other, but outside of the
   * limit and of the list. The agents that it starts are its children from now on.
   */
  startMain(spec: RunSpec, warn: (message: string) => void): RunHandle {
    this.#parent = { policy: spec.policy, model: spec.model };
    const definition = this.definitions().get(spec.agentType);
    return (this.#main = this.#open(definition, { spec, notes: [] }, warn));
  }

  /** Starts an agent on the next tick: the caller holds the run before its first event. Throws a RetinueError for what cannot be started. */
  spawn(input: SpawnInput, origin: SpawnOrigin = byLibrary): AgentRun {
    const wish = checked(input);
    if (wish.resume !== undefined) return this.#resume(wish.resume, wish, origin);
    const definition = this.#definition(wish.subagent_type ?? "general-purpose");
    this.#refuse(definition.name, wish.prompt);
    return this.#start(
      definition,
      settleNew({
        session: this.#session,
        definition,
        input: wish,
        origin,
        parent: this.#parent,
        budget: this.spending.left(),
      }),
    );
  }

  /** A finished or lost agent goes on: the same id, transcript and output file. Throws for an unknown id, a running one, and a denied type. */
  resume(
    id: string,
    prompt: string,
    { background, origin = byLibrary }: { background?: boolean; origin?: SpawnOrigin } = {},
  ): AgentRun {
    return this.#resume(
      id,
      checked({
        description: "",
        prompt,
        ...(background === undefined ? {} : { run_in_background: background }),
      }),
      origin,
    );
  }

  /** Goes on with a run that another process left at a turn boundary: it has its place already, and nothing is decided anew. */
  take(spec: RunSpec): AgentRun {
    return this.#start(this.#definition(spec.agentType), { spec, notes: [] });
  }

  list(): AgentStatus[] {
    return [...this.#live.values()].map(({ spec, startedAt, isBackground, progress }) => ({
      agent_id: spec.agentId,
      agent_type: spec.agentType,
      name: spec.name ?? null,
      state: "running",
      started_at: startedAt,
      background: isBackground,
      metrics: {
        turns: progress.turns,
        tool_uses: progress.tool_uses,
        tokens_used: progress.tokens_used,
      },
    }));
  }

  /** The run with this id while it lives, the main thread among them. */
  runOf(agentId: string): RunHandle | undefined {
    return this.#main?.spec.agentId === agentId ? this.#main : this.#live.get(agentId);
  }

  /** An agent while it lives, by id or name; undefined once it is on disk alone. */
  running(id: string): RunHandle | undefined {
    return this.#live.get(id) ?? [...this.#live.values()].findLast((run) => run.spec.name === id);
  }

  /** The result of an agent of this session, or what there is of it: waits for its end unless `block` is false, at most `timeoutMs`. */
  async getOutput(
    id: string,
    { block = true, timeoutMs = limits.task.waitMs }: { block?: boolean; timeoutMs?: number } = {},
  ): Promise<AgentOutput> {
    const run = this.running(id);
    if (!run) return this.#onDisk(id);
    const ended = block
      ? await within(run.done, Math.min(Math.max(0, timeoutMs), limits.task.maxWaitMs))
      : undefined;
    if (ended) return ended;
    return {
      ...runningOutput(run, transcriptPath(this.#session, run.spec)),
      ...(block ? { timed_out: true as const } : {}),
    };
  }

  /** Ends a running agent and returns when its processes are gone. One that has ended stays as it is. */
  async stop(id: string): Promise<StopResult> {
    const run = this.running(id);
    if (!run) {
      const { agent_id, state } = this.#onDisk(id);
      const message =
        state === "running"
          ? `${agent_id} runs in another process; \`retinue stop ${agent_id}\` reaches it`
          : `${agent_id} had already ended (${state}); nothing was changed`;
      return { agent_id, stopped: false, state, message };
    }
    const agent_id = run.spec.agentId;
    run.abort();
    const ended = await within(run.done, limits.task.stopMs);
    if (!ended)
      this.#end(
        run,
        agentResult(
          run.spec,
          {
            ...outcomeWithout("stopped", "cancelled", "stopped; it did not react in time"),
            content: run.text,
          },
          {
            transcript: transcriptPath(this.#session, run.spec),
            outputFile: run.outputFile,
            notes: run.notes,
          },
        ),
      );
    const { state, reason } = await run.done;
    // Another process had it before the stop could be heard.
    if (reason === "moved")
      return {
        agent_id,
        stopped: false,
        state: "running",
        message: `${agent_id} has gone on in another process; \`retinue stop ${agent_id}\` reaches it`,
      };
    return {
      agent_id,
      stopped: state === "stopped",
      state,
      message:
        state === "stopped"
          ? `${agent_id} was stopped`
          : `${agent_id} ended (${state}) before it could be stopped`,
    };
  }

  /** Begins to stop an agent that runs here; false when it does not. */
  stopIfRunning(agentId: string): boolean {
    if (!this.#live.has(agentId)) return false;
    void this.stop(agentId);
    return true;
  }

  /** A foreground agent goes on in the background, without a restart: what is not approved is denied from now on, and MCP tools are gone. */
  background(id: string): { agent_id: string; output_file: string } {
    const run = this.runOf(id) ?? this.running(id);
    if (!run) throw this.#notRunning(id);
    if (backgroundDisabled(this.#session.env))
      throw new RetinueError(
        "disabled",
        `${id} stays in the foreground: background tasks are switched off by CLAUDE_CODE_DISABLE_BACKGROUND_TASKS.`,
      );
    const agent_id = run.spec.agentId;
    const output_file = this.#session.paths.output(agent_id);
    if (!run.isBackground) run.moveToBackground(this.#openOutput(agent_id));
    return { agent_id, output_file };
  }

  /** A message for an agent, by id or name: a running one reads it at its next turn, a finished one goes on with it. */
  send(
    to: string,
    message: string,
    origin: SpawnOrigin = byLibrary,
  ):
    | { delivered: true; agent_id: string }
    | { delivered: false; run: AgentRun; background: boolean } {
    const run = this.running(to);
    if (!run) {
      const resumed = this.resume(to, message, { origin });
      return {
        delivered: false,
        run: resumed,
        background: this.running(resumed.id)?.isBackground === true,
      };
    }
    checkPrompt(message);
    run.send(message);
    return { delivered: true, agent_id: run.spec.agentId };
  }

  /** Adds or replaces definitions of the library's user. Throws `config` for one that cannot be used. */
  registerAgents(definitions: Readonly<Record<string, AgentPlan>>): void {
    this.#register.add(definitions);
  }

  /** Reads the definitions on disk anew. */
  reload(): void {
    this.#session.reload();
  }

  definitions(): ReadonlyMap<string, AgentDefinition> {
    return this.#register.definitions();
  }

  /** Every definition in reach, the ones that another hides too. */
  listAgentInfo(): AgentInfo[] {
    return this.#register.list();
  }

  /** Agents of this session whose process died under them. */
  lostAgents(): {
    agent_id: string;
    agent_type: string;
    description: string;
    toolUseId: string | undefined;
  }[] {
    const lost = earlierRuns(this.#session).filter(
      (run) => run.reason === "lost" && !this.#live.has(run.agentId),
    );
    return lost.map(({ agentId, meta }) => ({
      agent_id: agentId,
      agent_type: meta?.agentType ?? "unknown",
      description: meta?.description ?? "",
      toolUseId: meta?.toolUseId,
    }));
  }

  /** Stops everything that still runs; nothing can be started afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#live.keys()].map((id) => this.stop(id)));
  }

  #resume(id: string, input: SpawnInput, origin: SpawnOrigin): AgentRun {
    const live = this.running(id);
    const found = live ? undefined : findEarlier(this.#session, id);
    // Whoever holds its lock is about to go on with it, even where the last line on disk is still the end of its life before.
    if (!found || found.state === "running" || found.holder)
      throw new RetinueError(
        "running",
        `${live?.spec.agentId ?? id} is already running${found?.holder ? ` in process ${found.holder.pid}` : ""}. Wait for it, stop it, or send it a message.`,
      );
    const earlier = firstSpec(found);
    const definition = this.#definition(earlier.agentType);
    this.#refuse(definition.name, input.prompt);
    const wasBackground = (found.meta?.["background"] ?? earlier.background) === true;
    const wish = { ...input, description: input.description || (found.meta?.description ?? "") };
    return this.#start(
      definition,
      settleResumed({
        session: this.#session,
        definition,
        input: wish,
        origin,
        parent: this.#parent,
        budget: this.spending.left(),
        earlier,
        wasBackground,
      }),
    );
  }

  /** The limit was checked in the same step, without a wait in between: nobody else can have taken the place. */
  #start(definition: AgentDefinition, settled: SettledRun): AgentRun {
    const run = this.#open(definition, settled, unheard);
    this.#live.set(run.spec.agentId, run);
    return { id: run.spec.agentId, done: run.done, events: () => eventStream(run) };
  }

  #open(
    definition: AgentDefinition | undefined,
    { spec, notes }: SettledRun,
    warn: (message: string) => void,
  ): RunHandle {
    const run = new RunHandle(spec);
    run.notes.push(...notes);
    if (spec.background) run.writeTo(this.#openOutput(spec.agentId));
    const { onEvent, executor } = this.#parts;
    run.listen((event) => this.#watchSpending(run, event));
    if (onEvent) run.listen(onEvent);
    const parts = { session: this.#session, executor, definition, warn };
    setImmediate(() => void runAgent(run, parts).then((result) => this.#end(run, result)));
    return run;
  }

  /** Out of the map before anyone hears of it: a place is free when the result is there. */
  #end(run: RunHandle, result: AgentResult): void {
    if (run.phase === "ended") return;
    if (this.#live.get(run.spec.agentId) === run) this.#live.delete(run.spec.agentId);
    run.end(result);
    if (run.spec.isMain) return;
    this.#parts.onEnd?.(result, {
      background: run.isBackground,
      description: run.spec.description ?? "",
    });
  }

  #watchSpending(run: RunHandle, event: RunEvent): void {
    if (event.type !== "message" || !event.reply) return;
    this.spending.add(event.reply.usage, this.#session.model(run.spec.model).price);
    if (this.spending.isUsedUp()) for (const other of this.#live.values()) other.abort();
  }

  #openOutput(agentId: string): OutputFile {
    return openOutputFile(this.#session.paths.output(agentId), this.#session.secrets);
  }

  #onDisk(id: string): AgentOutput {
    const found = findEarlier(this.#session, id);
    if (found.state === "running") return runningElsewhere(found);
    return resultOnDisk(found, this.#session.paths.output(found.agentId));
  }

  #notRunning(id: string): RetinueError {
    const { agent_id, state } = this.#onDisk(id);
    return new RetinueError(
      "usage",
      state === "running"
        ? `${agent_id} runs in another process.`
        : `${agent_id} has already ended (${state}).`,
    );
  }

  #definition(type: string): AgentDefinition {
    const definitions = this.definitions();
    const found = definitions.get(type);
    if (found) return found;
    const near = suggest(type, definitions.keys());
    throw new RetinueError(
      "unknown_agent",
      `unknown subagent_type: ${type}${near ? `. Did you mean ${near}?` : ""} (available: ${[...definitions.keys()].join(", ")})`,
    );
  }

  #refuse(type: string, prompt: string): void {
    if (this.#isClosed)
      throw new RetinueError(
        "usage",
        "this manager was closed; nothing can be started with it any more.",
      );
    checkPrompt(prompt);
    const refusal = spawnRefusal(type, this.#parent.policy);
    if (refusal !== undefined)
      throw new RetinueError("denied", `agent ${type} may not be started: ${refusal}`);
    if (this.spending.isUsedUp())
      throw new RetinueError(
        "limit",
        `the budget is used up ($${this.spending.usd?.toFixed(4) ?? "?"}); no agent is started.`,
      );
    const max = this.#session.limits.maxConcurrent ?? limits.run.maxConcurrent;
    if (this.#live.size >= max)
      throw new RetinueError(
        "limit",
        `max concurrent agents reached (${max}): ${[...this.#live.keys()].slice(0, 10).join(", ")}${this.#live.size > 10 ? ` and ${this.#live.size - 10} more` : ""} are running. Wait for one, stop one, or raise maxConcurrent in the limits (in settings: retinue.limits.maxConcurrent).`,
      );
  }
}

function checked(input: SpawnInput): SpawnInput {
  const parsed = spawnInputSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new RetinueError(
    "usage",
    `this agent cannot be started: ${parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`).join("; ")}`,
  );
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms))),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
