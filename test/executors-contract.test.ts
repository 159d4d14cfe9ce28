// What every executor promises, tried on each of them: in this process, in this process over a file
// of steps, and on other machines with a real engine and two worker processes.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createManager, type AgentManager } from "../src/app/create-manager.ts";
import type { ManagerOptions } from "../src/app/manager-options.ts";
import type { RunEvent } from "../src/events/event.ts";
import { isSignal } from "../src/events/is-signal.ts";
import { readLedger } from "../src/verify/evidence/ledger.ts";
import { parallel } from "../src/patterns/parallel.ts";
import { sequence } from "../src/patterns/sequence.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { startCluster, type Cluster } from "./support/cluster/cluster.ts";
import { tellStory } from "./support/cluster/failures.ts";
import { hasEngine } from "./support/cluster/with-engine.ts";
import { startThinker, type Thinker } from "./support/cluster/thinker.ts";

const kinds = ["local", "durable", "restate"] as const;

const everything = join(
  dirname(
    createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json"),
  ),
  "dist/index.js",
);

const bash = (id: string, command: string) => ({
  tools: [{ id, name: "Bash", input: { command } }],
});
const handoff = (value: object): string =>
  JSON.stringify({
    status: "complete",
    decision: "PROCEED",
    findings: {},
    issues: [],
    context_summary: "done",
    ...value,
  });
const allowed = { permissions: { mode: "acceptEdits" as const, allow: ["Bash"] } };

/** Node 20 has it not yet. */
const deferred = <T>() => {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((given) => (resolve = given));
  return { promise, resolve };
};

/** How the first of them judged a report. */
let judged: string | undefined;

describe.each(kinds)("an executor: %s", (kind) => {
  if (kind === "restate" && !hasEngine("the contract of executors on several machines"))
    return test.skip("needs the engine", () => undefined);
  let cluster: Cluster | undefined;
  let thinker: Thinker;
  const projects: TempProject[] = [];
  const managers: AgentManager[] = [];
  beforeAll(async () => {
    if (kind === "restate") cluster = await startCluster({ workerArgs: ["--trust"] });
    thinker = cluster?.thinker ?? (await startThinker());
  }, 60_000);
  afterAll(async () => {
    await Promise.all(managers.map((manager) => manager.close()));
    await (cluster ?? thinker).close();
    for (const project of projects) project.remove();
  });

  const open = (files: Record<string, string>, options: ManagerOptions = {}) => {
    const project = cluster?.project(files) ?? tempProject(files);
    if (!cluster) projects.push(project);
    const manager =
      cluster?.manager(project, options) ??
      createManager({
        cwd: project.root,
        watch: false,
        contract: "none",
        model: thinker.model,
        executor: kind === "restate" ? "local" : kind,
        ...options,
        env: { PATH: process.env["PATH"], HOME: project.home, ...thinker.env },
      });
    if (!cluster) managers.push(manager);
    return { project, manager };
  };

  test("runs an agent, tells its events in order and keeps its transcript", async () => {
    thinker.tell("plain", ({ turn, last }) =>
      turn === 1 ? bash("t1", "cat notes.txt") : `It says ${last.trim()}.`,
    );
    const events: RunEvent[] = [];
    const { manager } = open(
      { "notes.txt": "milk\n" },
      { ...allowed, onEvent: (one) => void events.push(one) },
    );
    const result = await manager.spawn({ description: "p", prompt: "plain" }).done;
    expect(result).toMatchObject({ state: "completed", content: "It says milk." });
    const facts = events.filter(
      (event, index) => events.findIndex(({ seq }) => seq === event.seq) === index,
    );
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: "run-end" });
    expect(existsSync(result.transcript)).toBe(true);
    expect(result.metrics.tool_uses).toBe(1);
  });

  test("checks a report against the files and brings the verdict back", async () => {
    const word = tellStory({ thinker } as Cluster, 0);
    const facts: string[] = [];
    const { project, manager } = open(
      { "notes.txt": "one\n" },
      {
        ...allowed,
        contract: "report",
        onEvent: (event) => void (isSignal(event) || facts.push(event.type)),
      },
    );
    const result = await manager.spawn({ description: "r", prompt: word }).done;
    expect(result).toMatchObject({
      state: "completed",
      verification: { trust: "VERIFIED", repair: null, undeclared: [] },
      report: { findings: [{}] },
    });
    // All of it is the same, wherever it was found.
    const { verification, report, metrics, transcript, agent_id: id } = result;
    const ledger = await readLedger(transcript, { root: project.root });
    const whole = { facts, verification, report, ledger, calls: metrics.tool_uses };
    const told = JSON.stringify(whole, (_key, value: unknown) =>
      value instanceof Map || value instanceof Set ? [...value] : value,
    )
      .replaceAll(project.root, "")
      .replaceAll(id, "ID")
      .replaceAll(/"at":"[^"]*"/g, '"at":"TIME"')
      .replaceAll(/\d+\.\d s\b|"mtimeMs":[\d.]+/g, "TIME");
    judged ??= told;
    expect(told).toBe(judged);
  });

  test("runs in the background, with an output file", async () => {
    thinker.tell("back", () => "From the background.");
    const { manager } = open({});
    const run = manager.spawn({ description: "b", prompt: "back", run_in_background: true });
    const output = await manager.getOutput(run.id);
    expect(output).toMatchObject({ state: "completed", content: "From the background." });
    expect(existsSync(output.output_file ?? "")).toBe(true);
  });

  test("asks a person about a call, and tells the agent a no with its reason", async () => {
    thinker.tell("asks", ({ turn, last }) =>
      turn <= 2 ? bash(`t${turn}`, `touch asked-${turn}.txt`) : `Told: ${last}`,
    );
    const asked: string[] = [];
    const ask: ManagerOptions["ask"] = async ({ toolUseId }) => {
      asked.push(toolUseId);
      return toolUseId === "t1" ? "once" : { answer: "no", because: "one file is enough" };
    };
    const { project, manager } = open({}, { ask, permissions: { mode: "default" } });
    const result = await manager.spawn({ description: "q", prompt: "asks" }).done;
    expect(asked).toEqual(["t1", "t2"]);
    expect(result.content).toContain("one file is enough");
    expect(existsSync(project.path("asked-1.txt"))).toBe(true);
    expect(existsSync(project.path("asked-2.txt"))).toBe(false);
    expect(result.permission_denials).toMatchObject([{ tool_use_id: "t2" }]);
  });

  test("an answer counts that comes after everything that ran the agent was killed", async () => {
    thinker.tell("waits", ({ turn, last }) =>
      turn === 1 ? bash("t1", "touch asked.txt") : `Result: ${last}`,
    );
    const question = deferred<void>();
    const answer = deferred<"once">();
    const ask: ManagerOptions["ask"] = () => (question.resolve(), answer.promise);
    const { project, manager } = open({}, { ask, permissions: { mode: "default" } });
    const run = manager.spawn({ description: "q", prompt: "waits" });
    await question.promise;
    await cluster?.replaceWorkers();
    answer.resolve("once");
    expect(await run.done).toMatchObject({ state: "completed", permission_denials: [] });
    expect(existsSync(project.path("asked.txt"))).toBe(true);
  }, 20_000);

  test("puts what the agent itself asks to the person, and brings the answers back", async () => {
    const questions = [
      { question: "Which database?", options: [{ label: "Postgres" }, { label: "SQLite" }] },
      { question: "How many users?" },
    ];
    thinker.tell("wonders", ({ turn, last }) =>
      turn === 1
        ? { tools: [{ id: "q1", name: "AskUserQuestion", input: { questions } }] }
        : `Told: ${last}`,
    );
    const asked: string[] = [];
    const answer: ManagerOptions["answer"] = async (given) => {
      asked.push(...given.map(({ question }) => question));
      return ["SQLite", "twelve"];
    };
    const { manager } = open({}, { answer });
    const { content } = await manager.spawn({ description: "w", prompt: "wonders" }).done;
    expect(asked).toEqual(questions.map(({ question }) => question));
    expect(content).toBe("Told: Which database?\n→ SQLite\n\nHow many users?\n→ twelve");
  });

  test("worktrees: the work is where the result says, merges, and a conflict leaves both sides", async () => {
    const { project, manager } = open({ "notes.txt": "one\n" }, allowed);
    const person = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    const git = (...args: string[]): string =>
      execFileSync("git", [...person, ...args], {
        cwd: project.root,
        encoding: "utf8",
        stdio: "pipe",
      });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    const commit = `git ${person.join(" ")} commit -qam changed`;
    thinker.tell("isolated", ({ turn, prompt }) =>
      turn === 1 ? bash("t1", `${prompt.split("|")[1]} && ${commit}`) : "committed",
    );
    const work = async (command: string): Promise<string> => {
      const input = {
        description: "i",
        prompt: `isolated |${command}`,
        isolation: "worktree" as const,
      };
      const { worktree, state } = await manager.spawn(input).done;
      expect([state, typeof worktree]).toEqual(["completed", "string"]);
      return execFileSync("git", ["rev-parse", "HEAD"], {
        cwd: worktree!,
        encoding: "utf8",
      }).trim();
    };
    const first = await work("echo two > notes.txt");
    const second = await work("echo more > more.txt && git add more.txt");
    const third = await work("echo three > notes.txt");
    expect(git("status", "--porcelain")).toBe("");
    git("merge", "-q", "--no-edit", first);
    git("merge", "-q", "--no-edit", second);
    expect([project.read("notes.txt"), project.read("more.txt")]).toEqual(["two\n", "more\n"]);
    expect(() => git("merge", "-q", "--no-edit", third)).toThrow();
    expect(project.read("notes.txt")).toMatch(/<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>>/);
  });

  test("passes a message on to the next turn, and goes on with a finished agent", async () => {
    thinker.tell("hears", ({ turn, last }) =>
      turn < 6 && !last.includes("news")
        ? bash(`t${turn}`, "sleep 0.2")
        : `Heard ${last.split("\n").at(-1)}`,
    );
    const { manager } = open({}, allowed);
    const run = manager.spawn({ description: "h", prompt: "hears" });
    for await (const event of run.events()) if (event.type === "tool-start") break;
    expect(manager.send(run.id, "news: rain")).toMatchObject({ delivered: true });
    expect(await run.done).toMatchObject({ content: "Heard news: rain" });
    expect(await manager.resume(run.id, "news: sun").done).toMatchObject({
      content: "Heard news: sun",
    });
  });

  test("messages are read once and in their order, also when everything that ran the agent was killed", async () => {
    thinker.tell("remembers", ({ turn }) =>
      turn < 8 ? bash(`t${turn}`, "sleep 0.05") : "All is done.",
    );
    const { manager } = open({}, allowed);
    const run = manager.spawn({ description: "m", prompt: "remembers" });
    let calls = 0;
    for await (const event of run.events()) {
      if (event.type !== "tool-start") continue;
      calls += 1;
      if (calls === 2)
        for (const word of ["first", "second"]) manager.send(run.id, `news: ${word}`);
      if (calls === 4) await cluster?.replaceWorkers();
      if (calls === 5) manager.send(run.id, "news: third");
    }
    const { transcript, state } = await run.done;
    expect(state).toBe("completed");
    const told = [...readFileSync(transcript, "utf8").matchAll(/news: (\w+)/g)];
    expect(told.map(([, word]) => word)).toEqual(["first", "second", "third"]);
  }, 20_000);

  test("stops an agent in the middle of a call", async () => {
    thinker.tell("stops", () => bash("t1", "sleep 20"));
    const { manager } = open({}, allowed);
    const run = manager.spawn({ description: "s", prompt: "stops" });
    for await (const event of run.events()) if (event.type === "tool-start") break;
    expect(await manager.stop(run.id)).toMatchObject({ stopped: true });
    expect(await run.done).toMatchObject({ state: "stopped", reason: "cancelled" });
  });

  const phase = (name: string, instructions: string) => ({
    name,
    agent: "worker",
    instructions,
    expected_output: "structured_findings" as const,
    required: true,
  });
  const task = { feature: "a feature" };
  const ports = { newTaskId: (name: string) => `task-${name}`, record: () => undefined };
  const agents = {
    worker: { description: "works", prompt: "You work.", contract: "handoff" as const },
  };

  test("twelve at once with a limit of three: never more than three, and all of them end", async () => {
    let now = 0;
    let most = 0;
    thinker.tell("fan", () => ({ text: handoff({}), delayMs: 30 }));
    const { manager } = open({}, { agents });
    const watched: typeof manager.delegate = async (agent, request) => {
      most = Math.max(most, (now += 1));
      try {
        return await manager.delegate(agent, request);
      } finally {
        now -= 1;
      }
    };
    const phases = Array.from({ length: 12 }, (_, index) => phase(`p${index}`, "story:fan"));
    const result = await parallel({
      task,
      phases,
      ports: { ...ports, delegate: watched },
      maxConcurrent: 3,
    });
    expect(result.phases.map(({ status }) => status)).toEqual(phases.map(() => "done"));
    expect(most).toBe(3);
  });

  test("a flow asks what an agent needs to know, and goes on with the answer", async () => {
    thinker.tell("clarify", ({ prompt }) =>
      prompt.includes("Postgres")
        ? handoff({ context_summary: "clear now" })
        : handoff({ decision: "CLARIFY", status: "blocked", questions: ["Which database?"] }),
    );
    const { manager } = open({}, { agents });
    const result = await sequence({
      task,
      phases: [phase("research", "story:clarify")],
      ports: { ...ports, delegate: manager.delegate, ask: async () => ["Postgres"] },
    });
    expect(result).toMatchObject({
      decision: "PROCEED",
      phases: [{ context_summary: "clear now" }],
    });
  });

  test("an agent uses an MCP server of its own", async () => {
    thinker.tell("echoes", ({ turn, last }) =>
      turn === 1
        ? { tools: [{ id: "m1", name: "mcp__own__echo", input: { message: "hi" } }] }
        : last,
    );
    const own = { command: process.execPath, args: [everything] };
    const echoer = {
      description: "echoes",
      prompt: "You echo.",
      tools: ["mcp__own__echo"],
      mcpServers: [{ own }],
    };
    const { manager } = open(
      {},
      { agents: { echoer }, permissions: { allow: ["mcp__own__echo"] } },
    );
    const result = await manager.spawn({
      description: "m",
      prompt: "echoes",
      subagent_type: "echoer",
    }).done;
    expect(result.content).toContain("Echo: hi");
  });

  test("hooks of the project fire around its calls, and a hook's no is told", async () => {
    const hook = (command: string) => [{ matcher: "Bash", hooks: [{ type: "command", command }] }];
    const settings = JSON.stringify({
      hooks: {
        PreToolUse: hook(
          'grep -q forbidden && { echo "not that" >&2; exit 2; }; echo pre >> hooks.log; exit 0',
        ),
        PostToolUse: hook("echo post >> hooks.log"),
      },
    });
    thinker.tell("hooked", ({ turn, last }) =>
      turn === 1 ? bash("t1", "true") : turn === 2 ? bash("t2", "echo forbidden") : `Told: ${last}`,
    );
    const { project, manager } = open(
      { ".claude/settings.json": settings },
      { ...allowed, trust: true },
    );
    const result = await manager.spawn({ description: "k", prompt: "hooked" }).done;
    expect(result.content).toContain("not that");
    expect(project.read("hooks.log")).toBe("pre\npost\n");
  });
});
