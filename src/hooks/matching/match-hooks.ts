// Finds the hooks that an event fires. Alone in its file, because every run needs this and few runs
// have hooks.
import type { CommandHook, FunctionHook, Hook } from "../hook.ts";
import { subjectOf, type HookInput } from "../hook-event.ts";

export type RunnableHook = CommandHook | FunctionHook;

/** The hooks that this input fires, in order; the same command or function runs once. */
export function matchHooks(hooks: readonly Hook[], input: HookInput): RunnableHook[] {
  const subject = subjectOf(input);
  const seen = new Set<unknown>();
  const matching: RunnableHook[] = [];
  for (const hook of hooks) {
    if (
      hook.type === "unsupported" ||
      hook.event !== input.hook_event_name ||
      !hook.matches(subject) ||
      hook.applies?.(input) === false
    )
      continue;
    const identity = hook.type === "command" ? JSON.stringify([hook.command, hook.args]) : hook.run;
    if (seen.has(identity)) continue;
    seen.add(identity);
    matching.push(hook);
  }
  return matching;
}
