// One measurement in a process of its own, through createManager().spawn with transcripts on disk; prints one line of JSON.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

const { createManager, defineTool } = await import(
  new URL("../../dist/app/index.js", import.meta.url)
);
const { kind, agents, turns = 1, url } = JSON.parse(process.argv[2]);
const replyMs = 2_000;
const folder = mkdtempSync(join(tmpdir(), "retinue-agents-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const usage = {
  input_tokens: 100,
  output_tokens: 20,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};
const quick = {
  name: "quick:model",
  contextWindow: 200_000,
  maxOutputTokens: 8_192,
  takesImages: false,
  takesDocuments: false,
  hasWebSearch: false,
  send: async () => ({
    ok: true,
    reply: {
      model: "quick",
      content: [{ type: "text", text: "All done." }],
      stop_reason: "end_turn",
      usage,
    },
  }),
};
const manager = createManager({
  cwd: folder,
  env: {
    HOME: folder,
    ...(url ? { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: url } : {}),
  },
  watch: false,
  contract: "none",
  model: url ? "anthropic:claude-sonnet-4-5" : quick,
  tools: [
    defineTool({
      name: "lookup",
      description: "looks up",
      input: { type: "object", properties: { key: { type: "string" } } },
      readOnly: true,
      run: async () => ({ content: "found" }),
    }),
  ],
  permissions: { allow: ["lookup"] },
  agents: { worker: { description: "works", prompt: "You work.", tools: ["lookup"] } },
  limits: { maxConcurrent: 100_000 },
});
const spawn = () =>
  manager.spawn({
    description: "bench",
    prompt: `Look it up in ${turns} turns.`,
    subagent_type: "worker",
  });
const heap = () => {
  for (let round = 0; round < 4; round++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

async function live() {
  await Promise.all(Array.from({ length: 20 }, () => spawn().done));
  const empty = heap();
  const started = performance.now();
  const runs = Array.from({ length: agents }, spawn);
  const midway = new Promise((resolve) => setTimeout(resolve, replyMs * 0.9));
  await midway;
  const perAgent = (heap() - empty) / agents;
  const states = await Promise.all(runs.map(async ({ done }) => (await done).state));
  const seconds = (performance.now() - started) / 1000;
  const rate = (agents * turns) / seconds;
  const ideal = (agents * 1000) / replyMs;
  return {
    agents,
    turns,
    completed: states.filter((state) => state === "completed").length,
    heapKbPerAgent: Math.round(perAgent / 102.4) / 10,
    peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
    turnsPerSecond: Math.round(rate),
    ofIdeal: Math.round((rate / ideal) * 100) / 100,
  };
}

async function delay() {
  await Promise.all(Array.from({ length: 100 }, () => spawn().done));
  const monitor = monitorEventLoopDelay({ resolution: 5 });
  monitor.enable();
  const began = performance.now();
  const runs = Array.from({ length: agents }, spawn);
  const spawned = performance.now() - began;
  await Promise.all(runs.map(({ done }) => done));
  monitor.disable();
  return {
    agents,
    spawnLoopMs: Math.round(spawned),
    wholeMs: Math.round(performance.now() - began),
    delayP99Ms: Math.round(monitor.percentile(99) / 1e6),
    delayMaxMs: Math.round(monitor.max / 1e6),
  };
}

console.log(JSON.stringify({ bench: kind, ...(await { live, delay }[kind]()) }));
await manager.close();
process.exit(0);
