// A run over the real session catalog whose process dies: what another process makes of it. Real
// tools, hooks, gate, verifier and transcripts; only the model is scripted.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createManager, type AgentManager } from "../src/app/create-manager.ts";
import type { ManagerOptions } from "../src/app/manager-options.ts";
import { runMainThread, settleMain, type MainRun } from "../src/app/main/run-main-thread.ts";
import { openSession } from "../src/app/session/open-session.ts";
import { functionHook } from "../src/hooks/hook.ts";
import { openManager } from "../src/manager/agents/open-manager.ts";
import type { AgentResult } from "../src/manager/session/agent-result.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { dyingProcess, type Death } from "./support/dying-process.ts";
import {
  brainModel,
  forever,
  type Brain,
  type BrainModel,
  type Say,
} from "./support/manager-bench.ts";

const session = "11111111-2222-4333-8444-555555555555";
const source = "one\ntwo\nthree\n";

/** Everything that outlives a process: the disk, and what the hooks and the model have been asked. */
type World = {
  project: TempProject;
  fired: string[];
  asked: number[];
  /** What the model was shown, in the order in which it was asked. */
  model: BrainModel;
};

const worlds: { project: TempProject }[] = [];
const managers: AgentManager[] = [];
afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.close();
  for (const { project } of worlds.splice(0)) project.remove();
});

const report = (row: string): string =>
  "## Edit Result\n\n### Status\nSUCCESS\n\n### Summary\nChanged a line.\n\n### Files Changed\n" +
  `- \`notes.txt\` - a line\n- \`log.txt\` - a line\n\n### Findings\n| ID | Issue | File:Line | Severity | Confidence |\n|---|---|---|---|---|\n${row}\n\n` +
  "### Confidence\n90 - read it\n\n### Verification Completed\n- [x] File References Valid\n\n### Next Steps\n1. none\n";

/** Read, Edit, a command, a report that does not hold, and the repaired one. */
const story =
  (project: TempProject): Brain =>
  ({ turn }) => {
    const path = project.path("notes.txt");
    const edit = { file_path: path, old_string: "two", new_string: "zwei" };
    const replies: Say[] = [
      { tools: [{ id: "t1", name: "Read", input: { file_path: path } }] },
      { tools: [{ id: "t2", name: "Edit", input: edit }] },
      { tools: [{ id: "t3", name: "Bash", input: { command: "echo ran >> log.txt" } }] },
      report("| QA-1 | `gone` is missing | `src/gone.js:3` | Important | 90 |"),
      report("| QA-1 | the line is German | `notes.txt:2` `zwei` | Important | 90 |"),
    ];
    // A message that comes after the answer is answered with the same report.
    return replies[turn - 1] ?? replies.at(-1)!;
  };

function newWorld(brain: (project: TempProject) => Brain = story): World {
  const project = tempProject({ "notes.txt": source });
  const asked: number[] = [];
  const think = brain(project);
  const model = brainModel((seen) => (asked.push(seen.turn), think(seen)));
  const world = { project, fired: [], asked, model };
  worlds.push(world);
  return world;
}

const events = ["PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop"] as const;

/** One process that runs agents of the session. */
function openProcess(
  { project, fired, model }: World,
  { death, steps, ...more }: { death?: Death; steps?: string[] } & ManagerOptions = {},
): AgentManager {
  const hooks = events.map((event) =>
    functionHook({
      event,
      run: (input) => {
        const id = "tool_use_id" in input ? ` ${input.tool_use_id as string}` : "";
        fired.push(`${event}${id}`);
        return event === "SubagentStart"
          ? { hookSpecificOutput: { hookEventName: event, additionalContext: "mind the gap" } }
          : undefined;
      },
    }),
  );
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] ?? "" },
    models: { "brain:one": model },
    model: "brain:one",
    watch: false,
    sessionId: session,
    permissions: { mode: "acceptEdits", allow: ["Bash(echo:*)"] },
    hooks,
    executor: dyingProcess(death, steps),
    ...more,
  });
  managers.push(manager);
  return manager;
}

const start = (manager: AgentManager, more: object = {}) =>
  manager.spawn({ description: "edit", prompt: "change a line", ...more });

type Line = { type: string; subtype?: string; seq?: number; [key: string]: unknown };

const linesOf = ({ transcript }: AgentResult): Line[] =>
  readFileSync(transcript, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

/** A message that only a resume brings, and what a call that was cut off leaves, are not compared. */
const factsOf = (result: AgentResult): string[] =>
  linesOf(result)
    .filter((line) => line.seq !== undefined)
    .filter((line) => line.subtype !== "interrupted" && !JSON.stringify(line).includes("go on now"))
    .map(({ type, subtype }) => subtype ?? type);

/** Lives until it dies, then goes on in a new process. */
async function dieAndGoOn(world: World, death: Death): Promise<AgentResult | undefined> {
  const first = openProcess(world, { death });
  const run = start(first);
  expect(await run.done).toMatchObject({ state: "stopped", reason: "moved" });
  const second = openProcess(world);
  try {
    return await second.resume(run.id, "go on now").done;
  } catch (error) {
    // It died before its first line: there is no such run, and nothing was done.
    expect(String(error)).toContain(run.id);
    return undefined;
  }
}

/** The whole story without a crash, once. */
async function whole(): Promise<{ result: AgentResult; steps: string[]; world: World }> {
  const world = newWorld();
  const steps: string[] = [];
  const result = await start(openProcess(world, { steps })).done;
  return { result, steps, world };
}

/** What the verifier found, without what names the one run. */
const verdict = ({ verification }: AgentResult) => {
  const { trust, outcome, decision, counts, undeclared, repair, checks } = verification ?? {};
  return { trust, outcome, decision, counts, undeclared, repair, checks: checks?.length };
};

const repeated = (list: readonly unknown[]): unknown[] =>
  list.filter((item, index) => list.indexOf(item) !== index);

describe("a process dies at a step, and another goes on", () => {
  test("at every step: nothing is repeated, nothing is lost, and the report is judged the same", async () => {
    const { result: expected, steps, world: calm } = await whole();
    expect(expected).toMatchObject({ state: "completed", verification: { trust: "VERIFIED" } });
    expect(steps).toContain("before");
    expect(steps.filter((step) => step.startsWith("end/"))).toHaveLength(2);
    // What a process leaves on disk before it keeps a step is what it left after the one before,
    // but for what the step itself has done: that is tried once for each kind of step.
    const done = [
      "mail/1",
      "reply/1",
      "gate/t2",
      "tool/t1",
      "tool/t2",
      "tool/t3",
      "end/1",
      "end/2",
    ];
    const deaths: Death[] = [
      ...steps.map((step): Death => ({ step, when: "after" })),
      ...done.map((step): Death => ({ step, when: "before" })),
    ];
    for (const death of deaths) await judgeDeath(death, { expected, fired: calm.fired });
  }, 180_000);
});

/** Calls that were let through and of which no result was kept: they are told, and not made again. */
const cut: readonly string[] = [
  "after gate/t2",
  "before tool/t2",
  "after gate/t3",
  "before tool/t3",
];

async function judgeDeath(
  death: Death,
  { expected, fired }: { expected: AgentResult; fired: string[] },
): Promise<void> {
  const at = `${death.when} ${death.step}`;
  const world = newWorld();
  const result = await dieAndGoOn(world, death);
  expect(result === undefined, at).toBe(death.step === "open");
  if (!result) return expect(world.asked, at).toEqual([]);
  expect(result.state, at).toBe("completed");
  const lines = linesOf(result).filter(({ seq }) => seq !== undefined);
  expect(
    lines.map(({ seq }) => seq),
    at,
  ).toEqual(lines.map((_, index) => index + 1));
  // Of replies and hooks only the one repeats that was done and could not be kept.
  const lost = death.when === "before" ? 1 : 0;
  expect(repeated(world.asked).length, at).toBeLessThanOrEqual(lost);
  const twice = repeated(world.fired).filter((name) => !repeated(fired).includes(name));
  expect(twice.length, at).toBeLessThanOrEqual(lost);
  expect(
    twice.filter((name) => name === "PostToolUse t2" || name === "PostToolUse t3"),
    at,
  ).toEqual([]);
  const ran = existsSync(world.project.path("log.txt")) ? world.project.read("log.txt") : "";
  const isCut = cut.includes(at);
  expect(
    linesOf(result).some(({ subtype }) => subtype === "interrupted"),
    at,
  ).toBe(isCut);
  if (isCut) return expect(["", "ran\n"], at).toContain(ran);
  expect(ran, at).toBe("ran\n");
  expect(world.project.read("notes.txt"), at).toBe("one\nzwei\nthree\n");
  // Up to the first report: a message that came after the last mail is answered before the repair.
  const awaited = factsOf(expected);
  awaited.length = awaited.findLastIndex((type) => type === "permission_decision") + 3;
  const told = factsOf(result);
  expect(told.slice(0, awaited.length), at).toEqual(awaited);
  expect(told.at(-1), at).toBe("run_end");
  expect(new Set(world.fired), at).toEqual(new Set(fired));
  const { repair: _once, ...found } = verdict(expected);
  expect(verdict(result), at).toMatchObject(found);
}

/** A story of a few replies, by their number. */
const replies =
  (...said: ((project: TempProject) => Say)[]) =>
  (project: TempProject): Brain =>
  ({ turn }) =>
    said[turn - 1]?.(project) ?? "The task is finished as it was given.";

const read = (id: string) => (project: TempProject) => ({
  tools: [{ id, name: "Read", input: { file_path: project.path("notes.txt") } }],
});
const edit = (id: string) => (project: TempProject) => ({
  tools: [
    {
      id,
      name: "Edit",
      input: { file_path: project.path("notes.txt"), old_string: "two", new_string: "zwei" },
    },
  ],
});
const free = { contract: "none" as const };

describe("eight things that a replay must get right", () => {
  test("1, 2: a resume after the end shows the model all that was said, and leaves a second life on record", async () => {
    const world = newWorld(replies(read("t1")));
    const first = openProcess(world, free);
    const run = start(first);
    await run.done;
    const result = await openProcess(world, free).resume(run.id, "and now?").done;
    expect(result.state).toBe("completed");
    expect(world.model.requests.at(-1)!.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    const lives = linesOf(result).filter(({ subtype }) => subtype === "spawn");
    const ends = linesOf(result).filter(({ subtype }) => subtype === "run_end");
    expect(lives.map(({ runId }) => runId)).toEqual(ends.map(({ runId }) => runId));
    expect(new Set(lives.map(({ runId }) => runId)).size).toBe(2);
  });

  test("3, 4, 5: hooks fire once for each call, and no reply and no end is lost", async () => {
    const world = newWorld(replies(read("t1"), edit("t2")));
    const run = start(openProcess(world, { ...free, death: { step: "mail/3", when: "after" } }));
    await run.done;
    const result = await openProcess(world, free).resume(run.id, "go on now").done;
    expect(world.fired.filter((name) => name.startsWith("PostToolUse"))).toEqual([
      "PostToolUse t1",
      "PostToolUse t2",
    ]);
    const lines = linesOf(result);
    // Three of the task, and one to the message of the resume, which came after its last mail.
    expect(lines.filter(({ type }) => type === "assistant")).toHaveLength(4);
    expect(lines.at(-1)).toMatchObject({ subtype: "run_end", outcome: { state: "completed" } });
    expect(result.metrics).toMatchObject({ tool_uses: 2, tokens_used: 480 });
  });

  test("6: a file that was read before the crash can be edited after it", async () => {
    const world = newWorld(replies(read("t1"), edit("t2")));
    const run = start(openProcess(world, { ...free, death: { step: "reply/2", when: "after" } }));
    await run.done;
    await openProcess(world, free).resume(run.id, "go on now").done;
    expect(world.project.read("notes.txt")).toBe("one\nzwei\nthree\n");
  });

  test("7: the tree before the run is the one that the first process saw", async () => {
    const silent = () =>
      report("| QA-1 | first | `notes.txt:1` `one` | Minor | 90 |").replace(/- `log[^\n]+\n/, "");
    const write = (project: TempProject) => ({
      tools: [
        { id: "t1", name: "Bash", input: { command: `echo x > ${project.path("log.txt")}` } },
      ],
    });
    const world = newWorld(replies(write, read("t2"), silent, silent));
    const run = start(openProcess(world, { death: { step: "tool/t1", when: "after" } }));
    await run.done;
    const result = await openProcess(world).resume(run.id, "go on now").done;
    expect(result.verification?.undeclared).toMatchObject([{ path: "log.txt", change: "created" }]);
  });

  test("8: the deadline goes on where the first process left it", async () => {
    const limits = { ...free, limits: { timeoutMs: 2_400 } };
    const world = newWorld(() => async ({ turn, signal }) => {
      if (turn > 1) return forever(signal);
      await sleep(1_600);
      return { tools: [{ id: "t1", name: "Glob", input: { pattern: "*.md" } }] };
    });
    const run = start(openProcess(world, { ...limits, death: { step: "reply/1", when: "after" } }));
    await run.done;
    // Nobody is made to hurry by a pause between two processes.
    await sleep(900);
    const second = openProcess(world, limits);
    const began = performance.now();
    const result = await second.resume(run.id, "go on now").done;
    expect(result).toMatchObject({ state: "failed", reason: "timeout" });
    expect(world.asked).toEqual([1, 2]);
    expect(performance.now() - began).toBeLessThan(2_200);
  });
});

test("a process that dies twice, and once while it replays, repeats nothing", async () => {
  const world = newWorld();
  const run = start(openProcess(world, { death: { step: "gate/t3", when: "before" } }));
  await run.done;
  for (const death of [
    { step: "gate/t3", when: "after" },
    { step: "reply/4", when: "before" },
    { step: "end/1", when: "after" },
  ] as const)
    await openProcess(world, { death }).resume(run.id, "go on now").done;
  const result = await openProcess(world).resume(run.id, "go on now").done;
  // The command was cut before it ran and is not repeated, so that the report tells a file that is not there.
  expect(result).toMatchObject({
    state: "completed",
    verification: {
      objections: [
        { class: "deed refused and not there", text: expect.stringContaining("log.txt") },
      ],
    },
  });
  expect(repeated(world.asked)).toEqual([4]);
});

test("what was answered for the session holds in the next process, and nobody is asked twice", async () => {
  const shell = (id: string) => () => ({
    tools: [{ id, name: "Bash", input: { command: "touch asked.txt" } }],
  });
  const world = newWorld(replies(shell("t1"), shell("t2")));
  const questions: unknown[] = [];
  const ask = async (question: unknown) => (questions.push(question), "session" as const);
  const options = { ...free, ask, permissions: { mode: "default" as const } };
  const run = start(openProcess(world, { ...options, death: { step: "tool/t1", when: "after" } }));
  await run.done;
  const result = await openProcess(world, options).resume(run.id, "go on now").done;
  expect(result).toMatchObject({ state: "completed", permission_denials: [] });
  expect(questions).toHaveLength(1);
});

test("no secret reaches the journal, and the journal is gone with the run's end", async () => {
  const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const world = newWorld(replies(read("t1")));
  world.project.write("notes.txt", `token ${token}\n`);
  const first = openProcess(world, { ...free, death: { step: "tool/t1", when: "after" } });
  const run = start(first);
  const { transcript } = await run.done;
  const journal = join(dirname(dirname(transcript)), "journals", `${run.id}.jsonl`);
  expect(readFileSync(journal, "utf8")).not.toContain(token);
  expect(statSync(journal).mode & 0o777).toBe(0o600);
  await openProcess(world, free).resume(run.id, "go on now").done;
  expect(existsSync(journal)).toBe(false);
});

describe("a main thread and the agent that it waits for", () => {
  const brain = (project: TempProject): Brain => {
    const child = replies(read("c1"), edit("c2"))(project);
    const handOver = { description: "edit", prompt: "change a line", subagent_type: "worker" };
    return (seen) => {
      if (seen.prompt.includes("change a line")) return child(seen);
      return seen.turn === 1
        ? { tools: [{ id: "m1", name: "Agent", input: handOver }] }
        : "all done";
    };
  };

  /** One process with the main thread. */
  async function runMain(world: World, death?: Death): Promise<MainRun> {
    const { project, model } = world;
    const opened = openSession({
      cwd: project.root,
      env: { HOME: project.home, PATH: process.env["PATH"] ?? "" },
      sessionId: session,
      models: { "brain:one": model },
      mode: "acceptEdits",
      contract: "none",
      agents: { worker: { description: "works", prompt: "You work." } },
    });
    const agentId = "a00000000000000aa";
    const input = { prompt: "begin", model: "brain:one", limits: {}, agentId };
    const spec = await settleMain(opened, input);
    const parent = { policy: spec.policy, model: spec.model };
    const manager = openManager(opened.session, { parent, executor: dyingProcess(death) });
    try {
      const signal = new AbortController().signal;
      return await runMainThread(opened, spec, { signal, manager });
    } finally {
      await manager.close();
      await opened.close();
    }
  }

  test.each(["reply/2", "tool/c2", "end/1", "ended"])(
    "die together after %s of the agent: the call is made again, the agent goes on, and no second one starts",
    async (step) => {
      const world = newWorld(brain);
      const first = await runMain(world, { step, when: "after" });
      expect(first.outcome).toMatchObject({ reason: "moved" });
      const second = await runMain(world);
      expect(second.outcome).toMatchObject({ state: "completed", content: "all done" });
      expect(world.project.read("notes.txt")).toBe("one\nzwei\nthree\n");
      const folder = join(first.transcript.replace(/\.jsonl$/, ""), "subagents");
      expect(readdirSync(folder).filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
      // Two replies of the parent and three of the agent, each asked for once.
      expect(world.asked).toHaveLength(5);
    },
  );
});
