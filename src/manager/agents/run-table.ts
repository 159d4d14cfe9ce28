// The runs of one session that live in this process, by id: the main thread and its agents. A run
// enters when it starts and is gone before anyone hears of its end.
import type { AgentDefinition } from "../../definitions/agent-definition.ts";
import { limits } from "../../base/limits.ts";
import type { RunEvent } from "../../events/event.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Executor } from "../../executors/executor.ts";
import type { Usage } from "../../model/model.ts";
import { openOutputFile, type OutputFile } from "../background/output-file.ts";
import { runAgent } from "../run/run-agent.ts";
import { RunHandle } from "../run/run-handle.ts";
import type { SettledRun } from "../run/settle/settle-run.ts";
import type { AgentResult } from "../session/agent-result.ts";
import { writeMetasNow } from "../../transcripts/meta.ts";
import { writeWaitingLines } from "../../transcripts/waiting-lines.ts";
import type { Session } from "../session/session.ts";
import type { Spending } from "../session/spending.ts";

export type RunTableParts = {
  session: Session;
  executor: Executor;
  spending: Spending;
  onEvent?: ((event: RunEvent) => void) | undefined;
  /** Of agents; the end of a main thread is its caller's own. */
  onEnd?:
    | ((result: AgentResult, run: { background: boolean; description: string }) => void)
    | undefined;
};

const waiting: (() => void)[] = [];
/** A turn of the event loop should take no longer than this while runs are started. */
const sliceMs = 8;
const leastAtOnce = 4;
const mostAtOnce = 64;
let atOnce = leastAtOnce;
let sliceAt = 0;
let isScheduled = false;

/** On the next tick, and in slices: thousands that start at once hold up nobody else. */
function startSoon(start: () => void): void {
  waiting.push(start);
  schedule();
}

function schedule(): void {
  if (!isScheduled) setImmediate(startSlice);
  isScheduled = true;
}

/** As many as the turn of the event loop before shows that there is time for. */
function startSlice(): void {
  const now = performance.now();
  atOnce =
    now - sliceAt < sliceMs ? Math.min(atOnce * 2, mostAtOnce) : Math.max(leastAtOnce, atOnce >> 1);
  sliceAt = now;
  isScheduled = false;
  for (const start of waiting.splice(0, atOnce)) start();
  if (waiting.length > 0) schedule();
}

export class RunTable {
  readonly #parts: RunTableParts;
  readonly #agents = new Map<string, RunHandle>();
  /** Results of agents that stand on no disk, the newest of them. */
  readonly #results = new Map<string, AgentResult>();
  #main: RunHandle | undefined;

  constructor(parts: RunTableParts) {
    this.#parts = parts;
  }

  get agents(): RunHandle[] {
    return [...this.#agents.values()];
  }

  get count(): number {
    return this.#agents.size;
  }

  /** At work. One that waits on disk for an answer is not: it takes nobody's place. */
  ids(): string[] {
    const waits = this.#parts.session.background.ask === "wait";
    return this.agents
      .filter(({ phase, isBackground }) => !waits || phase !== "asking" || !isBackground)
      .map(({ spec }) => spec.agentId);
  }

  /** An agent with this id runs here. */
  has(agentId: string): boolean {
    return this.#agents.has(agentId);
  }

  /** The run with this id, the main thread among them. */
  get(agentId: string): RunHandle | undefined {
    return this.#main?.spec.agentId === agentId ? this.#main : this.#agents.get(agentId);
  }

  /** An agent, by id or name. */
  agent(id: string): RunHandle | undefined {
    return this.#agents.get(id) ?? this.agents.findLast((run) => run.spec.name === id);
  }

  /**
   * Starts the run on the next tick, so that the caller holds it before its first event. `warn`
   * takes what hooks of a main thread say outside of its transcript.
   */
  start(
    { spec, notes, output, isContinued, mail }: SettledRun,
    definition: AgentDefinition | undefined,
    warn: (message: string) => void,
  ): RunHandle {
    const run = new RunHandle(spec, this.#parts.executor);
    run.notes.push(...notes);
    if (output) run.owes = output;
    if (isContinued) run.isContinued = true;
    if (mail !== undefined) run.send(mail);
    if (spec.background && this.#parts.session.persist) run.writeTo(this.openOutput(run));
    if (!this.#parts.session.persist) run.forgetEvents();
    if (spec.isMain) this.#main = run;
    else this.#agents.set(spec.agentId, run);
    const { session, executor, onEvent } = this.#parts;
    run.onSpent = (usage) => this.#countSpending(spec, usage);
    if (onEvent) run.listen(onEvent);
    const parts = { session, executor, definition, warn };
    startSoon(() => void runAgent(run, parts).then((result) => this.end(run, result)));
    return run;
  }

  /** Out of the table before anyone hears of it: a place is free when the result is there. */
  end(run: RunHandle, result: AgentResult): void {
    if (run.phase === "ended") return;
    const { agentId, isMain, description = "" } = run.spec;
    if (this.#agents.get(agentId) === run) this.#agents.delete(agentId);
    if (!this.#parts.session.persist) this.#keep(result);
    run.end(result);
    if (!isMain) this.#parts.onEnd?.(result, { background: run.isBackground, description });
  }

  /** Stops every agent; what viewers wait for is on disk afterwards. */
  async close(stop: (agentId: string) => Promise<unknown>): Promise<void> {
    await Promise.all(this.agents.map(({ spec }) => stop(spec.agentId)));
    if (this.#parts.session.persist) writeMetasNow(this.#parts.session.paths.dir);
  }

  /** What an agent that has ended came to, where only memory tells it. */
  resultOf(agentId: string): AgentResult | undefined {
    return this.#results.get(agentId);
  }

  #keep(result: AgentResult): void {
    this.#results.set(result.agent_id, result);
    const [oldest] = this.#results.keys();
    if (this.#results.size > limits.run.keptResults && oldest !== undefined)
      this.#results.delete(oldest);
  }

  #countSpending({ model }: Pick<RunSpec, "model">, usage: Usage): void {
    const { session, spending } = this.#parts;
    spending.add(usage, session.model(model).price);
    if (spending.isUsedUp()) for (const agent of this.#agents.values()) agent.stop();
  }

  /** The only opener of output files: what is secret in this session is masked in all of them. */
  openOutput({ spec: { agentId } }: RunHandle): OutputFile {
    writeWaitingLines();
    const { paths, secrets } = this.#parts.session;
    return openOutputFile(paths.output(agentId), secrets);
  }
}
