// The rows of faults.jsonl about a process that ends while its agents run, with the built command.
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import {
  startMockProvider,
  type MockAnswer,
  type MockProvider,
  type MockRequest,
} from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { listRuns, type RunOnDisk } from "../src/transcripts/reading/list-runs.ts";
import { retinue, type Finished } from "./retinue-process.ts";

const rows = new Map(
  readFileSync(new URL("data/faults.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; inject: string; expect: string })
    .map((row) => [row.id, row]),
);
const named = (id: string): string => `${id}: ${rows.get(id)!.inject}: ${rows.get(id)!.expect}`;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const messagesOf = ({ body }: MockRequest): { role: string; content: unknown }[] =>
  body["messages"] as { role: string; content: unknown }[];
const isMain = (request: MockRequest): boolean =>
  JSON.stringify(messagesOf(request)[0]).includes("MAIN TASK");

type World = {
  place: TempProject;
  server: MockProvider;
  run: (args: string[], onStart?: (child: ChildProcess) => void) => Promise<Finished>;
  agents: () => RunOnDisk[];
};

async function world(reply: (request: MockRequest, turn: number) => MockAnswer): Promise<World> {
  const place = tempProject();
  const server = await startMockProvider({
    reply: (request) =>
      reply(request, messagesOf(request).filter(({ role }) => role === "assistant").length + 1),
  });
  open.push(server, { close: () => place.remove() });
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
  const run: World["run"] = (args, onStart) =>
    retinue(args, { project: place, env, ...(onStart ? { onStart } : {}) });
  return {
    place,
    server,
    run,
    agents: () => listRuns(join(place.home, ".claude", "projects")).filter((one) => !one.isMain),
  };
}

const agent = (n: number, more: Record<string, unknown> = {}) => ({
  name: "Agent",
  input: {
    description: `agent ${n}`,
    prompt: `SUB TASK ${n}`,
    subagent_type: "general-purpose",
    ...more,
  },
});

test(named("RESUM-05"), async () => {
  const { run, server, agents } = await world((request, turn) =>
    isMain(request)
      ? turn === 1
        ? { tools: [{ ...agent(1), id: "toolu_spawn" }] }
        : "went on"
      : { text: "late", delayMs: 60_000 },
  );
  let host: ChildProcess | undefined;
  const dying = run(["run", "--model", "sonnet", "MAIN TASK"], (child) => (host = child));
  await expect
    .poll(() => server.requests.some((request) => !isMain(request)), { timeout: 10_000 })
    .toBe(true);
  host!.kill("SIGKILL");
  await dying;
  const [child] = agents();
  const finished = await run([
    "run",
    "--output-format",
    "json",
    "--resume",
    child!.sessionId,
    "go on",
  ]);
  expect(finished.code).toBe(0);
  const shown = JSON.stringify(messagesOf(server.requests.filter(isMain).at(-1)!));
  expect(shown).toContain("interrupted: it may or may not have run");
  expect(shown).toContain(
    `- ${child!.agentId} (general-purpose): agent 1, started by the call toolu_spawn`,
  );
  expect(agents()).toHaveLength(1);
});

test(named("TOOLS-16"), async () => {
  const { run, server, place, agents } = await world((request, turn) => {
    if (isMain(request))
      return turn === 1
        ? { tools: [agent(1, { run_in_background: true })] }
        : { text: "late", delayMs: 60_000 };
    return {
      text: `at work, turn ${turn}`,
      tools: [{ name: "Glob", input: { pattern: `${turn}` } }],
      delayMs: 50,
    };
  });
  let host: ChildProcess | undefined;
  const dying = run(["run", "--model", "sonnet", "MAIN TASK"], (child) => (host = child));
  await expect
    .poll(() => server.requests.filter((request) => !isMain(request)).length, { timeout: 10_000 })
    .toBeGreaterThan(3);
  host!.kill("SIGKILL");
  await dying;
  const before = server.requests.length;
  await sleep(500);
  expect(server.requests.length).toBe(before);
  expect(agents()).toMatchObject([{ state: "failed", reason: "lost" }]);
  const listed = JSON.parse((await run(["ps", "--all", "--json"])).stdout) as {
    agent_id: string;
    state: string;
  }[];
  expect(listed.find(({ agent_id }) => agent_id === agents()[0]!.agentId)).toMatchObject({
    state: expect.stringContaining("failed") as string,
  });
  const tasks = join(place.home, ".claude", "projects");
  const output = readdirSync(tasks, { recursive: true, encoding: "utf8" }).find((name) =>
    name.endsWith(".output"),
  )!;
  const text = readFileSync(join(tasks, output), "utf8");
  expect(text.endsWith("\n")).toBe(true);
  expect(text).toContain("at work, turn 1");
});

test(
  named("TOOLS-14"),
  async () => {
    const word = `${4_000_000 + Math.floor(Math.random() * 1_000_000)}`;
    const sleeping = (): number =>
      readdirSync("/proc").filter((name) => {
        try {
          return (
            /^\d+$/.test(name) &&
            readFileSync(`/proc/${name}/cmdline`, "utf8").startsWith(`sleep\0${word}`)
          );
        } catch {
          return false;
        }
      }).length;
    const { run, agents } = await world((request) =>
      isMain(request)
        ? { tools: Array.from({ length: 10 }, (_, n) => agent(n)) }
        : { tools: [{ name: "Bash", input: { command: `sleep ${word}` } }] },
    );
    let host: ChildProcess | undefined;
    const stopping = run(
      [
        "run",
        "--model",
        "sonnet",
        "--permission-mode",
        "bypassPermissions",
        "--output-format",
        "json",
        "MAIN TASK",
      ],
      (child) => (host = child),
    );
    await expect.poll(sleeping, { timeout: 20_000 }).toBe(10);
    host!.kill("SIGTERM");
    const { code, signal } = await stopping;
    expect(code ?? signal).toBe(130);
    expect(sleeping()).toBe(0);
    expect(agents().map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => "stopped"));
  },
  60_000,
);
