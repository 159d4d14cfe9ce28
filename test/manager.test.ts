import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test } from "vitest";
import { RetinueError } from "../src/base/errors.ts";
import type { RunLimits } from "../src/events/run-spec.ts";
import { functionHook } from "../src/hooks/hook.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import {
  brainModel,
  forever,
  managerBench,
  task,
  type Bench,
  type Brain,
} from "./support/manager-bench.ts";

let bench: Bench;
const open = (brain: Brain, options: Parameters<typeof managerBench>[1] = {}): Bench =>
  (bench = managerBench(brain, options));
afterEach(() => bench.close());

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heap = (): number => (collect(), process.memoryUsage().heapUsed / 1024 / 1024);

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "nothing was thrown";
  } catch (error) {
    return error instanceof RetinueError ? `${error.code}: ${error.message}` : String(error);
  }
};

describe("spawn", () => {
  test("gives the run before its first event, and one result", async () => {
    const { manager } = open(() => "done");
    const run = manager.spawn(task("go"));
    const heard: string[] = [];
    for await (const event of run.events()) heard.push(event.type);
    expect(heard[0]).toBe("run-start");
    expect(heard.filter((type) => type === "run-end")).toHaveLength(1);
    expect(await run.done).toMatchObject({
      agent_id: run.id,
      agent_type: "worker",
      state: "completed",
      content: "done",
      metrics: { tokens_used: 120, tool_uses: 0 },
      permission_denials: [],
    });
    expect(manager.list()).toEqual([]);
  });

  test.each([
    [
      "an unknown type",
      { subagent_type: "wroker" },
      "unknown_agent: unknown subagent_type: wroker. Did you mean worker?",
    ],
    ["an empty type", { subagent_type: "" }, "unknown_agent: unknown subagent_type: "],
    [
      "a name of the prototype",
      { subagent_type: "constructor" },
      "unknown_agent: unknown subagent_type: constructor",
    ],
    ["a denied type", { subagent_type: "Explore" }, "denied: agent Explore may not be started"],
    ["an empty prompt", { prompt: " " }, "usage: the prompt is empty"],
    ["a wrong mode", { mode: "yolo" }, "usage: "],
    [
      "a type that is no text",
      { subagent_type: ["worker"] },
      "usage: this agent cannot be started: subagent_type",
    ],
    [
      "an agent to resume that there is none of",
      { resume: "a0123456789abcdef" },
      "unknown_task: unknown task_id: a0123456789abcdef",
    ],
    [
      "a worktree outside of a repository",
      { isolation: "worktree" },
      "usage: isolation: worktree needs a git repository",
    ],
  ])("refuses %s", (_name, more, words) => {
    const { manager } = open(() => "done", { permissions: { deny: ["Task(Explore)"] } });
    expect(codeOf(() => manager.spawn(task("go", more)))).toContain(words);
    expect(manager.list()).toEqual([]);
  });

  test("a definition that is written while the manager is open can be started, and its edit is used by the next run", async () => {
    const { manager, model, project } = open(() => "done", {
      files: { ".claude/agents/.keep": "" },
      watch: true,
      trust: true,
    });
    const write = (words: string): void =>
      project.write(
        ".claude/agents/late.md",
        `---\nname: late\ndescription: came later\ntools: Read\n---\n${words}\n`,
      );
    const known = (): boolean => manager.listAgentInfo().some(({ name }) => name === "late");
    // The watcher may still be starting: a file is written until it is heard of.
    await expect
      .poll(() => (write("You are the first."), known()), { timeout: 20_000, interval: 400 })
      .toBe(true);
    await manager.spawn(task("go", { subagent_type: "late" })).done;
    expect(model.requests[0]!.system).toContain("You are the first.");
    write("You are the second.");
    await expect
      .poll(
        async () => (
          await manager.spawn(task("go", { subagent_type: "late" })).done,
          model.requests.at(-1)!.system
        ),
        { timeout: 20_000, interval: 200 },
      )
      .toContain("You are the second.");
  });

  test("refuses tools that come to nothing, and takes an empty list as a wish", async () => {
    const { manager, model } = open(() => "done", {
      agents: {
        typo: { description: "d", prompt: "p", tools: ["Raed"] },
        bare: { description: "d", prompt: "p", tools: [] },
      },
    });
    expect(codeOf(() => manager.spawn(task("go", { subagent_type: "typo" })))).toMatch(
      /^no_tools: .*Raed: did you mean Read\?/,
    );
    await manager.spawn(task("go", { subagent_type: "bare" })).done;
    expect(model.requests[0]!.tools).toEqual([]);
  });

  test("a failed run is failed, whatever failed", async () => {
    const { manager } = open(() => {
      throw new Error("boom");
    });
    expect(await manager.spawn(task("go")).done).toMatchObject({
      state: "failed",
      reason: "error",
      error: expect.stringContaining("boom") as string,
    });
  });

  test("a run that cannot open its transcript fails with its reason, and its place is free again", async () => {
    const { manager } = open(() => "done", {
      transcriptDir: "/proc/nowhere",
      limits: { maxConcurrent: 1 },
    });
    expect(await manager.spawn(task("go")).done).toMatchObject({ state: "failed" });
    expect(await manager.spawn(task("go")).done).toMatchObject({ state: "failed" });
  });

  test("turns: the smallest of input, definition and settings", async () => {
    const { manager } = open(() => ({ tools: [{ name: "Glob", input: { pattern: "*" } }] }), {
      agents: { short: { description: "d", prompt: "p", maxTurns: 3 } },
      limits: { maxTurns: 5 },
    });
    const turns = async (more: Record<string, unknown>): Promise<number> =>
      (await manager.spawn(task("go", more)).done).metrics.tool_uses;
    expect([
      await turns({ max_turns: 2 }),
      await turns({ max_turns: 9_999 }),
      await turns({ subagent_type: "short", max_turns: 9_999 }),
    ]).toEqual([2, 5, 3]);
  });

  test("content over 32,000 characters is its beginning and a pointer", async () => {
    const { manager } = open(() => "x".repeat(40_000));
    const { content, transcript } = await manager.spawn(task("go")).done;
    expect(content.length).toBeLessThan(33_000);
    expect(content.endsWith(`[8000 more characters: ${transcript}]`)).toBe(true);
  });
});

describe("the limit", () => {
  test("100 at once with a limit of 10: ten start, ninety are told why, and every place comes back", async () => {
    let release!: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { manager } = open(async () => (await gate, "done"));
    const runs = [];
    const refusals: string[] = [];
    for (let n = 0; n < 100; n++) {
      try {
        runs.push(manager.spawn(task(`task ${n}`)));
      } catch (error) {
        refusals.push((error as RetinueError).message);
      }
    }
    expect([runs.length, refusals.length]).toEqual([10, 90]);
    for (const message of refusals)
      expect(message).toMatch(/^max concurrent agents reached \(10\): /);
    for (const { id } of runs) expect(refusals[0]).toContain(id);
    release();
    expect(
      (await Promise.all(runs.map((run) => run.done))).every(({ state }) => state === "completed"),
    ).toBe(true);
    expect(manager.list()).toEqual([]);
    expect((await manager.spawn(task("one more")).done).state).toBe("completed");
  });

  test("1,000 runs leave no place taken and the heap flat", async () => {
    const project = tempProject();
    mkdirSync(join(project.home, ".claude"));
    // Durability costs most of the time of such a run, and is not what is tested here.
    writeFileSync(
      join(project.home, ".claude", "settings.json"),
      '{"retinue": {"transcripts": {"fsync": "never"}}}',
    );
    const { manager } = open(() => "done", { project });
    // So long that whatever keeps a run, or only what it was told, is 50 MB in the end; of its own, unlike a repeated string.
    const longPrompt = (): string => Buffer.alloc(50_000, "words ").toString("latin1");
    const round = async (runs: number): Promise<void> => {
      for (let n = 0; n < runs; n += 10)
        await Promise.all(Array.from({ length: 10 }, () => manager.spawn(task(longPrompt())).done));
    };
    await round(200);
    const before = heap();
    await round(1_000);
    expect(heap() - before).toBeLessThan(20);
    expect(manager.list()).toEqual([]);
    project.remove();
  }, 60_000);
});

/** One that has ended and waits for init to take note of it does nothing any more. */
function isAtWork(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("stop", () => {
  test("ends a running agent as stopped, and a late answer changes nothing", async () => {
    const { manager } = open(({ signal }) => forever(signal));
    const run = manager.spawn(task("go"));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await manager.stop(run.id)).toMatchObject({ stopped: true, state: "stopped" });
    expect(await run.done).toMatchObject({ state: "stopped", reason: "cancelled" });
    expect(await manager.getOutput(run.id)).toMatchObject({ state: "stopped" });
  });

  test("of a finished run changes nothing and says so; of an unknown one is a mistake", async () => {
    const { manager } = open(() => "done");
    const run = manager.spawn(task("go"));
    await run.done;
    expect(await manager.stop(run.id)).toEqual({
      agent_id: run.id,
      stopped: false,
      state: "completed",
      message: `${run.id} had already ended (completed); nothing was changed`,
    });
    await expect(manager.stop("a00000000000000ff")).rejects.toThrow(
      "unknown task_id: a00000000000000ff",
    );
  });

  test("ends a run whose model and tool ignore the stop", async () => {
    const deaf = {
      name: "Deaf",
      description: "never answers",
      inputSchema: { type: "object" },
      readOnly: false,
      parse: () => ({ ok: true as const, value: {} }),
      execute: () => new Promise<never>(() => undefined),
    };
    const { manager } = open(
      ({ turn, prompt }) =>
        prompt === "think"
          ? new Promise<never>(() => undefined)
          : turn === 1
            ? { tools: [{ name: "Deaf", input: {} }] }
            : "done",
      { tools: [deaf], permissions: { mode: "bypassPermissions" } },
    );
    for (const prompt of ["think", "use it"]) {
      const run = manager.spawn(task(prompt));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const started = performance.now();
      expect(await manager.stop(run.id)).toMatchObject({ state: "stopped" });
      expect(performance.now() - started).toBeLessThan(1_500);
    }
  });

  test("leaves no process of the agent behind", async () => {
    const { manager, project } = open(
      ({ turn }) =>
        turn === 1
          ? { tools: [{ name: "Bash", input: { command: "echo $$ > pid; sleep 60" } }] }
          : "done",
      { permissions: { mode: "bypassPermissions" } },
    );
    const run = manager.spawn(task("go"));
    await expect
      .poll(() => existsSync(project.path("pid")) && project.read("pid").trim() !== "")
      .toBe(true);
    await manager.stop(run.id);
    expect(isAtWork(Number(project.read("pid")))).toBe(false);
    expect((await run.done).state).toBe("stopped");
  });
});

describe("getOutput", () => {
  test("waits for the end, or answers with the text so far and timed_out", async () => {
    const { manager } = open(({ turn, signal }) =>
      turn === 1
        ? { text: "half", tools: [{ name: "TodoWrite", input: { todos: [] } }] }
        : forever(signal),
    );
    const run = manager.spawn(task("go", { run_in_background: true }));
    expect(await manager.getOutput(run.id, { timeoutMs: 600 })).toMatchObject({
      state: "running",
      timed_out: true,
      content: "half",
      metrics: { tool_uses: 1 },
    });
    const now = await manager.getOutput(run.id, { block: false });
    expect(now.state).toBe("running");
    expect(now).not.toHaveProperty("timed_out");
    await manager.stop(run.id);
  });

  test("reads a finished run from disk, by id and by name", async () => {
    const { manager } = open(() => "the answer");
    const run = manager.spawn(task("go", { name: "finder" }));
    const result = await run.done;
    expect(await manager.getOutput(run.id)).toMatchObject({
      agent_id: run.id,
      state: "completed",
      content: "the answer",
      metrics: result.metrics,
      transcript: result.transcript,
    });
    expect(await manager.getOutput("finder")).toMatchObject({ agent_id: run.id });
    await expect(manager.getOutput("../../etc/passwd")).rejects.toThrow(
      "unknown task_id: ../../etc/passwd",
    );
  });
});

describe("background", () => {
  test("writes the output file as it happens, whole lines, with the end in the last one", async () => {
    const { manager } = open(({ turn }) =>
      turn === 1
        ? { text: "first words", tools: [{ name: "Glob", input: { pattern: "*" } }] }
        : "last words",
    );
    const run = manager.spawn(task("go", { run_in_background: true }));
    const { output_file } = await run.done;
    expect(readFileSync(output_file!, "utf8").split("\n")).toEqual([
      "first words",
      expect.stringMatching(/^\[tool\] Glob ok/),
      "last words",
      `[retinue] state=completed agent=${run.id}`,
      "",
    ]);
  });

  test("is one question up front; what was not approved is denied and listed", async () => {
    const asked: unknown[] = [];
    const brain: Brain = ({ turn }) =>
      turn === 1
        ? {
            tools: [
              { name: "Bash", input: { command: "touch made" } },
              { name: "WebFetch", input: { url: "https://example.com", prompt: "x" } },
            ],
          }
        : "done";
    const { manager, project } = open(brain, {
      agents: { maker: { description: "d", prompt: "p", tools: ["Bash(touch *)", "WebFetch"] } },
      ask: async ({ tool, input }) => (asked.push([tool, input]), "once"),
    });
    const result = await manager.spawn(
      task("go", { subagent_type: "maker", run_in_background: true }),
    ).done;
    expect(asked).toEqual([
      [
        "Agent",
        { subagent_type: "maker", run_in_background: true, rules: ["Bash(touch *)", "WebFetch"] },
      ],
    ]);
    expect(existsSync(project.path("made"))).toBe(true);
    expect(result.permission_denials.map(({ tool_name }) => tool_name)).not.toContain("Bash");
  });

  test("after a no it runs with what the rules allow", async () => {
    const { manager, project } = open(
      ({ turn }) =>
        turn === 1 ? { tools: [{ name: "Bash", input: { command: "touch made" } }] } : "done",
      { ask: async () => "no" },
    );
    const result = await manager.spawn(task("go", { run_in_background: true })).done;
    expect(result).toMatchObject({
      state: "completed",
      permission_denials: [
        {
          tool_name: "Bash",
          reason: expect.stringContaining("in the background nobody is asked") as string,
        },
      ],
    });
    expect(existsSync(project.path("made"))).toBe(false);
  });

  test("a foreground run moves there without a restart: the file starts with the text so far, and nobody is asked any more", async () => {
    let moved!: () => void;
    const gate = new Promise<void>((resolve) => (moved = resolve));
    const asked: string[] = [];
    const brain: Brain = async ({ turn }) => {
      if (turn === 1)
        return {
          text: "before the move",
          tools: [{ name: "Bash", input: { command: "touch before" } }],
        };
      if (turn === 2)
        return (await gate, { tools: [{ name: "Bash", input: { command: "touch made" } }] });
      return "after the move";
    };
    const { manager, project } = open(brain, {
      ask: async ({ tool }) => (asked.push(tool), "once"),
    });
    const run = manager.spawn(task("go"));
    await expect.poll(() => manager.list()[0]?.metrics.tool_uses).toBe(1);
    const { output_file } = manager.background(run.id);
    expect(manager.list()[0]).toMatchObject({ background: true });
    moved();
    const result = await run.done;
    expect(asked).toEqual(["Bash"]);
    expect(result.permission_denials).toMatchObject([{ tool_name: "Bash" }]);
    expect(existsSync(project.path("made"))).toBe(false);
    const lines = readFileSync(output_file, "utf8").split("\n");
    expect([lines[0], lines.at(-2)]).toEqual([
      "before the move",
      `[retinue] state=completed agent=${run.id}`,
    ]);
    expect(codeOf(() => manager.background(run.id))).toContain("has already ended");
  });

  test("MCP tools are gone after the move: they are no longer offered, and a call of one is told why", async () => {
    let moved!: () => void;
    const gate = new Promise<void>((resolve) => (moved = resolve));
    const echo = { tools: [{ name: "mcp__everything__echo", input: { message: "hello" } }] };
    const everything = createRequire(import.meta.url).resolve(
      "@modelcontextprotocol/server-everything/dist/index.js",
    );
    const { manager, model } = open(
      async ({ turn }) => {
        if (turn === 2) await gate;
        return turn === 3 ? "done" : echo;
      },
      {
        agents: {
          worker: {
            description: "works",
            prompt: "You work.",
            mcpServers: [
              { name: "everything", config: { command: process.execPath, args: [everything] } },
            ],
          },
        },
        permissions: { mode: "bypassPermissions" },
      },
    );
    const run = manager.spawn(task("go"));
    await expect.poll(() => manager.list()[0]?.metrics.tool_uses, { timeout: 20_000 }).toBe(1);
    manager.background(run.id);
    moved();
    const result = await run.done;
    const [first, , last] = model.requests;
    expect(first!.tools.some(({ name }) => name === "mcp__everything__echo")).toBe(true);
    expect(last!.tools.filter(({ name }) => name.startsWith("mcp__"))).toEqual([]);
    expect(last!.tools.length).toBeGreaterThan(3);
    expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain("Echo: hello");
    expect(result).toMatchObject({
      state: "completed",
      permission_denials: [
        {
          tool_name: "mcp__everything__echo",
          reason: expect.stringContaining("not available in the background") as string,
        },
      ],
    });
  });

  test("is off with CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1: it runs in the foreground and says so", async () => {
    const { manager } = open(async ({ turn, signal }) => (turn > 5 ? forever(signal) : "done"), {
      env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
    });
    const result = await manager.spawn(task("go", { run_in_background: true })).done;
    expect(result.output_file).toBeUndefined();
    expect(result.notes).toEqual([expect.stringContaining("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS")]);
    const run = manager.spawn(task("go"));
    expect(codeOf(() => manager.background(run.id))).toMatch(/^disabled: /);
  });
});

describe("resume", () => {
  test("goes on with the conversation under the same id, transcript and type", async () => {
    const { manager, model } = open(({ turn }) => `answer ${turn}`, {
      agents: { other: { description: "d", prompt: "p" } },
    });
    const first = await manager.spawn(task("first question")).done;
    const second = await manager.resume(first.agent_id, "second question").done;
    expect(second).toMatchObject({
      agent_id: first.agent_id,
      agent_type: "worker",
      transcript: first.transcript,
      content: "answer 2",
    });
    expect(
      model.requests[1]!.messages.map(({ role, content }) => [role, JSON.stringify(content)]),
    ).toEqual([
      ["user", expect.stringContaining("first question")],
      ["assistant", expect.stringContaining("answer 1")],
      ["user", expect.stringContaining("second question")],
    ]);
  });

  test("keeps its turns and its time, whatever the definition says since", async () => {
    const specs: RunLimits[] = [];
    const short = {
      description: "d",
      prompt: "p",
      maxTurns: 3,
      timeoutMs: 40_000,
      maxTokens: 5_000,
    };
    const { manager } = open(() => ({ tools: [{ name: "Glob", input: { pattern: "*" } }] }), {
      agents: { short },
      onEvent: (event) => void (event.type === "run-start" && specs.push(event.spec.limits)),
    });
    const first = await manager.spawn(task("go", { subagent_type: "short", max_turns: 2 })).done;
    manager.registerAgents({
      short: { ...short, maxTurns: 30, timeoutMs: 900_000, maxTokens: 900_000 },
    });
    const second = await manager.resume(first.agent_id, "go on").done;
    expect([first.reason, second.reason]).toEqual(["max_turns", "max_turns"]);
    expect(specs).toEqual([
      expect.objectContaining({ maxTurns: 2, timeoutMs: 40_000, maxTokens: 5_000 }),
      expect.objectContaining({ maxTurns: 2, timeoutMs: 40_000, maxTokens: 5_000 }),
    ]);
  });

  test.each([
    ["an unknown id", "a00000000000000ff", "unknown_task"],
    ["a path", "../x", "unknown_task: unknown task_id: ../x"],
    ["an id with an extension", "a0123456789abcdef.jsonl", "unknown_task"],
    ["nothing", "", "unknown_task"],
  ])("refuses %s", (_name, id, words) => {
    const { manager } = open(() => "done");
    expect(codeOf(() => manager.resume(id, "go"))).toContain(words);
  });

  test("refuses a running one, another type, and a type that has been denied since", async () => {
    const { manager, project } = open(({ prompt, signal }) =>
      prompt === "wait" ? forever(signal) : "done",
    );
    const waiting = manager.spawn(task("wait"));
    expect(codeOf(() => manager.resume(waiting.id, "go"))).toMatch(
      /^running: .* is already running/,
    );
    await manager.stop(waiting.id);
    const { agent_id } = await manager.spawn(task("go")).done;
    expect(
      codeOf(() => manager.spawn(task("go", { resume: agent_id, subagent_type: "Explore" }))),
    ).toMatch(/^denied: .* is a worker/);
    expect((await manager.resume(agent_id, "again").done).state).toBe("completed");
    const strict = managerBench(() => "done", {
      project,
      permissions: { deny: ["Agent(worker)"] },
    });
    expect(codeOf(() => strict.manager.resume(agent_id, "go"))).toMatch(/^unknown_task/);
    await strict.close();
  });

  test("never widens: what counts is what both lives allow", async () => {
    const brain: Brain = ({ turn }) =>
      turn % 2 === 1
        ? { tools: [{ name: "Write", input: { file_path: "x.txt", content: "x" } }] }
        : "done";
    const { manager, project, model } = open(brain, {
      permissions: { mode: "plan" },
      agents: { pen: { description: "d", prompt: "p", tools: ["Read", "Write"] } },
    });
    const first = await manager.spawn(task("go", { subagent_type: "pen" })).done;
    expect(first.permission_denials).toHaveLength(1);
    manager.registerAgents({
      pen: {
        description: "d",
        prompt: "p",
        tools: ["Read", "Write", "Bash"],
        permissionMode: "bypassPermissions",
      },
    });
    const second = await manager.resume(first.agent_id, "again").done;
    expect(second.permission_denials).toHaveLength(1);
    expect(existsSync(project.path("x.txt"))).toBe(false);
    expect(
      model.requests
        .at(-1)!
        .tools.map(({ name }) => name)
        .sort(),
    ).toEqual(["Read", "Write"]);
    manager.registerAgents({ pen: { description: "d", prompt: "p", tools: ["Read"] } });
    await manager.resume(first.agent_id, "once more").done;
    expect(model.requests.at(-1)!.tools.map(({ name }) => name)).toEqual(["Read"]);
  });
});

test("a command that asks for the background runs in the foreground where that is switched off, and its result says so", async () => {
  const { manager, model } = open(
    ({ turn }) =>
      turn === 1
        ? { tools: [{ name: "Bash", input: { command: "echo here", run_in_background: true } }] }
        : "done",
    {
      permissions: { mode: "bypassPermissions" },
      env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
    },
  );
  await manager.spawn(task("go")).done;
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toMatch(
    /here.*CLAUDE_CODE_DISABLE_BACKGROUND_TASKS/,
  );
});

test("an agent in a repository is told its branch, and one outside that there is none", async () => {
  const { manager, model } = open(() => "done", {
    files: { ".git/HEAD": "ref: refs/heads/shop\n" },
  });
  await manager.spawn(task("go")).done;
  expect(model.requests[0]!.system).toContain("Git: branch shop\n");
  await bench.close();
  const other = open(() => "done");
  await other.manager.spawn(task("go")).done;
  expect(other.model.requests[0]!.system).toContain("Git: not a repository");
});

describe("skills of a definition", () => {
  const skill =
    "---\nname: build\ndescription: d\nallowed-tools: Bash(touch *)\nmodel: brain:two\n---\nBuild it.\n";
  const brain: Brain = ({ turn }) =>
    turn === 1 ? { tools: [{ name: "Bash", input: { command: "touch built" } }] } : "done";
  const builder = (model: string): string =>
    `---\nname: builder\ndescription: d\nskills: build${model}\n---\nBuild.\n`;

  test.each<[string, boolean, string, string, boolean]>([
    ["trusted: its rules hold and its model is used", true, "", "brain:two", true],
    ["the definition's own model comes first", true, "\nmodel: brain:one", "brain:one", true],
    ["not trusted: neither", false, "", "brain:one", false],
  ])("%s", async (_name, trust, model, used, isBuilt) => {
    const two = brainModel(brain, { name: "brain:two" });
    const made = open(brain, {
      files: {
        ".claude/skills/build/SKILL.md": skill,
        ".claude/agents/builder.md": builder(model),
      },
      trust,
      models: { "brain:one": brainModel(brain), "brain:two": two },
    });
    const { transcript } = await made.manager.spawn(task("go", { subagent_type: "builder" })).done;
    expect(readFileSync(transcript, "utf8")).toContain(`"model":"${used}"`);
    expect(existsSync(made.project.path("built"))).toBe(isBuilt);
  });

  test("an agent of a folder that nobody has trusted gets no rules by naming the user's skill", async () => {
    const project = tempProject({ ".claude/agents/builder.md": builder("") });
    mkdirSync(join(project.home, ".claude", "skills", "build"), { recursive: true });
    writeFileSync(
      join(project.home, ".claude", "skills", "build", "SKILL.md"),
      skill.replace("model: brain:two\n", ""),
    );
    const { manager } = open(brain, { project });
    expect(await manager.spawn(task("go", { subagent_type: "builder" })).done).toMatchObject({
      permission_denials: [{ tool_name: "Bash" }],
    });
  });
});

test("a server that cannot be reached or does not exist is named, to who watches and in the result; the agent works without it", async () => {
  const heard: string[] = [];
  const mcpServers = [{ name: "gone", config: { command: "/nowhere/at/all" } }, { name: "gihub" }];
  const { manager } = open(() => "done", {
    agents: { asker: { description: "d", prompt: "p", mcpServers } },
    onEvent: (event) => void (event.type === "warning" && heard.push(event.message)),
  });
  const result = await manager.spawn(task("go", { subagent_type: "asker" })).done;
  expect(result).toMatchObject({
    state: "completed",
    notes: [
      expect.stringContaining('"gihub"'),
      expect.stringMatching(/^MCP server gone could not be reached: /),
    ],
  });
  expect(heard).toEqual(result.notes);
});

test("a budget in USD for a model without a known price is said to hold nothing", async () => {
  const { manager } = open(() => "done", { limits: { maxUsd: 2 } });
  expect((await manager.spawn(task("go")).done).notes).toEqual([
    expect.stringContaining("the budget of $2 cannot hold: the price of brain:one is not known"),
  ]);
});

test("what an agent's file gains while the session runs is picked up, and widens nothing before it is trusted again", async () => {
  const file = (mode: string, prompt: string): string =>
    `---\nname: pen\ndescription: d\npermissionMode: ${mode}\n---\n${prompt}\n`;
  const { manager, project, model } = open(
    ({ turn }) =>
      turn === 1 ? { tools: [{ name: "Bash", input: { command: "touch made" } }] } : "done",
    { files: { ".claude/agents/pen.md": file("plan", "First.") }, trust: true },
  );
  project.write(".claude/agents/pen.md", file("bypassPermissions", "Second."));
  manager.reload();
  const result = await manager.spawn(task("go", { subagent_type: "pen" })).done;
  expect(model.requests[0]!.system).toContain("Second.");
  expect(result).toMatchObject({
    permission_denials: [{ tool_name: "Bash" }],
    notes: [
      expect.stringContaining("not trusted, and so without: permissionMode: bypassPermissions"),
    ],
  });
  expect(existsSync(project.path("made"))).toBe(false);
});

test("where the settings switch bypassPermissions off, no definition and no call gets it", async () => {
  const project = tempProject();
  mkdirSync(join(project.home, ".claude"));
  writeFileSync(
    join(project.home, ".claude", "settings.json"),
    JSON.stringify({ permissions: { disableBypassPermissionsMode: "disable" } }),
  );
  const { manager } = open(
    ({ turn }) =>
      turn === 1
        ? { tools: [{ name: "Write", input: { file_path: project.path("x.txt"), content: "x" } }] }
        : "done",
    {
      project,
      agents: { pen: { description: "d", prompt: "p", permissionMode: "bypassPermissions" } },
    },
  );
  expect(await manager.spawn(task("go", { subagent_type: "pen" })).done).toMatchObject({
    permission_denials: [{ tool_name: "Write" }],
    notes: [expect.stringContaining("disableBypassPermissionsMode")],
  });
  expect(existsSync(project.path("x.txt"))).toBe(false);
  expect(() => manager.spawn(task("go", { mode: "bypassPermissions" }))).toThrow(
    "bypassPermissions is switched off",
  );
});

describe("hooks of agents", () => {
  const seen: string[] = [];
  const note = (
    event: "SubagentStart" | "SubagentStop",
    answer: (times: number) => object | undefined = () => undefined,
  ) => {
    let times = 0;
    return functionHook({
      event,
      matcher: "worker",
      run: (input) => (
        seen.push(`${event}:${JSON.stringify(input["agent_type"])}`),
        answer(++times)
      ),
    });
  };
  afterEach(() => void seen.splice(0));

  test("SubagentStart adds to the first message and cannot block", async () => {
    const { manager, model } = open(() => "done", {
      hooks: [
        note("SubagentStart", () => ({
          decision: "block",
          reason: "no",
          hookSpecificOutput: { hookEventName: "SubagentStart", additionalContext: "mind the gap" },
        })),
      ],
    });
    expect((await manager.spawn(task("go")).done).state).toBe("completed");
    expect(JSON.stringify(model.requests[0]!.messages[0])).toMatch(/go.*mind the gap/);
  });

  test("SubagentStop can send the agent on eight times, then it ends", async () => {
    const { manager, model } = open(({ turn }) => `answer ${turn}`, {
      hooks: [note("SubagentStop", () => ({ decision: "block", reason: "go on" }))],
    });
    expect(await manager.spawn(task("go")).done).toMatchObject({
      state: "completed",
      content: "answer 9",
    });
    expect(model.requests).toHaveLength(9);
    expect(seen).toHaveLength(9);
  });

  test.each<[string, Brain, (bench: Bench, id: string) => Promise<unknown>, string]>([
    ["an answer", () => "done", async () => undefined, "completed"],
    ["a failure", () => Promise.reject(new Error("boom")), async () => undefined, "failed"],
    [
      "too many turns",
      () => ({ tools: [{ name: "Glob", input: { pattern: "*" } }] }),
      async () => undefined,
      "failed",
    ],
    ["a stop", ({ signal }) => forever(signal), ({ manager }, id) => manager.stop(id), "stopped"],
  ])("SubagentStop fires exactly once after %s", async (_name, brain, act, state) => {
    open(brain, { hooks: [note("SubagentStop"), note("SubagentStart")], limits: { maxTurns: 3 } });
    const run = bench.manager.spawn(task("go"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await act(bench, run.id);
    expect((await run.done).state).toBe(state);
    expect(seen.filter((event) => event === `SubagentStop:"worker"`)).toHaveLength(1);
  });

  test("SubagentStop fires once for a run that never came to start", async () => {
    const { manager } = open(() => "done", {
      hooks: [note("SubagentStop")],
      transcriptDir: "/proc/nowhere",
    });
    await manager.spawn(task("go")).done;
    expect(seen).toEqual([`SubagentStop:"worker"`]);
  });

  test("a definition's own hooks hold for its run only, and not for others", async () => {
    const hooks = {
      PreToolUse: [
        { matcher: "Glob", hooks: [{ type: "command" as const, command: "echo no >&2; exit 2" }] },
      ],
    };
    const brain: Brain = ({ turn, last }) =>
      turn === 1
        ? { tools: [{ name: "Glob", input: { pattern: "*" } }] }
        : JSON.stringify(last.content).includes("no")
          ? "blocked"
          : "free";
    const { manager } = open(brain, {
      agents: { hooked: { description: "d", prompt: "p", hooks } },
    });
    const both = await Promise.all([
      manager.spawn(task("go", { subagent_type: "hooked" })).done,
      manager.spawn(task("go")).done,
    ]);
    expect(both.map(({ content }) => content)).toEqual(["blocked", "free"]);
    expect((await manager.spawn(task("go")).done).content).toBe("free");
  });
});

describe("definitions", () => {
  test("of the library that cannot be used are told at once", () => {
    open(() => "done");
    expect(
      codeOf(() =>
        managerBench(() => "done", {
          project: bench.project,
          agents: { bad: { description: "d", prompt: "p", maxTurns: -1 } },
        }),
      ),
    ).toMatch(/^config: agents that cannot be used: bad\. .*maxTurns/);
  });

  test("are registered, listed with what they hide, and read anew", () => {
    const { manager, project } = open(() => "done");
    manager.registerAgents({
      Explore: { description: "mine", prompt: "p", tools: ["Read"], model: "haiku" },
    });
    const explorers = manager.listAgentInfo().filter(({ name }) => name === "Explore");
    expect(explorers).toMatchObject([
      {
        description: "mine",
        model: "haiku",
        source: "library",
        tools: ["Read"],
        isActive: true,
        overrides: [{ source: "built-in" }],
        filePath: null,
      },
      { source: "built-in", isActive: false },
    ]);
    expect(
      codeOf(() => manager.registerAgents({ "-x": { description: "d", prompt: "p" } })),
    ).toMatch(/^config: /);
    project.write(
      ".claude/agents/late.md",
      "---\nname: late\ndescription: comes later\n---\nYou come late.\n",
    );
    expect(codeOf(() => manager.spawn(task("go", { subagent_type: "late" })))).toContain(
      "unknown subagent_type: late",
    );
    manager.reload();
    expect(manager.listAgentInfo().find(({ name }) => name === "late")).toMatchObject({
      source: "project",
      isActive: true,
      filePath: expect.stringContaining("late.md") as string,
    });
  });
});

test("a Read of an output file is marked as unverified", async () => {
  let path = "";
  const { manager, model } = open(
    ({ prompt, turn }) =>
      prompt === "read it" && turn === 1
        ? { tools: [{ name: "Read", input: { file_path: path } }] }
        : "done",
    { permissions: { mode: "bypassPermissions" } },
  );
  path = (await manager.spawn(task("go", { run_in_background: true })).done).output_file!;
  await manager.spawn(task("read it")).done;
  expect(JSON.stringify(model.requests.at(-1)!.messages.at(-1))).toContain(
    "[retinue] UNVERIFIED: this is the running text of an agent",
  );
});

describe("what stays on disk", () => {
  test("a finished agent's checked report is read back as it was told", async () => {
    const answer =
      "## worker Result\n### Status\nSUCCESS\n### Summary\nOne constant.\n### Key References\n| Item | Location | Relevance |\n|---|---|---|\n| a | src/a.ts:1 | it |\n### Confidence\n60, it was read.\n### Uncertainty\nnone";
    const { manager } = open(
      ({ turn }) =>
        turn === 1 ? { tools: [{ name: "Read", input: { file_path: "src/a.ts" } }] } : answer,
      { contract: "report", files: { "src/a.ts": "export const a = 1;\n" } },
    );
    const told = await manager.spawn(task("go")).done;
    const read = await manager.getOutput(told.agent_id);
    expect(told.verification).toMatchObject({
      trust: expect.any(String) as string,
      checks: [{ path: "src/a.ts" }],
    });
    expect([
      read.content,
      read.report,
      read.verification?.["trust"],
      read.verification?.["counts"],
    ]).toEqual([
      told.content,
      told.report,
      told.verification?.["trust"],
      told.verification?.["counts"],
    ]);
  });

  test("an answer too long for a line is read back as it was told", async () => {
    const { manager } = open(() => "a long answer, ".repeat(20_000));
    const told = await manager.spawn(task("go")).done;
    expect(told.content.length).toBeGreaterThan(32_000);
    expect((await manager.getOutput(told.agent_id)).content).toBe(told.content);
  });

  test("an agent that another process runs is never said to be lost, and nothing there is stopped from here", async () => {
    const { manager, project } = open(({ signal }) => forever(signal));
    const run = manager.spawn(task("go"));
    await expect.poll(() => existsSync(join(project.home, ".claude"))).toBe(true);
    const other = managerBench(() => "mine", { project, sessionId: manager.sessionId });
    await expect
      .poll(() =>
        other.manager.getOutput(run.id).then(
          ({ state }) => state,
          () => "unknown",
        ),
      )
      .toBe("running");
    expect(await other.manager.stop(run.id)).toMatchObject({
      stopped: false,
      state: "running",
      message: expect.stringContaining("another process") as string,
    });
    expect(codeOf(() => other.manager.resume(run.id, "go on"))).toMatch(/^running: /);
    await other.close();
    expect((await manager.stop(run.id)).stopped).toBe(true);
  });

  test("no secret stands in any file that a run leaves, whatever way it came", async () => {
    const token = `ghp_${"aB3dE6gH9jK2".repeat(3)}`;
    const password = "correct-horse-9-battery";
    const brain: Brain = ({ turn }) =>
      turn === 1
        ? {
            text: `I use ${token}`,
            tools: [
              { name: "Read", input: { file_path: "notes.txt" } },
              { name: "Bash", input: { command: `echo ${token} ${password}` } },
            ],
          }
        : `done with ${token} and ${password}`;
    const { manager, project } = open(brain, {
      files: { "notes.txt": `token: ${token}\n` },
      permissions: { mode: "bypassPermissions" },
      env: { DB_PASSWORD: password },
    });
    const { output_file } = await manager.spawn(
      task(`use ${token}`, { run_in_background: true, name: token }),
    ).done;
    const written = readdirSync(project.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect(written.length).toBeGreaterThan(2);
    expect(readFileSync(output_file!, "utf8")).toContain("[masked");
    for (const text of written) expect(text).not.toMatch(/aB3dE6|correct-horse-9/);
  });
});
