// Runs one function hook of the library by the rules of commands: a deadline, a checked answer; an
// exception denies.
import { errorText } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { answerOfOutput, failure, type HookAnswer } from "./hook-answer.ts";
import type { FunctionHook } from "./hook.ts";
import type { HookInput } from "./hook-event.ts";

/** Never rejects. The function gets a copy of the input: only `updatedInput` changes the call. */
export async function runFunctionHook(
  hook: FunctionHook,
  input: HookInput,
  signal?: AbortSignal,
): Promise<HookAnswer> {
  const event = input.hook_event_name;
  const timeoutMs = hook.timeoutMs ?? limits.hook.timeoutMs;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const both = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
  try {
    const answer = await Promise.race([aborted(both), call(hook, input, both)]);
    if (answer !== gaveUp) return answerOfOutput(event, answer);
    if (!deadline.signal.aborted)
      return failure(event, "the run was stopped before the hook answered");
    return failure(event, `the hook did not answer within ${timeoutMs / 1000} s`, "timeout");
  } catch (error) {
    return failure(event, `the hook failed: ${errorText(error).slice(0, 500)}`);
  } finally {
    clearTimeout(timer);
  }
}

const gaveUp = Symbol("gave up");

async function call(hook: FunctionHook, input: HookInput, signal: AbortSignal): Promise<unknown> {
  return hook.run(structuredClone(input), { signal });
}

function aborted(signal: AbortSignal): Promise<typeof gaveUp> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(gaveUp);
    else signal.addEventListener("abort", () => resolve(gaveUp), { once: true });
  });
}
