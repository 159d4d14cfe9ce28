// The rows of faults.jsonl that concern resuming and the manager, each as a test of its name.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { functionHook } from "../src/hooks/hook.ts";
import type { Message } from "../src/model/message.ts";
import { defineZodTool } from "../src/tool/define-tool.ts";
import { interruptedText } from "../src/transcripts/reading/normalize-messages.ts";
import { listRuns } from "../src/transcripts/reading/list-runs.ts";
import {
  benchesOfTest,
  brainModel,
  forever,
  task,
  type Brain,
  type managerBench,
  type Say,
} from "./support/manager-bench.ts";

const rows = new Map(
  readFileSync(new URL("data/faults.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; inject: string; expect: string })
    .map((row) => [row.id, row]),
);
const named = (id: string): string => `${id}: ${rows.get(id)!.inject}: ${rows.get(id)!.expect}`;

const { open, project } = benchesOfTest();

type Line = Record<string, unknown> & { type: string; subtype?: string; message?: Message };
const linesOf = (path: string): Line[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
const rewrite = (path: string, change: (lines: Line[]) => unknown[]): void =>
  writeFileSync(
    path,
    change(linesOf(path))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );

/** As kill -9 leaves it right after a tool has run: the call is on record, its result is not. */
const untilFirstCall = (lines: Line[]): Line[] =>
  lines.slice(
    0,
    lines.findIndex(
      ({ type, message }) => type === "user" && JSON.stringify(message).includes("tool_result"),
    ),
  );

/** Lets an agent make one call, takes its result from the transcript, and resumes it in a new process's place. */
async function crashAfter(
  calls: { name: string; input: unknown }[],
  options: Parameters<typeof managerBench>[1] = {},
): Promise<{ last: string; state: string }> {
  const once: Brain = ({ turn }) => (turn === 1 ? { tools: calls } : "done");
  const settings = { permissions: { mode: "bypassPermissions" as const }, ...options };
  const first = open(once, settings);
  const { agent_id, transcript } = await first.manager.spawn(task("go")).done;
  await first.manager.close();
  rewrite(transcript, untilFirstCall);
  const second = open(() => "went on", { ...settings, sessionId: first.manager.sessionId });
  const { state } = await second.manager.resume(agent_id, "go on").done;
  return { last: JSON.stringify(second.model.requests[0]!.messages.at(-1)), state };
}

describe("resume", () => {
  test(named("RESUM-01"), async () => {
    const { last, state } = await crashAfter([
      { name: "Bash", input: { command: "echo x >> log" } },
    ]);
    expect([project().read("log"), state]).toEqual(["x\n", "completed"]);
    expect(last).toContain(interruptedText);
  });

  test(named("RESUM-03"), async () => {
    project({ "a.txt": "old\nend\n" });
    const { last } = await crashAfter([
      { name: "Read", input: { file_path: "a.txt" } },
      { name: "Edit", input: { file_path: "a.txt", old_string: "old\n", new_string: "new\n" } },
    ]);
    expect(project().read("a.txt")).toBe("new\nend\n");
    expect(last).toContain(interruptedText);
  });

  test(named("RESUM-06"), async () => {
    const { last } = await crashAfter([
      { name: "WebFetch", input: { url: "http://127.0.0.1:9/", prompt: "x" } },
    ]);
    expect(last).toContain(interruptedText);
  });

  /** The conversation that the model is shown after a transcript was changed by hand. */
  async function resumedAfter(change: (lines: Line[]) => unknown[]): Promise<Message[]> {
    const first = open(({ turn }): Say =>
      turn === 1
        ? {
            tools: [
              { name: "Glob", input: { pattern: "*" }, id: "toolu_a" },
              { name: "Glob", input: { pattern: "x" }, id: "toolu_b" },
            ],
          }
        : "done",
    );
    const { agent_id, transcript } = await first.manager.spawn(task("go")).done;
    await first.manager.close();
    rewrite(transcript, change);
    const second = open(() => "went on", { sessionId: first.manager.sessionId });
    expect((await second.manager.resume(agent_id, "go on").done).state).toBe("completed");
    return [...second.model.requests[0]!.messages];
  }

  /** What every provider wants: a user first, roles in turns, every call answered right after it. */
  function expectValid(messages: Message[]): void {
    expect(messages[0]!.role).toBe("user");
    for (const [index, message] of messages.entries()) {
      expect(message.role).toBe(index % 2 === 0 ? "user" : "assistant");
      if (message.role !== "assistant") continue;
      const calls = message.content
        .filter((block) => block.type === "tool_use")
        .map(({ id }) => id);
      const next = messages[index + 1]!.content;
      const answers =
        typeof next === "string"
          ? []
          : next
              .filter((block) => block.type === "tool_result")
              .map((block) => (block as { tool_use_id: string }).tool_use_id);
      expect(answers).toEqual(calls);
    }
  }

  test(named("RESUM-07"), async () => {
    const messages = await resumedAfter(untilFirstCall);
    expectValid(messages);
    expect(JSON.stringify(messages.at(-1)).split(interruptedText)).toHaveLength(3);
  });

  const user = (content: unknown): Line => ({
    type: "user",
    message: { role: "user", content } as Message,
    isSidechain: true,
  });
  const assistant = (content: unknown): Line => ({
    type: "assistant",
    message: { role: "assistant", content } as Message,
    isSidechain: true,
  });

  test(named("RESUM-08"), async () => {
    const messages = await resumedAfter((lines) =>
      lines.filter(
        ({ type, message }) =>
          !(type === "assistant" && JSON.stringify(message).includes("toolu_a")),
      ),
    );
    expectValid(messages);
    expect(JSON.stringify(messages)).not.toContain('"tool_result"');
  });

  test(named("RESUM-09"), async () => {
    const again = [{ type: "tool_use", id: "toolu_a", name: "Glob", input: {} }];
    const messages = await resumedAfter((lines) => [
      ...lines,
      assistant(again),
      user([{ type: "tool_result", tool_use_id: "toolu_a", content: "second" }]),
    ]);
    expectValid(messages);
    expect(JSON.stringify(messages).split('"id":"toolu_a"')).toHaveLength(2);
  });

  test(named("RESUM-10"), async () => {
    const messages = await resumedAfter((lines) => [
      ...lines,
      user("one"),
      user("two"),
      user(""),
      assistant([]),
      assistant([{ type: "text", text: "trailing" }]),
    ]);
    expectValid(messages);
  });

  test(named("RESUM-11"), async () => {
    const wrong = [{ type: "tool_use", id: "toolu_w", name: "Read", input: { file_path: 5 } }];
    const messages = await resumedAfter((lines) => [...lines, assistant(wrong)]);
    expectValid(messages);
    expect(JSON.stringify(messages.at(-1))).toContain(interruptedText);
  });

  test(named("RESUM-12"), async () => {
    project({
      ".claude/agents/gone.md":
        "---\nname: gone\ndescription: will be gone\ntools: Read\n---\nYou will be gone.\n",
    });
    const { manager } = open(() => "done");
    const { agent_id } = await manager.spawn(task("go", { subagent_type: "gone" })).done;
    rmSync(project().path(".claude/agents/gone.md"));
    manager.reload();
    expect(() => manager.resume(agent_id, "go on")).toThrow("unknown subagent_type: gone");
  });

  test(named("RESUM-13"), async () => {
    const { manager, project: place } = open(() => "done");
    const { agent_id } = await manager.spawn(task("go")).done;
    renameSync(place.root, `${place.root}.away`);
    writeFileSync(place.root, "a file");
    expect(() => manager.resume(agent_id, "go on")).toThrow("its working directory");
    rmSync(place.root);
    renameSync(`${place.root}.away`, place.root);
    expect((await manager.resume(agent_id, "go on").done).state).toBe("completed");
  });

  test(named("RESUM-14"), async () => {
    const { manager } = open(({ turn, signal }) => (turn === 1 ? "done" : forever(signal)));
    const { agent_id } = await manager.spawn(task("go")).done;
    manager.resume(agent_id, "go on");
    expect(() => manager.resume(agent_id, "go on")).toThrow("is already running");
    const other = open(() => "done", { sessionId: manager.sessionId });
    await expect
      .poll(() => existsSync(`${listRuns(other.store, { agentId: agent_id })[0]!.transcript}.lock`))
      .toBe(true);
    expect(() => other.manager.resume(agent_id, "go on")).toThrow("is already running");
    await manager.stop(agent_id);
  });
});

describe("running", () => {
  test(named("TOOLS-13"), async () => {
    const { manager } = open(({ turn }) =>
      turn < 30
        ? { text: `line ${turn}`, tools: [{ name: "Glob", input: { pattern: "*" } }] }
        : "done",
    );
    const run = manager.spawn(task("go", { run_in_background: true }));
    const gone = run.events()[Symbol.asyncIterator]();
    await gone.next();
    await gone.return?.();
    const slow = run.events()[Symbol.asyncIterator]();
    await slow.next();
    const { output_file, state } = await run.done;
    expect(state).toBe("completed");
    expect(readFileSync(output_file!, "utf8").match(/^line \d+$/gm)).toHaveLength(29);
  });

  test(named("TOOLS-17"), async () => {
    const broken = defineZodTool({
      name: "Broken",
      description: "breaks",
      input: z.object({}),
      readOnly: false,
      run: () => Promise.reject(new Error("tool broke")),
    });
    const hook = functionHook({
      event: "PostToolUse",
      run: () => Promise.reject(new Error("hook broke")),
    });
    const brain: Brain = ({ prompt, turn, last }) => {
      if (prompt === "throw") throw new Error("model broke");
      return turn === 1 ? { tools: [{ name: "Broken", input: {} }] } : JSON.stringify(last.content);
    };
    const { manager } = open(brain, {
      tools: [broken],
      hooks: [hook],
      permissions: { mode: "bypassPermissions" },
      onEvent: () => {
        throw new Error("listener broke");
      },
    });
    const [bad, good] = await Promise.all([
      manager.spawn(task("throw")).done,
      manager.spawn(task("go")).done,
    ]);
    expect(bad).toMatchObject({
      state: "failed",
      error: expect.stringContaining("model broke") as string,
    });
    expect(good).toMatchObject({
      state: "completed",
      content: expect.stringContaining("Broken failed: tool broke") as string,
    });
  });

  describe(named("TOOLS-19"), () => {
    const ended: string[] = [];
    const hook = functionHook({ event: "SubagentStop", run: () => void ended.push("stop") });
    afterEach(() => void ended.splice(0));

    const bash: Brain = () => ({ tools: [{ name: "Bash", input: { command: "touch x" } }] });
    const huge: Brain = ({ request, signal, turn }) =>
      request.tools.length === 0
        ? forever(signal)
        : {
            text: "x".repeat(4_000),
            tools: [{ name: "Glob", input: { pattern: `*${turn}` } }],
            usage: { input_tokens: 4_000 * turn },
          };

    test.each<[string, Brain, number, Parameters<typeof managerBench>[1]]>([
      ["while a person is asked", bash, 60, { ask: () => new Promise(() => undefined) }],
      [
        "while the background is asked for",
        bash,
        60,
        {
          ask: () => new Promise(() => undefined),
          agents: { worker: { description: "d", prompt: "p", background: true } },
        },
      ],
      [
        "while the conversation is summarised",
        huge,
        200,
        {
          models: {
            "small:one": brainModel(huge, { contextWindow: 10_000, maxOutputTokens: 1_000 }),
          },
          model: "small:one",
        },
      ],
      ["before it has begun", () => "done", 0, {}],
    ])("%s", async (_name, brain, waitMs, options) => {
      const { manager } = open(brain, { ...options, hooks: [hook] });
      const run = manager.spawn(task("go"));
      if (waitMs > 0) await sleep(waitMs);
      await manager.stop(run.id);
      expect(await run.done).toMatchObject({ state: "stopped", reason: "cancelled" });
      expect(ended).toEqual(["stop"]);
      expect(await manager.getOutput(run.id)).toMatchObject({ state: "stopped" });
    });
  });

  test(named("TOOLS-20"), async () => {
    const { manager } = open(() => "done", { transcriptDir: "/proc/nowhere" });
    const run = manager.spawn(task("go", { run_in_background: true }));
    expect(await manager.getOutput(run.id, { timeoutMs: 20_000 })).toMatchObject({
      state: "failed",
    });
  });

  test(named("TOOLS-21"), async () => {
    const { manager } = open(({ turn }) =>
      turn < 40
        ? {
            text: `begin ${"é".repeat(5_000)} end`,
            tools: [{ name: "Glob", input: { pattern: "*" } }],
          }
        : "begin end",
    );
    const run = manager.spawn(task("go", { run_in_background: true }));
    let looks = 0;
    while (manager.list().length > 0) {
      const { output_file } = await manager.getOutput(run.id, { block: false });
      const text = existsSync(output_file!) ? readFileSync(output_file!, "utf8") : "";
      for (const line of text.split("\n").filter((one) => one.startsWith("begin")))
        expect(line.endsWith("end")).toBe(true);
      expect(text === "" || text.endsWith("\n")).toBe(true);
      looks += 1;
      await sleep(1);
    }
    expect(looks).toBeGreaterThan(3);
  });
});
