// Runs a spec in this process: opens its store and tools, sets its deadline, drives the loop, and
// closes everything however it ends.
import { RetinueError, errorText } from "../base/errors.ts";
import type { RunOutcome } from "../events/outcome.ts";
import { isDetached, type Gate, type LoopPorts, type LoopSpec } from "../loop/ports.ts";
import { runLoop } from "../loop/run-loop.ts";
import { wholeGate } from "../loop/whole-gate.ts";
import {
  toolUsesOf,
  withText,
  type Message,
  type ToolResultBlock,
  type UserMessage,
} from "../model/message.ts";
import { noUsage, type Model } from "../model/model.ts";
import type { Catalog, RunHooks, RunLog, RunStore, ToolSet } from "./catalog.ts";
import { Deadline } from "./deadline.ts";
import { DurableRun } from "./durable.ts";
import type { Executor, Watch } from "./executor.ts";
import { HeldRuns } from "./held-runs.ts";
import { keepNothing, type Keeping } from "./keeping.ts";
import { interruptedText } from "../transcripts/reading/normalize-messages.ts";
import { openRunLog } from "./run-log.ts";
import type { RunSpec } from "../events/run-spec.ts";

/** Runs specs in this process and keeps no steps: after a crash a resume is a new life. */
export function createLocalExecutor(catalog: Catalog): Executor {
  return executorOver(catalog, () => keepNothing);
}

/** Runs specs in this process and keeps every step in the catalog's journal. */
export function createDurableExecutor(catalog: Catalog): Executor {
  if (!catalog.journal)
    throw new RetinueError("usage", "the durable executor needs a catalog with a journal");
  const keeping = async (spec: RunSpec): Promise<Keeping> =>
    new DurableRun(await catalog.journal!(spec));
  return { ...executorOver(catalog, keeping), status: (agent) => catalog.left?.(agent) };
}

/** Going on with a life is executing it once more: what was kept of it is not repeated. */
function executorOver(
  catalog: Catalog,
  openKeeping: (spec: RunSpec) => Keeping | Promise<Keeping>,
): Executor {
  const runs = new HeldRuns();
  const run: Executor["execute"] = (spec, watch) =>
    runs.during(spec, watch.held, () => execute(catalog, { spec, watch }, openKeeping));
  return {
    execute: run,
    attach: run,
    status: () => undefined,
    stop: (address) => runs.stop(address),
    send: (address, message) => runs.send(address, message),
  };
}

type Job = { spec: RunSpec; watch: Watch };

async function execute(
  catalog: Catalog,
  job: Job,
  openKeeping: (spec: RunSpec) => Keeping | Promise<Keeping>,
): Promise<RunOutcome> {
  const { spec, watch } = job;
  let store: RunStore;
  try {
    store = await catalog.store(spec);
  } catch (error) {
    return failed(error);
  }
  let outcome: RunOutcome;
  try {
    // After the store, whose lock keeps the journal for this process too.
    const keeping = await openKeeping(spec);
    try {
      outcome = await withStore(catalog, job, { keeping, store: await keeping.open(store) });
    } catch (error) {
      outcome = isDetached(watch.signal) ? letGo(failed(error)) : failed(error);
    }
    await keeping.close(outcome.reason === "moved" ? "goes on" : "over");
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
  { spec, watch }: Job,
  { keeping, store }: { keeping: Keeping; store: RunStore },
): Promise<RunOutcome> {
  const log = openRunLog(spec, store, { watch, now: () => keeping.now() });
  const stepLog = keeping.log(log);
  log.record({ type: "run-start", spec });
  const hooks = catalog.hooks?.(spec, stepLog);
  let tools: ToolSet | undefined;
  let deadline: Deadline | undefined;
  let outcome: RunOutcome;
  try {
    keeping.begin(hooks);
    const model = catalog.model(spec);
    tools = await catalog.tools(spec, keeping.step);
    const leftMs = spec.startedAt + spec.limits.timeoutMs - Date.now();
    deadline = new Deadline(watch.signal, leftMs, watch.askedMs);
    outcome = await drive(spec, {
      model,
      tools,
      log,
      hooks,
      gate: wholeGate(catalog.gate(spec, stepLog), keeping.step),
      watch,
      store,
      keeping,
      signal: keeping.signal(deadline.signal),
    });
  } catch (error) {
    outcome = failed(error);
  }
  deadline?.release();
  // The rest stands in a function of its own: what this one names is held as long as the run.
  return conclude(outcome, { log, hooks, tools, keeping, watch });
}

async function conclude(
  outcome: RunOutcome,
  {
    log,
    hooks,
    tools,
    keeping,
    watch,
  }: Pick<Parts, "log" | "hooks" | "keeping" | "watch"> & { tools: ToolSet | undefined },
): Promise<RunOutcome> {
  // Before the end is told: whoever hears it may rely on nothing of the run being left.
  await tools
    ?.close()
    .catch((error: unknown) =>
      log.signal({ type: "warning", message: `closing tools: ${errorText(error)}` }),
    );
  const { judged, ...now } = stopWins(outcome, watch.signal);
  if (now.reason === "moved") return now;
  let ending: RunOutcome = now;
  try {
    // Whoever goes on after it ends the run in the same way: a stop may have come in between.
    ending = await keeping.step("ended", async () => {
      await hooks?.atEnd?.(now);
      return now;
    });
  } catch (error) {
    if (isDetached(watch.signal)) return letGo(now);
    log.signal({ type: "warning", message: `hooks at the end: ${errorText(error)}` });
  }
  const ended = recordEnd(log, ending);
  // Beside the end on record, which has the verification as a line of its own.
  return judged && ended.state === "completed" ? { ...ended, judged } : ended;
}

/** A stop that came while the last answer, or a move, was on its way is a stop all the same. */
function stopWins(outcome: RunOutcome, signal: AbortSignal): RunOutcome {
  if (isDetached(signal)) return letGo(outcome);
  return signal.aborted && (outcome.state === "completed" || outcome.reason === "moved")
    ? { ...outcome, state: "stopped", reason: "cancelled", error: "stopped" }
    : outcome;
}

/** Not an end: this process has let go of the run. */
function letGo({ content, metrics, permission_denials }: RunOutcome): RunOutcome {
  return { state: "stopped", reason: "moved", content, metrics, permission_denials };
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
  gate: Gate;
  watch: Watch;
  store: RunStore;
  keeping: Keeping;
  signal: AbortSignal;
};

/** Not async: whatever stands in a function that waits is held until the run ends. */
function drive(
  spec: RunSpec,
  { model, tools, log, hooks, gate, watch, store, keeping, signal }: Parts,
): Promise<RunOutcome> {
  const ports: LoopPorts = {
    send: (request, call) => model.send(request, call),
    tools: new Map(tools.tools.map((tool) => [tool.name, tool])),
    gate,
    record: log.record,
    ...(watch.onEvent ? { signal: log.signal } : {}),
    ...(store.settle ? { beforeRequest: store.settle } : {}),
    now: monotonic,
    ...(hooks ? { hooks } : {}),
  };
  const { history, usedIds, unbegun } = store;
  return runLoop(loopSpec(spec, model), unbegun ? history : opening(spec, history, log), {
    ports: keeping.ports(ports),
    signal,
    ...(usedIds ? { usedIds } : {}),
    ...(unbegun ? { open: { unbegun, prompt: spec.prompt } } : {}),
  });
}

const monotonic = (): number => performance.now();

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
    isMain: spec.isMain,
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
