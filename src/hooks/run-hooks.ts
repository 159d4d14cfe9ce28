// Fires one event: every matching hook once, side by side, and one verdict from all of them.
import { newMark } from "../process/mark.ts";
import { foldAnswers, type AnsweredHook, type HookVerdict } from "./fold-answers.ts";
import { hookLabel, type Hook } from "./hook.ts";
import type { HookInput } from "./hook-event.ts";
import { matchHooks, type RunnableHook } from "./matching/match-hooks.ts";
import { runCommandHook, type HookSurroundings } from "./run-command-hook.ts";
import { runFunctionHook } from "./run-function-hook.ts";

export type FiredEvent = { input: HookInput; hooks: readonly Hook[] } & Partial<
  Omit<HookSurroundings, "projectDir">
> & { projectDir?: string };

/** Never rejects, and returns when no process of any hook is left. */
export async function runHooks({ input, hooks, ...given }: FiredEvent): Promise<HookVerdict> {
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
