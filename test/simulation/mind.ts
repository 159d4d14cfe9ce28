// The language model of one agent: does whatever models and providers do on a bad day, and looks at every request it is shown.
import type { AssistantBlock } from "../../src/model/message.ts";
import type {
  FailureKind,
  Model,
  ModelCall,
  ModelRequest,
  ModelResult,
  StopReason,
} from "../../src/model/model.ts";
import type { Manager } from "../../src/manager/agents/manager.ts";
import { requestFaults } from "./check-request.ts";
import type { Random } from "./random.ts";
import {
  count,
  note,
  problem,
  step,
  type Agent,
  type AgentLife,
  type LastWord,
  type ProcessLife,
  type World,
} from "./world.ts";

/** Stands in the prompt of every simulated agent, and in no request for a summary. */
export const agentMark = "SIMULATED AGENT";

const kinds: readonly FailureKind[] = [
  "rate_limit",
  "overloaded",
  "server",
  "network",
  "timeout",
  "malformed",
  "auth",
  "invalid_request",
];

type Mood =
  | "answer"
  | "calls"
  | "failure"
  | "overflow"
  | "empty"
  | "blank"
  | "cut"
  | "cut calls"
  | "window calls"
  | "refusal"
  | "pause"
  | "huge"
  | "invalid"
  | "repeat"
  | "twice"
  | "unknown tool"
  | "odd input";

const moods: readonly (readonly [number, Mood])[] = [
  [8, "answer"],
  [30, "calls"],
  [2, "failure"],
  [2, "overflow"],
  [2, "empty"],
  [1, "blank"],
  [2, "cut"],
  [2, "cut calls"],
  [1, "window calls"],
  [1, "refusal"],
  [1, "pause"],
  [0.4, "huge"],
  [2, "invalid"],
  [3, "repeat"],
  [1, "twice"],
  [1, "unknown tool"],
  [1, "odd input"],
];

/** Survives its process: the provider does not die with the caller. */
export type Mind = {
  agent: Agent;
  random: Random;
  turns: number;
  calls: number;
  ids: string[];
  isPaused: boolean;
  wasCut: boolean;
};

export const newMind = (world: World, agent: Agent): Mind => ({
  agent,
  random: world.random.fork(`mind ${agent.index}`),
  turns: 0,
  calls: 0,
  ids: [],
  isPaused: false,
  wasCut: false,
});

/** The manager that asks, once it is there. */
export type Voice = { manager?: Manager };

export function modelOf(
  world: World,
  process: ProcessLife,
  { mind, voice }: { mind: Mind; voice: Voice },
): Model {
  const contextWindow = 12_000 + (mind.agent.index % 3) * 20_000;
  return {
    name: mind.agent.model,
    contextWindow,
    maxOutputTokens: 2_000,
    takesImages: false,
    takesDocuments: false,
    hasWebSearch: false,
    send: (request, call) => send(request, call, { world, process, mind, voice, contextWindow }),
  };
}

type Place = {
  world: World;
  process: ProcessLife;
  mind: Mind;
  voice: Voice;
  contextWindow: number;
};

async function send(request: ModelRequest, call: ModelCall, place: Place): Promise<ModelResult> {
  const { world, process, mind, voice } = place;
  const aborted: ModelResult = { ok: false, failure: { kind: "aborted", message: "aborted" } };
  if (!process.isAlive) return aborted;
  const isSummary = !request.system.includes(agentMark);
  const life = mind.agent.lives.findLast(({ manager }) => manager === voice.manager);
  look(request, isSummary, place);
  step(world, process, "model asked");
  await world.time.pause(latency(mind.random, world), call.signal);
  step(world, process, "model answers");
  if (!process.isAlive || call.signal.aborted) return aborted;
  if (isSummary) return summary(world, mind.random);
  mind.turns += 1;
  const result = world.isCalm ? say("all done", "end_turn") : reply(request, place);
  if (life) remember(life, result);
  if (result.ok) call.onDelta?.({ kind: "text", text: "…" });
  return result;
}

function look(request: ModelRequest, isSummary: boolean, { world, mind }: Place): void {
  const { agent } = mind;
  for (const fault of requestFaults(request.messages, { mayEndWithAssistant: mind.isPaused }))
    problem(world, `P8: agent ${agent.index}: ${fault}`);
  if (isSummary) return count(world, "summary");
  const tools = request.tools.map((tool) => tool.name);
  for (const tool of tools)
    if (!agent.firstTools?.includes(tool))
      problem(world, `P9: agent ${agent.index} was given ${tool} after a resume`);
}

function latency(random: Random, world: World): number {
  if (world.isCalm) return 1;
  // Now and then longer than any deadline.
  return random.weighted([
    [10, () => random.int(50)],
    [3, () => random.int(3_000)],
    [0.3, () => 3_600_000],
  ])();
}

function summary(world: World, random: Random): ModelResult {
  if (!world.isCalm && random.chance(0.2))
    return { ok: false, failure: { kind: "server", message: "no summary today" } };
  return say(!world.isCalm && random.chance(0.1) ? "" : "what happened so far", "end_turn");
}

function reply(request: ModelRequest, place: Place): ModelResult {
  const { world, mind } = place;
  const { random } = mind;
  const names = request.tools.map((tool) => tool.name);
  const forgotten = ranOutOfSight(request, place);
  // A long life comes to an end some time; what a summary took out of sight is asked for once more before that.
  const mood: Mood =
    mind.wasCut && random.chance(0.5)
      ? random.pick(["empty", "blank", "cut", "answer", "pause"])
      : forgotten.length > 0 && random.chance(0.5)
        ? "repeat"
        : random.chance(mind.turns / 60)
          ? "answer"
          : random.weighted(moods);
  if (mood === "repeat" && forgotten.length > 0) count(world, "repeat of what a summary took");
  count(world, `model:${mood}`);
  note(world, `agent ${mind.agent.index} model: ${mood}`);
  if (mood !== "failure" && mood !== "overflow") mind.isPaused = mood === "pause";
  mind.wasCut = mood === "cut" || (mind.wasCut && (mood === "empty" || mood === "blank"));
  // A conversation that has something to lose is summarised more often.
  const usage = random.chance(mind.calls > 2 ? 0.35 : 0.1)
    ? place.contextWindow
    : random.int(3_000);
  const calls = (howMany = 1 + random.int(3)): AssistantBlock[] =>
    Array.from({ length: howMany }, () => use(mind, names));
  const say1 = (
    content: AssistantBlock[],
    stop: StopReason,
    invalid?: Record<string, string>,
  ): ModelResult => withUsage(content, { stop, invalid, usage });
  const text = (words: string): AssistantBlock => ({ type: "text", text: words });
  switch (mood) {
    case "answer":
      return say1(
        [text(answer(random, `answer ${mind.turns} of ${mind.agent.index} \u{1f642}`))],
        random.chance(0.1) ? "stop_sequence" : "end_turn",
      );
    case "failure":
      return {
        ok: false,
        failure: {
          kind: random.pick(kinds),
          message: "injected",
          ...(random.chance(0.3) ? { partialText: "the beginning of" } : {}),
        },
      };
    case "overflow":
      return { ok: false, failure: { kind: "overflow", message: "prompt is too long" } };
    case "empty":
      return say1([], "end_turn");
    case "blank":
      return say1([text(" \n")], "end_turn");
    case "cut":
      return say1([text("a text that was cut in the mid")], "max_tokens");
    case "cut calls":
    case "window calls": {
      const content = calls();
      forbid(world, content.at(-1)!, spoiledReasons[0]);
      return say1(content, mood === "cut calls" ? "max_tokens" : "model_context_window_exceeded");
    }
    case "refusal":
      return say1([text("I would rather not.")], "refusal");
    case "pause":
      return say1([text("one moment")], "pause_turn");
    case "huge":
      return say1(
        [text("x".repeat(random.pick([40_000, 270_000]))), ...(random.chance(0.5) ? calls(1) : [])],
        "end_turn",
      );
    case "unknown tool":
      return say1([use(mind, ["NoSuchTool"])], "tool_use");
    default:
      return say1(...spoiled(mood, { world, mind, content: calls(), request, forgotten }));
  }
}

/** Words, or a report of which something holds, can be put right or is wrong. */
function answer(random: Random, words: string): string {
  if (random.chance(0.6)) return words;
  const places = [
    "`notes.md:2` `second line`",
    "`notes.md:1` `third line`",
    "`missing.md:7`",
    "`notes.md:99`",
  ].filter(() => random.chance(0.5));
  const rows = places.map(
    (place, index) => `| QA-${index} | it is so | ${place} | Important | 90 |`,
  );
  const table = [
    "| ID | Issue | File:Line | Severity | Confidence |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
  return `## Explore Result\n\n### Status\nSUCCESS\n\n### Summary\n${words}\n\n### Findings\n${table}\n\n### Confidence\n95 - read it\n- verified_confidence: 95\n- inferred_confidence: 95\n\n### Next Steps\n1. none\n`;
}

const spoiledReasons = ["it was cut", "its input was no JSON", "its input was wrong"] as const;

/** Calls, as they are or with something wrong about them. */
function spoiled(
  mood: Mood,
  {
    world,
    mind,
    content,
    request,
    forgotten,
  }: {
    world: World;
    mind: Mind;
    content: AssistantBlock[];
    request: ModelRequest;
    forgotten: readonly string[];
  },
): [AssistantBlock[], StopReason, Record<string, string>?] {
  const [first] = content;
  if (first?.type !== "tool_use" || mood === "calls") return [content, "tool_use"];
  if (mood === "invalid") {
    forbid(world, first, spoiledReasons[1]);
    return [content, "tool_use", { [first.id]: "the input is no JSON object" }];
  }
  if (mood === "repeat" && mind.ids.length > 0) {
    const known = forgotten.length > 0 ? forgotten : mind.ids;
    const id = mind.random.pick(mind.random.chance(0.5) ? known.slice(0, 4) : known);
    // A whole call under the id of one that never ran and is not in sight, since a summary took it away or its reply never reached the disk: that one may run.
    if (
      !JSON.stringify(request.messages).includes(`"${id}"`) &&
      (spoiledReasons as readonly string[]).includes(world.forbidden.get(id) ?? "")
    )
      world.forbidden.delete(id);
    return [[{ ...first, id }], "tool_use"];
  }
  if (mood === "twice") return [[...content, { ...first }], "tool_use"];
  forbid(world, first, spoiledReasons[2]);
  return [
    [{ ...first, input: mind.random.pick([null, "text", 7, [], {}, { value: 3 }]) }],
    "tool_use",
  ];
}

/** Ids of its calls that changed something and that it is not shown any more: only a record of used ids keeps these from running again. */
function ranOutOfSight({ messages }: ModelRequest, { world, mind }: Place): string[] {
  const shown = JSON.stringify(messages);
  return mind.ids.filter(
    (id) =>
      !shown.includes(`"${id}"`) &&
      world.executions.some((one) => one.isSideEffect && one.toolUseId === id),
  );
}

function use(mind: Mind, names: readonly string[]): AssistantBlock {
  const id = `toolu_${mind.agent.index}_${++mind.calls}`;
  mind.ids.push(id);
  return {
    type: "tool_use",
    id,
    name: names.length === 0 ? "NoSuchTool" : mind.random.pick(names),
    input: {
      value: mind.random.chance(0.4) ? `${mind.calls} long words `.repeat(600) : `v${mind.calls}`,
    },
  };
}

function forbid(world: World, block: AssistantBlock, why: string): void {
  if (block.type === "tool_use") world.forbidden.set(block.id, why);
}

const say = (text: string, stop: StopReason): ModelResult =>
  withUsage([{ type: "text", text }], { stop, usage: 100 });

function withUsage(
  content: AssistantBlock[],
  {
    stop,
    usage,
    invalid,
  }: { stop: StopReason; usage: number; invalid?: Record<string, string> | undefined },
): ModelResult {
  return {
    ok: true,
    reply: {
      model: "simulated",
      content,
      stop_reason: stop,
      usage: {
        input_tokens: usage,
        output_tokens: 10,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
      ...(invalid ? { invalid_inputs: invalid } : {}),
    },
  };
}

function remember(life: AgentLife, result: ModelResult): void {
  const begun = life.lastWord?.kind === "cut" ? life.lastWord.text : "";
  // The same question comes again, with less before it.
  if (!result.ok && result.failure.kind === "overflow" && begun !== "") return;
  if (!result.ok) return void (life.lastWord = { kind: "failure", text: "" });
  const { content, stop_reason } = result.reply;
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const hasCalls = content.some((block) => block.type === "tool_use");
  const kind: LastWord["kind"] = hasCalls
    ? "calls"
    : stop_reason === "refusal"
      ? "refusal"
      : stop_reason === "pause_turn"
        ? "paused"
        : stop_reason === "max_tokens" || stop_reason === "model_context_window_exceeded"
          ? "cut"
          : text.trim() === ""
            ? "nothing"
            : "answer";
  // After a pause the answer goes on where it was cut.
  if (kind === "paused" && begun !== "") return;
  if (kind === "answer") {
    life.answers.push(begun + text);
    life.isRepairing = false;
  }
  life.lastWord = { kind, text: kind === "cut" || kind === "answer" ? begun + text : text };
}
