// Fires one event: runs every matching hook once, in parallel, and combines their answers.
import { newMark } from "../process/mark.ts";
import { foldAnswers, type AnsweredHook, type FoldedAnswers } from "./fold-answers.ts";
import { hookLabel, type Hook } from "./hook.ts";
import type { HookInput } from "./hook-event.ts";
import { matchHooks, type RunnableHook } from "./matching/match-hooks.ts";
import { runCommandHook, type HookSurroundings } from "./run-command-hook.ts";
import { runFunctionHook } from "./run-function-hook.ts";

export type FiredEvent = { input: HookInput; hooks: readonly Hook[] } & Partial<
  Omit<HookSurroundings, "projectDir">
> & { projectDir?: string };

/** Never rejects. When it returns, no process of any hook is left. */
export async function runHooks({ input, hooks, ...given }: FiredEvent): Promise<FoldedAnswers> {
  const matching = matchHooks(hooks, input);
  if (matching.length === 0) return foldAnswers([]);
  const around: HookSurroundings = {
    projectDir: given.projectDir ?? input.cwd,
    environment: given.environment ?? process.env,
    mark: given.mark ?? newMark(),
    ...(given.settingsEnv === undefined ? {} : { settingsEnv: given.settingsEnv }),
    ...(given.signal === undefined ? {} : { signal: given.signal }),
  };
  return foldAnswers(await Promise.all(matching.map((hook) => runOne(hook, input, around))));
}

async function runOne(
  hook: RunnableHook,
  input: HookInput,
  around: HookSurroundings,
): Promise<AnsweredHook> {
  const started = performance.now();
  const answer =
    hook.type === "command"
      ? await runCommandHook(hook, input, around)
      : await runFunctionHook(hook, input, around.signal);
  return {
    label: hookLabel(hook),
    source: hook.source,
    durationMs: performance.now() - started,
    answer,
  };
}
