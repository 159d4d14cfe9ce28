// Runs one agent once, main thread or sub-agent: opens what the run needs, keeps its facts, closes
// everything, and always ends with exactly one result.
import { RetinueError, errorText } from "../../base/errors.ts";
import type { AgentDefinition } from "../../definitions/agent-definition.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { Executor, Watch } from "../../executors/executor.ts";
import { readHooks, readScopedHooks } from "../../hooks/read-hooks.ts";
import { masked } from "../../transcripts/masked-json.ts";
import { writeMetaLater } from "../../transcripts/meta.ts";
import { askUpFront } from "../background/ask-up-front.ts";
import { agentResult, outcomeWithout, type AgentResult } from "../session/agent-result.ts";
import type { Session } from "../session/session.ts";
import { tellEnd } from "./hooks/hook-ports.ts";
import type { RunHandle } from "./run-handle.ts";
import { transcriptPath } from "./transcripts-on-disk.ts";
import type { OpenPlace } from "../session/run-workspace.ts";

export type RunParts = {
  session: Session;
  executor: Executor;
  /** Undefined where the definition of a run that was moved here is gone. */
  definition: AgentDefinition | undefined;
  /** A line for whoever started a main thread, from hooks that run outside of its transcript. */
  warn: (message: string) => void;
};

/** What a kind of run does around its execution. */
type Stages = {
  begin(): Promise<void>;
  /** Returns the worktree that was kept. Not called for a run that goes on elsewhere. */
  finish(outcome: RunOutcome): Promise<string | undefined>;
};

const unreadPrompt =
  "it had its answer when its process died, and so has not read the new prompt: resume it again";

/** Never rejects. */
export async function runAgent(run: RunHandle, parts: RunParts): Promise<AgentResult> {
  const { session, executor, definition } = parts;
  const { spec } = run;
  const stages = spec.isMain ? mainThread(run, parts) : subAgent(run, parts);
  let unregister: (() => void) | undefined;
  let outcome: RunOutcome;
  try {
    // As a main thread an agent's Stop hooks stay Stop; as a sub-agent they are SubagentStop.
    const read = spec.isMain ? readHooks : readScopedHooks;
    const { hooks } = read(definition?.hooks, `agent ${spec.agentType}`);
    unregister = session.hooks.registerScoped(spec.agentId, hooks);
    await stages.begin();
    const watch: Watch = {
      signal: run.signal,
      onEvent: (event) => run.hear(event),
      isHeard: () => run.isHeard || session.hooks.hooksFor(spec.agentId).length > 0,
      askedMs: () => run.askedMs,
      held: run,
    };
    outcome = run.isContinued
      ? await executor.attach(spec, watch)
      : await executor.execute(spec, watch);
  } catch (error) {
    if (spec.isMain && error instanceof RetinueError) run.refusal = error;
    outcome = run.signal.aborted
      ? outcomeWithout("stopped", "cancelled", "stopped")
      : outcomeWithout("failed", "error", errorText(error));
  }
  run.outcome = outcome;
  if (run.isContinued && outcome.reason !== "moved" && run.takeMessages().length > 0)
    run.notes.push(unreadPrompt);
  const worktree = outcome.reason === "moved" ? undefined : await stages.finish(outcome);
  unregister?.();
  return agentResult(spec, outcome, {
    transcript: transcriptPath(session, spec),
    outputFile: run.outputFile,
    worktree,
    notes: run.notes,
  });
}

/**
 * The hooks of a session's beginning and end belong to its main thread. What was moved here began
 * elsewhere.
 */
function mainThread(run: RunHandle, { session, warn }: RunParts): Stages {
  const { spec } = run;
  // Loaded for those who have hooks.
  const hooks = async () =>
    session.hooks.hooksFor(spec.agentId).length > 0
      ? import("./hooks/opening-hooks.ts")
      : undefined;
  return {
    async begin() {
      if (spec.carried || run.isContinued) return;
      const opening = await (await hooks())?.openingHooks(session, run, warn);
      if (opening) run.opening = opening;
    },
    async finish() {
      if (!run.refusal) await (await hooks())?.closingHooks(session, run, warn);
      return undefined;
    },
  };
}

/** A sub-agent has a label beside its transcript, and a worktree where it asked for one. */
function subAgent(run: RunHandle, { session, executor }: RunParts): Stages {
  const { spec } = run;
  let worktree: OpenPlace | undefined;
  return {
    async begin() {
      if (!executor.isElsewhere) worktree = await session.workspace.open(session, spec.place);
      if (run.isBackground && !run.isContinued) await askUpFront(run, session);
    },
    async finish(outcome) {
      // Only where the executor never came so far; afterwards it finds that the end has been told.
      const log = { record: () => undefined, signal: () => undefined };
      await tellEnd({ session, run, log }, outcome);
      const kept = await worktree?.finish();
      if (kept) run.notes.push(`the worktree is kept because ${kept.because}`);
      if (session.persist && !run.refusal) keepMeta(session, run);
      return kept?.kept;
    },
  };
}

/** For Claude Code's viewers, once, and not in anybody's way. */
function keepMeta(session: Session, { spec, isBackground }: RunHandle): void {
  const { agentType, description = "", toolUseId, name } = spec;
  writeMetaLater(
    session.paths.meta(spec.agentId),
    masked(
      {
        agentType,
        description,
        spawnDepth: 1,
        finished: true,
        background: isBackground,
        ...(toolUseId === undefined ? {} : { toolUseId }),
        ...(name === undefined ? {} : { name }),
      },
      session.secrets,
    ),
  );
}
