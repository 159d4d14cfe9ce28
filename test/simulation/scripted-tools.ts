// Tools that behave badly, and a log of every call that really ran.
import { readFileSync } from "node:fs";
import { errorResult, type Tool, type ToolResult } from "../../src/tool/tool.ts";
import type { Random } from "./random.ts";
import type { VirtualTime } from "./virtual-time.ts";
import { count, note, problem, step, type ProcessLife, type World } from "./world.ts";

type Act = (
  random: Random,
  pause: VirtualTime["pause"],
  signal: AbortSignal,
) => Promise<ToolResult>;

const done: ToolResult = { content: "done" };
// A promise of its own each time: one for all would hold on to every world that ever waited for it.
const never = (): Promise<ToolResult> => new Promise(() => undefined);

const acts: Record<string, { readOnly: boolean; act: Act }> = {
  look: {
    readOnly: true,
    act: async (random, pause) => (await pause(random.int(20)), { content: "what was there" }),
  },
  mark: { readOnly: false, act: async () => done },
  slow: {
    readOnly: false,
    act: async (random, pause, signal) => (await pause(random.int(5_000), signal), done),
  },
  wait: {
    readOnly: false,
    act: async (_random, pause, signal) => (
      await pause(1_200_000, signal),
      signal.aborted ? errorResult("interrupted") : done
    ),
  },
  deaf: {
    readOnly: false,
    act: async (random, pause) => (random.chance(0.5) ? never() : (await pause(60_000), done)),
  },
  boom: { readOnly: false, act: async () => Promise.reject(new Error("boom")) },
  fail: { readOnly: false, act: async () => errorResult("it did not work") },
  big: {
    readOnly: true,
    act: async (random) => ({
      content: "y".repeat(
        random.weighted([
          [6, 500],
          [3, 5_000],
          [0.2, 300_000],
        ]),
      ),
    }),
  },
};

export const toolNames: readonly string[] = Object.keys(acts);

/** `transcriptOf` leads from a tool_use id to the file in which its call must already stand. */
export function scriptedTools(
  world: World,
  process: ProcessLife,
  transcriptOf: (toolUseId: string) => string | undefined,
): Tool[] {
  const random = world.random.fork(`tools ${process.number}`);
  return Object.entries(acts).map(([name, { readOnly, act }]) => ({
    name,
    description: `simulated: ${name}`,
    inputSchema: { type: "object", properties: { value: { type: "string" } }, required: ["value"] },
    readOnly,
    parse(input) {
      const value = (input as { value?: unknown } | null)?.value;
      return typeof value === "string"
        ? { ok: true, value: { value } }
        : { ok: false, problem: "value must be text" };
    },
    async execute(_input, context) {
      step(world, process, "tool called");
      if (!process.isAlive) return errorResult("a ghost");
      run(
        world,
        { toolUseId: context.toolUseId, tool: name, isSideEffect: !readOnly },
        transcriptOf(context.toolUseId),
      );
      step(world, process, "tool has run");
      const result = await act(random, world.time.pause, context.signal);
      step(world, process, "tool answers");
      return result;
    },
  }));
}

/** The effect. What must be on disk before it is looked for there. */
function run(
  world: World,
  call: { toolUseId: string; tool: string; isSideEffect: boolean },
  transcript: string | undefined,
): void {
  note(world, `tool ${call.tool} ${call.toolUseId}`);
  count(world, `tool:${call.tool}`);
  if (
    call.isSideEffect &&
    world.executions.some((one) => one.isSideEffect && one.toolUseId === call.toolUseId) &&
    !world.lostCalls.delete(call.toolUseId)
  )
    problem(world, `P7: ${call.toolUseId} ran twice`);
  world.executions.push(call);
  const life = world.agents[Number(/^toolu_(\d+)_/.exec(call.toolUseId)?.[1])]?.lives.at(-1);
  if (call.isSideEffect && life?.isRepairing && !life.isContested)
    problem(world, `${call.toolUseId} ran while a report was being put right`);
  const why = world.forbidden.get(call.toolUseId);
  if (why !== undefined) problem(world, `P10: ${call.toolUseId} ran although ${why}`);
  const lines =
    transcript === undefined
      ? []
      : readFileSync(transcript, "utf8")
          .split("\n")
          .filter((line) => line.includes(`"${call.toolUseId}"`));
  if (!lines.some((line) => line.startsWith('{"type":"assistant"')))
    problem(world, `P7: ${call.toolUseId} runs and its call is not on disk`);
  if (
    call.isSideEffect &&
    !lines.some(
      (line) =>
        line.includes('"subtype":"permission_decision"') && line.includes('"behavior":"allow"'),
    )
  )
    problem(world, `P7: ${call.toolUseId} runs and the decision is not on disk`);
}
