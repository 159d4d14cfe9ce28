// Hooks and a person that allow, refuse, change, hang and throw.
import { functionHook, type Hook, type HookOutput } from "../../src/hooks/hook.ts";
import type { HookEvent, HookInput } from "../../src/hooks/hook-event.ts";
import type { Asker, PermissionAnswer } from "../../src/manager/session/asker.ts";
import type { Random } from "./random.ts";
import { count, currentLife, step, type ProcessLife, type World } from "./world.ts";

const events: readonly HookEvent[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "SubagentStart",
  "PreCompact",
  "PostCompact",
];

/** Some of the events have a hook in this process; SubagentStop always has one, which counts. */
export function scriptedHooks(world: World, process: ProcessLife): Hook[] {
  const random = world.random.fork(`hooks ${process.number}`);
  const some = events.filter(() => random.chance(0.35));
  const plain = some.map((event) =>
    functionHook({
      event,
      timeoutMs: 2_000,
      run: (input) => answer(input, { world, process, random }),
    }),
  );
  return [
    ...plain,
    functionHook({
      event: "SubagentStop",
      timeoutMs: 2_000,
      run: (input) => atEnd(input, { world, process, random }),
    }),
  ];
}

type Place = { world: World; process: ProcessLife; random: Random };

async function answer(
  input: HookInput,
  { world, process, random }: Place,
): Promise<HookOutput | undefined> {
  step(world, process, "hook");
  if (!process.isAlive || world.isCalm) return undefined;
  const event = input.hook_event_name;
  const refused = (why: string): void =>
    void (event === "PreToolUse" && world.forbidden.set(input["tool_use_id"] as string, why));
  const specific = (output: NonNullable<HookOutput["hookSpecificOutput"]>): HookOutput => ({
    hookSpecificOutput: { hookEventName: event, ...output },
  });
  const act = random.weighted<() => HookOutput | undefined | Promise<HookOutput | undefined>>([
    [10, () => undefined],
    [1, async () => (await world.time.pause(random.int(1_500)), undefined)],
    [1, () => (refused("a hook refused it"), { decision: "block", reason: "a hook says no" })],
    [
      1,
      () =>
        event === "PreToolUse"
          ? specific({ updatedInput: { value: "changed by a hook" } })
          : undefined,
    ],
    [1, () => (event === "PreToolUse" ? specific({ permissionDecision: "allow" }) : undefined)],
    [1, () => specific({ additionalContext: "a hook adds this" })],
    [0.5, () => (refused("its hook hung"), world.time.pause(3_600_000).then(() => undefined))],
    [0.5, () => (refused("its hook threw"), Promise.reject(new Error("a broken hook")))],
  ]);
  count(world, `hook:${event}`);
  return act();
}

async function atEnd(
  input: HookInput,
  { world, process, random }: Place,
): Promise<HookOutput | undefined> {
  step(world, process, "end hook");
  if (!process.isAlive) return undefined;
  const life = currentLife(world, input["agent_id"] as string);
  if (life) life.ends += 1;
  if (world.isCalm) return undefined;
  return random.weighted<() => HookOutput | undefined | Promise<HookOutput | undefined>>([
    [10, () => undefined],
    [2, () => ({ decision: "block", reason: "go on, says a hook" })],
    [2, () => world.time.pause(random.int(1_900)).then(() => undefined)],
    [0.5, () => world.time.pause(3_600_000).then(() => undefined)],
    [0.5, () => Promise.reject(new Error("a broken hook"))],
  ])();
}

/** Nobody at all, or a person who may also never answer. */
export function scriptedAsker(world: World, process: ProcessLife): Asker | undefined {
  const random = world.random.fork(`person ${process.number}`);
  if (random.chance(0.5)) return undefined;
  return async (_question, signal) => {
    step(world, process, "person");
    if (!process.isAlive || world.isCalm) return "no";
    await world.time.pause(random.int(400), signal);
    return random.weighted<() => PermissionAnswer | Promise<PermissionAnswer>>([
      [4, () => "once"],
      [2, () => "session"],
      [2, () => "no"],
      [0.5, () => world.time.pause(3_600_000).then(() => "no")],
      [0.5, () => Promise.reject(new Error("the terminal is gone"))],
    ])();
  };
}
