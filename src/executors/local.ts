// Runs a spec in this process: opens its store and tools, sets its deadline, drives the loop, and
// closes everything however it ends.
import { setMaxListeners } from "node:events";
import { errorText } from "../base/errors.ts";
import type { RunOutcome } from "../events/outcome.ts";
import { deadlineReason, type LoopPorts, type LoopSpec } from "../loop/ports.ts";
import { runLoop } from "../loop/run-loop.ts";
import {
  toolUsesOf,
  withText,
  type Message,
  type ToolResultBlock,
  type UserMessage,
} from "../model/message.ts";
import { noUsage, type Model } from "../model/model.ts";
import type { Catalog, RunHooks, RunLog, RunStore, ToolSet } from "./catalog.ts";
import type { Executor, Watch } from "./executor.ts";
import { interruptedText } from "../transcripts/reading/normalize-messages.ts";
import { openRunLog } from "./run-log.ts";
import type { RunSpec } from "../events/run-spec.ts";

/** Runs specs in this process; `createManager` uses it unless told otherwise. */
export function createLocalExecutor(catalog: Catalog): Executor {
  return { execute: (spec, watch) => execute(catalog, spec, watch) };
}

async function execute(catalog: Catalog, spec: RunSpec, watch: Watch): Promise<RunOutcome> {
  let store: RunStore;
  try {
    store = await catalog.store(spec);
  } catch (error) {
    return failed(error);
  }
  let outcome: RunOutcome;
  try {
    outcome = await withStore(catalog, spec, { watch, store });
  } catch (error) {
    outcome = failed(error);
  }
  try {
    await store.close(outcome.reason === "moved" ? "moved" : undefined);
    return outcome;
  } catch (error) {
    return {
      ...failed(error),
      content: outcome.content,
      metrics: outcome.metrics,
      permission_denials: outcome.permission_denials,
    };
  }
}

async function withStore(
  catalog: Catalog,
  spec: RunSpec,
  { watch, store }: { watch: Watch; store: RunStore },
): Promise<RunOutcome> {
  const log = openRunLog(spec, store, { onEvent: watch.onEvent, now: Date.now });
  log.record({ type: "run-start", spec });
  const hooks = catalog.hooks?.(spec, log);
  let tools: ToolSet | undefined;
  let deadline: Deadline | undefined;
  let outcome: RunOutcome;
  try {
    const model = catalog.model(spec);
    tools = await catalog.tools(spec);
    deadline = new Deadline(
      watch.signal,
      Math.max(0, spec.limits.timeoutMs - (spec.carried?.metrics.duration_ms ?? 0)),
      watch.askedMs,
    );
    outcome = await drive(spec, {
      model,
      tools,
      log,
      hooks,
      catalog,
      watch,
      store,
      signal: deadline.signal,
    });
  } catch (error) {
    outcome = failed(error);
  }
  deadline?.release();
  // Before the end is told: whoever hears it may rely on nothing of the run being left.
  await tools
    ?.close()
    .catch((error: unknown) =>
      log.signal({ type: "warning", message: `closing tools: ${errorText(error)}` }),
    );
  outcome = stopWins(outcome, watch.signal);
  if (outcome.reason === "moved") return outcome;
  const judged = outcome.state === "completed" ? hooks?.judged?.(outcome) : undefined;
  await hooks
    ?.atEnd?.(outcome)
    .catch((error: unknown) =>
      log.signal({ type: "warning", message: `hooks at the end: ${errorText(error)}` }),
    );
  const ended = recordEnd(log, outcome);
  // Beside the end on record, which has the verification as a line of its own.
  return judged && ended.state === "completed" ? { ...ended, judged } : ended;
}

/** A stop that came while the last answer, or a move, was on its way is a stop all the same. */
function stopWins(outcome: RunOutcome, signal: AbortSignal): RunOutcome {
  return signal.aborted && (outcome.state === "completed" || outcome.reason === "moved")
    ? { ...outcome, state: "stopped", reason: "cancelled", error: "stopped" }
    : outcome;
}

function recordEnd(log: RunLog, outcome: RunOutcome): RunOutcome {
  try {
    log.record({ type: "run-end", outcome });
    return outcome;
  } catch (error) {
    return {
      ...failed(error),
      content: outcome.content,
      metrics: outcome.metrics,
      permission_denials: outcome.permission_denials,
    };
  }
}

type Parts = {
  model: Model;
  tools: ToolSet;
  log: RunLog;
  hooks: RunHooks | undefined;
  catalog: Catalog;
  watch: Watch;
  store: RunStore;
  signal: AbortSignal;
};

/** Not async: whatever stands in a function that waits is held until the run ends. */
function drive(
  spec: RunSpec,
  { model, tools, log, hooks, catalog, watch, store, signal }: Parts,
): Promise<RunOutcome> {
  const ports: LoopPorts = {
    send: (request, call) => model.send(request, call),
    tools: new Map(tools.tools.map((tool) => [tool.name, tool])),
    gate: catalog.gate(spec, log),
    record: log.record,
    ...(watch.onEvent ? { signal: log.signal } : {}),
    now: monotonic,
    ...(hooks ? { hooks } : {}),
  };
  const { history, usedIds, unbegun } = store;
  return runLoop(loopSpec(spec, model), unbegun ? history : opening(spec, history, log), {
    ports,
    signal,
    ...(usedIds ? { usedIds } : {}),
    ...(unbegun ? { open: { unbegun, prompt: spec.prompt } } : {}),
  });
}

const monotonic = (): number => performance.now();

/**
 * Aborts with the caller's signal or at the deadline. By hand, because AbortSignal.any costs more
 * than a whole turn.
 */
class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #askedMs: () => number;
  #grantedMs = 0;
  #timer: NodeJS.Timeout;

  constructor(outer: AbortSignal, timeoutMs: number, askedMs: () => number = never) {
    this.#outer = outer;
    this.#askedMs = askedMs;
    // Any number of runs may share one caller's signal.
    setMaxListeners(0, outer);
    if (outer.aborted) this.handleEvent();
    outer.addEventListener("abort", this);
    this.#timer = setTimeout(expire, timeoutMs, this);
  }

  /** What people took for their answers is added to the run's time. */
  expire(): void {
    const owedMs = this.#askedMs() - this.#grantedMs;
    if (owedMs < 1) return this.#controller.abort(deadlineReason);
    this.#grantedMs += owedMs;
    this.#timer = setTimeout(expire, owedMs, this);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  handleEvent(): void {
    this.#controller.abort(this.#outer.reason);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this);
  }
}

const expire = (deadline: Deadline): void => deadline.expire();
const never = (): number => 0;

/** Puts the prompt on record, with a result for every call that an earlier life left open. */
function opening(spec: RunSpec, history: readonly Message[], log: RunLog): Message[] {
  const last = history.at(-1);
  const open = last?.role === "assistant" ? toolUsesOf(last.content) : [];
  if (spec.carried && open.length === 0) return [...history];
  if (open.length === 0) {
    const prompt: UserMessage = { role: "user", content: spec.prompt };
    log.record({ type: "message", origin: "prompt", message: prompt });
    return last?.role === "user"
      ? [...history.slice(0, -1), withText(last, spec.prompt)]
      : [...history, prompt];
  }
  log.record({ type: "interruption", toolUseIds: open.map((use) => use.id) });
  const results = open.map((use): ToolResultBlock => ({
    type: "tool_result",
    tool_use_id: use.id,
    content: interruptedText,
    is_error: true,
  }));
  const message: UserMessage = {
    role: "user",
    content: [...results, { type: "text", text: spec.prompt }],
  };
  log.record({ type: "message", origin: "interrupted", message });
  return [...history, message];
}

function loopSpec(spec: RunSpec, model: Model): LoopSpec {
  return {
    system: spec.system,
    webSearch: spec.webSearch && model.hasWebSearch,
    limits: spec.limits,
    window: {
      contextTokens: model.contextWindow,
      maxOutputTokens: model.maxOutputTokens,
      compactionPercent: spec.compactionPercent,
    },
    ...(spec.effort ? { effort: spec.effort } : {}),
    ...(spec.carried ? { carried: spec.carried } : {}),
    ...(model.price ? { price: model.price } : {}),
  };
}

function failed(error: unknown): RunOutcome {
  const storage = error instanceof Error && error.name === "StorageFailure";
  return {
    state: "failed",
    reason: storage ? "storage" : "error",
    error: errorText(error),
    content: "",
    metrics: {
      turns: 0,
      tool_uses: 0,
      tokens_used: 0,
      duration_ms: 0,
      cost_usd: null,
      usage: noUsage,
    },
    permission_denials: [],
  };
}
