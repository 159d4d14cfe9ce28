// The life of one sub-agent: its hooks and its worktree come and go with it, its facts are kept, and whatever happens it ends with exactly one result.
import { dirname } from "node:path";
import { errorText } from "../../base/errors.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import type { AgentDefinition } from "../../definitions/agent-definition.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { Executor } from "../../executors/executor.ts";
import { readScopedHooks } from "../../hooks/read-hooks.ts";
import { masked } from "../../transcripts/masked-json.ts";
import { writeMeta } from "../../transcripts/meta.ts";
import { agentResult, outcomeWithout, type AgentResult } from "../session/agent-result.ts";
import { askUpFront } from "../background/ask-up-front.ts";
import { tellEnd } from "./hook-ports.ts";
import type { RunHandle } from "./run-handle.ts";
import { transcriptPath } from "./run-store.ts";
import type { Session } from "../session/session.ts";
import { openWorktree, type Worktree } from "./worktree.ts";

export type LifeParts = { session: Session; executor: Executor };

/** Never rejects. */
export async function runSubAgent(
  run: RunHandle,
  definition: AgentDefinition,
  { session, executor }: LifeParts,
): Promise<AgentResult> {
  const { spec } = run;
  let unregister: (() => void) | undefined;
  let worktree: Worktree | undefined;
  let outcome: RunOutcome;
  try {
    unregister = session.hooks.registerScoped(
      spec.agentId,
      readScopedHooks(definition.hooks, `agent ${definition.name}`).hooks,
    );
    keepMeta(session, run, false);
    if (spec.isolation) worktree = await openWorktree(session, spec.cwd);
    if (run.isBackground) await askUpFront(run, session);
    outcome = await executor.execute(spec, {
      signal: run.signal,
      onEvent: (event) => run.hear(event),
    });
  } catch (error) {
    outcome = run.signal.aborted
      ? outcomeWithout("stopped", "cancelled", "stopped")
      : outcomeWithout("failed", "error", errorText(error));
  }
  if (outcome.reason === "moved") {
    run.left = outcome;
    unregister?.();
    return agentResult(spec, outcome, {
      transcript: transcriptPath(session, spec),
      outputFile: run.outputFile,
    });
  }
  // Only where the executor never came so far; afterwards it finds that the end has been told.
  const unheard = {
    session,
    spec,
    live: run,
    log: { record: () => undefined, signal: () => undefined },
  };
  await tellEnd(unheard, outcome);
  unregister?.();
  const kept = await worktree?.finish();
  run.isTaken = session.taken.has(spec.agentId);
  if (kept) run.notes.push(`the worktree is kept because ${kept.because}`);
  if (!run.isTaken) keepMeta(session, run, true);
  return agentResult(spec, outcome, {
    transcript: transcriptPath(session, spec),
    outputFile: run.outputFile,
    worktree: kept?.kept,
    notes: run.notes,
  });
}

function keepMeta(session: Session, { spec, isBackground }: RunHandle, finished: boolean): void {
  try {
    const path = session.paths.meta(spec.agentId);
    makePrivateDir(dirname(path));
    const { agentType, description = "", toolUseId, name } = spec;
    writeMeta(
      path,
      masked(
        {
          agentType,
          description,
          spawnDepth: 1,
          finished,
          background: isBackground,
          ...(toolUseId === undefined ? {} : { toolUseId }),
          ...(name === undefined ? {} : { name }),
        },
        session.secrets,
      ),
    );
  } catch {
    // A label beside the transcript; the transcript itself says everything that counts.
  }
}
