// Fires an event of a run at its hooks, with Claude Code's input, and puts on record what they did.
import type { RunLog } from "../../../executors/catalog.ts";
import type { FoldedAnswers } from "../../../hooks/fold-answers.ts";
import {
  hookInput,
  type HookEvent,
  type HookFacts,
  type HookFields,
} from "../../../hooks/hook-event.ts";
import type { Hook } from "../../../hooks/hook.ts";
import { matchHooks } from "../../../hooks/matching/match-hooks.ts";
import type { Session } from "../../session/session.ts";
import type { RunHandle } from "../run-handle.ts";

/** Whose hooks they are, and where it is recorded what they did. */
export type FiringParts = { session: Session; run: RunHandle; log: RunLog };

/** Asked first where telling what happened takes making something of it. */
export const hasHooks = ({ session, run }: FiringParts): boolean =>
  session.hooks.hooksFor(run.spec.agentId).length > 0;

/** Fires an event for this run; undefined when no hook listens, which costs nothing. */
export function fire<E extends HookEvent>(
  parts: FiringParts,
  [event, fields]: [event: E, fields: HookFields[E]],
  until?: AbortSignal,
): Promise<FoldedAnswers> | undefined {
  const hooks = parts.session.hooks.hooksFor(parts.run.spec.agentId);
  if (hooks.length === 0) return undefined;
  const input = hookInput(event, hookFacts(parts), fields);
  return matchHooks(hooks, input).length === 0
    ? undefined
    : runAll(parts, { event, input, hooks, signal: until ?? parts.run.signal });
}

function hookFacts({ session, run: { spec } }: FiringParts): HookFacts {
  return {
    sessionId: session.id,
    transcriptPath: session.paths.main,
    cwd: spec.place.cwd,
    permissionMode: spec.policy.mode,
    ...(spec.isMain ? {} : { agentId: spec.agentId, agentType: spec.agentType }),
  };
}

async function runAll(
  { session, log }: FiringParts,
  {
    event,
    input,
    hooks,
    signal,
  }: {
    event: HookEvent;
    input: ReturnType<typeof hookInput>;
    hooks: readonly Hook[];
    signal: AbortSignal;
  },
): Promise<FoldedAnswers> {
  // Loaded by the first hook that fires: most runs have none.
  const { runHooks } = await import("../../../hooks/run-hooks.ts");
  const verdict = await runHooks({
    input,
    hooks,
    projectDir: session.root,
    environment: { ...session.env },
    settingsEnv: session.settingsEnv,
    ...(signal ? { signal } : {}),
  });
  for (const { hook, outcome, durationMs, detail } of verdict.runs)
    log.record({
      type: "hook-end",
      event,
      hook,
      outcome,
      durationMs: Math.round(durationMs),
      ...(detail === undefined ? {} : { detail }),
    });
  for (const message of [...verdict.warnings, ...verdict.systemMessages])
    log.signal({ type: "warning", message });
  return verdict;
}
