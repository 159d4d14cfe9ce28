// The manager of a session: starts agents, watches them, stops them, and forgets them when they are
// done; what they did stands on disk.
import { limits } from "../../base/limits.ts";
import type { AgentDefinition, AgentPlan } from "../../definitions/agent-definition.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Executor } from "../../executors/executor.ts";
import type { AgentOutput } from "../session/agent-result.ts";
import { AgentRegister, type AgentInfo } from "./agent-register.ts";
import { refuseBackground } from "../background/background-disabled.ts";
import {
  alreadyRunning,
  findResumable,
  firstSpec,
  lostAgents,
  notKept,
  notRunning,
  type LostAgent,
} from "../session/earlier-run.ts";
import {
  agentRun,
  agentStatus,
  type AgentRun,
  type AgentStatus,
  type StopResult,
} from "./agent-run.ts";
import { begunChild } from "./begun-child.ts";
import { checkedInput, refuseSpawn } from "./refuse-spawn.ts";
import { hadEnded, stopAgent, within } from "./stop-agent.ts";
import type { RunHandle } from "../run/run-handle.ts";
import { outputOnDisk, runningOutput } from "../session/running-output.ts";
import { transcriptPath } from "../run/transcripts-on-disk.ts";
import type { Session } from "../session/session.ts";
import {
  checkPrompt,
  goOnWith,
  settleNew,
  settleResumed,
  type Parent,
  type SettledRun,
} from "../run/settle/settle-run.ts";
import { RunTable, type RunTableParts } from "./run-table.ts";
import type { SpawnInput, SpawnOrigin } from "./spawn-input.ts";
import { Spending } from "../session/spending.ts";

export type ManagerParts = {
  session: Session;
  executor: Executor;
  parent: Parent;
  /** For the main thread and its agents together. */ maxUsd?: number | undefined;
} & Pick<RunTableParts, "onEvent" | "onEnd">;

const byLibrary: SpawnOrigin = { viaTool: false };
const unheard = (): void => undefined;

export class Manager {
  readonly #session: Session;
  readonly #executor: Executor;
  readonly #runs: RunTable;
  readonly #register: AgentRegister;
  readonly spending: Spending;
  #parent: Parent;
  #isClosed = false;

  constructor({ session, executor, parent, maxUsd, onEvent, onEnd }: ManagerParts) {
    this.#session = session;
    this.#executor = executor;
    this.#parent = parent;
    this.#register = new AgentRegister(session);
    this.spending = new Spending(maxUsd ?? session.limits.maxUsd);
    this.#runs = new RunTable({ session, executor, spending: this.spending, onEvent, onEnd });
  }

  /**
   * Starts the session's main thread on the next tick: a run like any other, but outside of the
   * limit and of the list. The agents that it starts are its children from now on.
   */
  startMain(spec: RunSpec, warn: (message: string) => void): RunHandle {
    this.#parent = { policy: spec.policy, model: spec.model };
    const definition = this.definitions().get(spec.agentType);
    return this.#runs.start(goOnWith({ spec, notes: [] }, this.#executor), definition, warn);
  }

  /** Everything about an agent that is decided before it starts. Throws; nothing has begun. */
  settle(input: SpawnInput, origin: SpawnOrigin = byLibrary): SettledRun {
    const wish = checkedInput(input);
    if (wish.resume !== undefined) return this.#settleAgain(wish.resume, wish, origin);
    const definition = this.#register.find(wish.subagent_type ?? "general-purpose");
    this.#refuse(definition.name, wish.prompt);
    return settleNew({ ...this.#wish(definition, origin), input: wish });
  }

  /**
   * Starts an agent on the next tick: the caller holds the run before its first event. Throws a
   * RetinueError for what cannot be started.
   */
  spawn(input: SpawnInput, origin: SpawnOrigin = byLibrary): AgentRun {
    const begun = begunChild(origin, {
      session: this.#session,
      running: (id) => this.#runs.get(id),
      goOn: (id) => this.#goOnAlone(id, origin),
    });
    return begun ?? this.#start(this.settle(input, origin));
  }

  /**
   * A finished or lost agent goes on: the same id, transcript and output file. Throws for an
   * unknown id, a running one, and a denied type.
   */
  resume(
    id: string,
    prompt: string,
    { background, origin = byLibrary }: { background?: boolean; origin?: SpawnOrigin } = {},
  ): AgentRun {
    const input = {
      description: "",
      prompt,
      ...(background === undefined ? {} : { run_in_background: background }),
    };
    return this.#start(this.#settleAgain(id, checkedInput(input), origin));
  }

  /**
   * Goes on with a run that another process left at a turn boundary: it has its place already, and
   * nothing is decided anew.
   */
  take(spec: RunSpec, more: Pick<SettledRun, "isContinued"> = {}): AgentRun {
    this.#register.find(spec.agentType);
    return this.#start({ spec, notes: [], ...more });
  }

  list(): AgentStatus[] {
    return this.#runs.agents.map(agentStatus);
  }

  /** The run with this id while it lives, the main thread among them. */
  runOf(agentId: string): RunHandle | undefined {
    return this.#runs.get(agentId);
  }

  /** An agent while it lives, by id or name; undefined once it is on disk alone. */
  running(id: string): RunHandle | undefined {
    return this.#runs.agent(id);
  }

  /**
   * The result of an agent of this session, or what there is of it: waits for its end unless
   * `block` is false, at most `timeoutMs`.
   */
  async getOutput(
    id: string,
    { block = true, timeoutMs = limits.task.waitMs }: { block?: boolean; timeoutMs?: number } = {},
  ): Promise<AgentOutput> {
    const run = this.running(id);
    if (!run) return this.#ended(id);
    const ended = block
      ? await within(run.done, Math.min(Math.max(0, timeoutMs), limits.task.maxWaitMs))
      : undefined;
    if (ended) return ended;
    return {
      ...runningOutput(run, transcriptPath(this.#session, run.spec)),
      ...(block ? { timed_out: true as const } : {}),
    };
  }

  /** Ends a running agent; returns when its processes are gone. One that has ended stays as it is. */
  async stop(id: string): Promise<StopResult> {
    const run = this.running(id);
    if (!run) return hadEnded(this.#ended(id));
    return stopAgent(run, {
      transcript: transcriptPath(this.#session, run.spec),
      end: (result) => this.#runs.end(run, result),
    });
  }

  /** Begins to stop an agent that runs here; false when it does not. */
  stopIfRunning(agentId: string): boolean {
    if (this.#runs.has(agentId)) void this.stop(agentId);
    return this.#runs.has(agentId);
  }

  /**
   * A foreground agent goes on in the background, without a restart: what is not approved is denied
   * from now on, and MCP tools are gone.
   */
  background(id: string): { agent_id: string; output_file: string } {
    const run = this.runOf(id) ?? this.running(id);
    if (!run) throw notRunning(this.#ended(id));
    if (!this.#session.persist) throw notKept(`${id} stays in the foreground`, "output file");
    refuseBackground(id, this.#session.env);
    if (!run.isBackground) run.moveToBackground(this.#runs.openOutput(run));
    const agent_id = run.spec.agentId;
    return { agent_id, output_file: this.#session.paths.output(agent_id) };
  }

  /**
   * A message for an agent, by id or name: a running one reads it at its next turn, a finished one
   * goes on with it.
   */
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

  /** Adds or replaces definitions of the library's user. Throws `config` for a broken one. */
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
  lostAgents(): LostAgent[] {
    return lostAgents(this.#session).filter(({ agent_id }) => !this.#runs.get(agent_id));
  }

  /** Stops everything that still runs; nothing can be started afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#runs.close((agentId) => this.stop(agentId));
  }

  readonly #ended = (id: string): AgentOutput =>
    this.#runs.resultOf(id) ?? outputOnDisk(this.#session, id);

  #settleAgain(id: string, input: SpawnInput, origin: SpawnOrigin): SettledRun {
    const live = this.running(id);
    if (live) throw alreadyRunning(live.spec.agentId);
    if (!this.#session.persist) throw notKept(`${id} cannot be resumed`, "transcript");
    const found = findResumable(this.#session, id);
    const earlier = firstSpec(found);
    const definition = this.#register.find(earlier.agentType);
    this.#refuse(definition.name, input.prompt);
    const wasBackground = (found.meta?.["background"] ?? earlier.background) === true;
    const wish = { ...input, description: input.description || (found.meta?.description ?? "") };
    const again = { ...this.#wish(definition, origin), input: wish, earlier, wasBackground };
    return goOnWith(settleResumed(again), this.#executor);
  }

  #wish(definition: AgentDefinition, origin: SpawnOrigin) {
    const [session, parent] = [this.#session, this.#parent];
    return { session, definition, origin, parent, budget: this.spending.left() };
  }

  /** Goes on without a new prompt, for a parent that goes on itself. */
  #goOnAlone(id: string, origin: SpawnOrigin): AgentRun | undefined {
    const left = this.#executor.status({ agentId: id, isMain: false });
    if (!left) return undefined;
    const input = { description: "", prompt: left.prompt };
    const { mail: _said, ...settled } = this.#settleAgain(id, input, origin);
    return this.#start({ ...settled, isContinued: true });
  }

  /**
   * Callers have checked the limit (`#refuse`) in the same step, without a wait in between: nobody
   * else can have taken the place. A run that is taken over has its place already.
   */
  #start(settled: SettledRun): AgentRun {
    const definition = this.definitions().get(settled.spec.agentType);
    return agentRun(this.#runs.start(settled, definition, unheard));
  }

  #refuse(type: string, prompt: string): void {
    const world = {
      isClosed: this.#isClosed,
      policy: this.#parent.policy,
      spending: this.spending,
      running: this.#runs,
      maxConcurrent: this.#session.limits.maxConcurrent,
    };
    refuseSpawn({ type, prompt }, world);
  }
}
