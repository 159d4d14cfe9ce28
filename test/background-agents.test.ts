// Sub-agents that outlive the command that started them, with the built command and real processes.
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import type { MockAnswer, MockRequest } from "../src/testing/mock-provider.ts";
import { entry } from "./retinue-process.ts";
import {
  backgroundWorld,
  rareWord,
  sleepers,
  stubbornCommand,
  type BackgroundWorld,
  type Output,
  type Status,
} from "./support/background-world.ts";
import { forever, managerBench, task } from "./support/manager-bench.ts";
import { hasTmux, openTerminal } from "./support/terminal.ts";
import { waitUntil } from "./support/wait-until.ts";

let world: BackgroundWorld;
afterEach(() => world.close());

const bash = (command: string, text = ""): MockAnswer => ({
  text,
  tools: [{ name: "Bash", input: { command } }],
});
const agent = (input: Record<string, unknown>): MockAnswer => ({
  tools: [{ name: "Agent", input: { description: "work", ...input } }],
});
const waitFor = (file: string): string => `until [ -e ${file} ]; do sleep 0.05; done`;

type Lines = Record<string, MockAnswer[]>;

/** One script for each conversation, found by the first words of its prompt. */
function scripted(lines: Lines): (request: MockRequest) => MockAnswer {
  return ({ body }) => {
    const messages = body["messages"] as { role: string; content: unknown }[];
    const first = JSON.stringify(messages[0]!.content);
    const who = Object.keys(lines).find((name) => first.includes(`${name}:`));
    const turn = messages.filter((message) => message.role === "assistant").length;
    return lines[who ?? ""]?.[turn] ?? `nothing is left to say for ${first.slice(0, 80)}`;
  };
}

const helper = {
  ".claude/agents/helper.md":
    "---\nname: helper\ndescription: helps\ntools: Bash\ncontract: none\n---\nYou help.\n",
};

describe("a background agent whose main thread is done", () => {
  test("goes on in a host at its next turn, repeats nothing, and ends with its report where everyone finds it", async () => {
    world = await backgroundWorld(
      scripted({
        MAIN: [
          agent({
            prompt: "HELP: do it",
            subagent_type: "helper",
            run_in_background: true,
            name: "hands",
          }),
          "I leave it to my helper.",
        ],
        HELP: [
          bash(`echo one >> log; ${waitFor("go")}`, "First step."),
          bash("echo two >> log"),
          "Helped.",
        ],
      }),
      helper,
    );
    const finished = world.call([
      "run",
      "--model",
      "sonnet",
      "--allowedTools=Bash,Agent",
      "--output-format",
      "json",
      "MAIN: go",
    ]);
    const status = await waitUntil(async () =>
      (await world.json<Status[]>(["ps"])).find(
        (run) => run.name === "hands" && run.metrics.turns === 1,
      ),
    );
    const commandPid = status.host_pid;
    world.project.write("go", "");
    const { stdout, code } = await finished;
    expect(code).toBe(0);
    const result = JSON.parse(stdout) as {
      result: string;
      agents: { agent_id: string; state: string; output_file?: string }[];
    };
    expect(result.result).toBe("I leave it to my helper.");
    expect(result.agents.find((row) => row.agent_id === status.agent_id)).toMatchObject({
      state: "running",
    });
    const output = await world.json<Output>(["output", "hands", "--block"]);
    expect(output).toMatchObject({
      agent_id: status.agent_id,
      state: "completed",
      content: "Helped.",
      metrics: { tool_uses: 2 },
    });
    expect(world.project.read("log")).toBe("one\ntwo\n");
    expect(readFileSync(output.output_file!, "utf8")).toMatch(
      /^First step\.\n[\s\S]*Helped\.\n\[retinue\] state=completed agent=a[0-9a-f]{16}\n$/,
    );
    expect(commandPid).toBeGreaterThan(1);
    expect(readFileSync(output.transcript, "utf8").match(/"subtype":"spawn"/g)).toHaveLength(2);
  });

  test("can be stopped by itself, and resumed by itself, in the foreground and in the background", async () => {
    world = await backgroundWorld(
      scripted({
        MAIN: [
          agent({
            prompt: "HELP: do it",
            subagent_type: "helper",
            run_in_background: true,
            name: "hands",
          }),
          bash(waitFor("end")),
          "Done without it.",
        ],
        HELP: [bash("sleep 30", "Slow."), "Back again.", "And again."],
      }),
      helper,
    );
    const finished = world.call([
      "run",
      "--model",
      "sonnet",
      "--allowedTools=Bash,Agent",
      "MAIN: go",
    ]);
    const { agent_id } = await waitUntil(async () =>
      (await world.json<Status[]>(["ps"])).find(
        (run) => run.name === "hands" && run.metrics.turns === 1,
      ),
    );
    expect((await world.call(["stop", "hands"])).stdout).toBe(`${agent_id} stopped (cancelled)\n`);
    // The main thread goes on, and is told.
    world.project.write("end", "");
    expect((await finished).stdout).toBe("Done without it.\n");
    const again = await world.call(["resume", agent_id, "try once more"]);
    expect(again).toMatchObject({ code: 0, stdout: "Back again.\n" });
    const third = await world.call([
      "resume",
      "hands",
      "--background",
      "--output-format",
      "json",
      "and now?",
    ]);
    expect(JSON.parse(third.stdout)).toMatchObject({ type: "background", agent_id });
    expect(await world.json<Output>(["output", agent_id, "--block"])).toMatchObject({
      state: "completed",
      content: "And again.",
    });
    expect((await world.call(["resume", "a00000000000000ff", "x"])).stderr).toContain(
      "unknown task_id: a00000000000000ff",
    );
  });
});

test("an agent in a library's process is seen and stopped from a terminal", async () => {
  world = await backgroundWorld([]);
  const bench = managerBench(({ signal }) => forever(signal), { project: world.project });
  const run = bench.manager.spawn(task("wait", { run_in_background: true }));
  await waitUntil(async () => (await world.json<Status[]>(["ps"]))[0]?.host_pid === process.pid);
  expect((await world.call(["stop", run.id])).stdout).toBe(`${run.id} stopped (cancelled)\n`);
  expect((await run.done).state).toBe("stopped");
  await bench.close();
});

describe("TOOLS-14 a command with agents at work", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
    "%s: every process of every agent is gone, and no run shows as running",
    async (signal) => {
      const word = rareWord();
      const jobs = [1, 2, 3].map(() => ({
        name: "Agent",
        input: {
          description: "work",
          prompt: "HELP: do it",
          subagent_type: "helper",
          run_in_background: true,
        },
      }));
      world = await backgroundWorld(
        scripted({
          MAIN: [{ tools: jobs }, bash(stubbornCommand(word))],
          HELP: [bash(stubbornCommand(word))],
        }),
        helper,
      );
      const finished = world.call(
        ["run", "--model", "sonnet", "--allowedTools=Bash,Agent", "MAIN: go"],
        {
          onStart: (child) =>
            void waitUntil(() => sleepers(word).length === 20).then(() => child.kill(signal)),
        },
      );
      expect((await finished).code).toBe(signal === "SIGKILL" ? null : 130);
      if (signal === "SIGKILL")
        await waitUntil(() => sleepers(word).length === 0, {
          withinMs: 2_000,
          what: "the end of all processes",
        });
      expect(sleepers(word)).toEqual([]);
      const runs = await world.json<Status[]>(["ps", "--all"]);
      expect(runs.map(({ state, reason, host_pid }) => ({ state, reason, host_pid }))).toEqual(
        Array.from({ length: 4 }, () => ({
          ...(signal === "SIGKILL"
            ? { state: "failed", reason: "lost" }
            : { state: "stopped", reason: "cancelled" }),
          host_pid: null,
        })),
      );
    },
  );
});

describe.runIf(hasTmux)("Ctrl+B while a sub-agent works in the foreground", () => {
  test("sends both to one host: the Agent call answers at once, the main thread goes on and hears of the end", async () => {
    world = await backgroundWorld(
      scripted({
        MAIN: [
          agent({ prompt: "HELP: do it", subagent_type: "helper" }),
          bash(`${waitFor("helped")}; sleep 1`, "Waiting for news."),
          "Heard the news.",
        ],
        HELP: [
          bash(`echo one >> log; ${waitFor("go")}`, "Helping."),
          bash("echo two >> log; touch helped"),
          "Helped.",
        ],
      }),
      helper,
    );
    const terminal = openTerminal(
      `${process.execPath} ${entry} run --model sonnet --allowedTools=Bash,Agent 'MAIN: go'`,
      { cwd: world.project.root, env: { HOME: world.project.home, ...world.env } },
    );
    try {
      await waitUntil(async () =>
        (await world.json<Status[]>(["ps"])).some(
          (run) => run.agent_type === "helper" && run.metrics.turns === 1,
        ),
      );
      terminal.press("C-b");
      await terminal.until(/going to the background at the end of this turn, with 1 agent;/);
      world.project.write("go", "");
      await terminal.until(/\[exit 0\]/);
    } finally {
      terminal.tear();
    }
    const runs = await waitUntil(async () => {
      const all = await world.json<Status[]>(["ps", "--all"]);
      return all.every(({ state }) => state === "completed") ? all : undefined;
    });
    expect(runs).toHaveLength(2);
    const main = runs.find((run) => run.agent_type === "general-purpose")!;
    expect(await world.json<Output>(["output", main.agent_id])).toMatchObject({
      state: "completed",
      content: "Heard the news.",
    });
    expect(world.project.read("log")).toBe("one\ntwo\n");
    const seen = world.provider.requests
      .map(({ body }) => JSON.stringify(body))
      .filter((body) => body.includes("MAIN:"));
    expect(seen.some((body) => body.includes("Background task started. Agent ID:"))).toBe(true);
    expect(seen.at(-1)).toContain("Helped.");
    expect(seen.join()).not.toContain("interrupted");
  });
});
