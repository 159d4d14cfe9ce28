// A real MCP server from the registry, started by a manager for an agent and killed with -9 while it works on a call: the agent is told, its run goes on, no process is left.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterEach, expect, test } from "vitest";
import type { AgentRun } from "../src/manager/agents/agent-run.ts";
import { forever, managerBench, task, type Bench, type Brain } from "./support/manager-bench.ts";

const everything = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);
const own = { name: "own", config: { command: process.execPath, args: [everything] } };

let bench: Bench;
const open = (brain: Brain): Bench =>
  (bench = managerBench(brain, {
    agents: { worker: { description: "works", prompt: "You work.", mcpServers: [own] } },
    permissions: { mode: "bypassPermissions" },
  }));
afterEach(() => bench.close());

const procText = (pid: string, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
};
/** Servers of this test process that are alive; those of tests at the same time have other parents. */
const servers = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && procText(name, "cmdline").includes(everything))
    .filter((name) => /\) [^ZX] (\d+) /.exec(procText(name, "stat"))?.[1] === `${process.pid}`)
    .map(Number);

const longCall = {
  tools: [
    { name: "mcp__own__trigger-long-running-operation", input: { duration: 60, steps: 600 } },
  ],
};
const echo = (message: string): { tools: { name: string; input: unknown }[] } => ({
  tools: [{ name: "mcp__own__echo", input: { message } }],
});
const lastOf = ({ model }: Bench, request: number): string =>
  JSON.stringify(model.requests[request]!.messages.at(-1));

/** What the run's calls tell while they run. */
function listen(run: AgentRun): { lines: string[]; over: Promise<void> } {
  const lines: string[] = [];
  const hear = async (): Promise<void> => {
    for await (const event of run.events())
      if (event.type === "tool-progress") lines.push(event.text);
  };
  return { lines, over: hear() };
}

/** Waits until a server other than `before` has been at work on the call for some steps, and kills it. */
async function killAtWork(steps: readonly string[], before?: number): Promise<number> {
  const seen = steps.length;
  const fresh = (): number[] => servers().filter((pid) => pid !== before);
  await expect
    .poll(() => fresh().length === 1 && steps.length > seen + 2, { timeout: 20_000, interval: 20 })
    .toBe(true);
  const [pid] = fresh();
  process.kill(pid!, "SIGKILL");
  return pid!;
}

test("killed in a long call that changes nothing it is started again and asked once more; killed again, the agent gets an error result and works on with a third process", async () => {
  const { manager } = open(({ turn }) => [longCall, echo("still here"), "done"][turn - 1]!);
  const run = manager.spawn(task("go"));
  const { lines, over } = listen(run);
  const first = await killAtWork(lines);
  await killAtWork(lines, first);
  expect(manager.list()).toMatchObject([{ agent_id: run.id, state: "running" }]);
  const result = await run.done;
  await over;
  expect(lastOf(bench, 1)).toContain('"is_error":true');
  expect(lastOf(bench, 1)).toContain(
    "MCP server own: it ended during the call, which may or may not have run",
  );
  expect(lastOf(bench, 2)).toContain("Echo: still here");
  expect(result).toMatchObject({ state: "completed", content: "done", metrics: { tool_uses: 2 } });
  expect(servers()).toEqual([]);
});

test("killed while its agent is stopped in the call, nothing is started again and nothing is left", async () => {
  const { manager } = open(({ turn, signal }) => (turn === 1 ? longCall : forever(signal)));
  const run = manager.spawn(task("go"));
  const { lines } = listen(run);
  await expect.poll(() => lines.length, { timeout: 20_000, interval: 20 }).toBeGreaterThan(2);
  const stopped = manager.stop(run.id);
  process.kill(servers()[0]!, "SIGKILL");
  expect(await stopped).toMatchObject({ stopped: true, state: "stopped" });
  expect(await run.done).toMatchObject({ state: "stopped" });
  expect(servers()).toEqual([]);
});
