// `npm run bench -- background [AGENTS] [TURNS]`: so many background agents at once in one process, on a model in the same process; everything
// else is real: manager, transcripts, output files, permissions. In a process of its own so that its memory can be read off.
import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root } from "./support/root.mjs";

export const summary =
  "many background agents at once in one process: memory, turns a second, every output file whole ([AGENTS], 1000; [TURNS], 10)";

export async function run(args = []) {
  const child = fork(fileURLToPath(import.meta.url), ["--child", ...args], { stdio: "inherit" });
  return (await new Promise((done) => child.once("exit", done))) === 0;
}

async function measure(agents, turns) {
  const { createManager } = await import(pathToFileURL(join(root, "dist", "app", "index.js")).href);
  const home = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  const before = process.memoryUsage().rss;
  const worker = {
    description: "works",
    prompt: "You work.",
    tools: ["TodoWrite"],
    contract: "none",
  };
  const manager = createManager({
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    watch: false,
    agents: { worker },
    models: { "fake:one": model(turns) },
    model: "fake:one",
    limits: { maxConcurrent: agents },
  });
  try {
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const started = performance.now();
    const runs = Array.from({ length: agents }, (_, n) =>
      manager.spawn({
        description: `job ${n}`,
        prompt: `job ${n}`,
        subagent_type: "worker",
        run_in_background: true,
      }),
    );
    const results = await Promise.all(runs.map((one) => one.done));
    const seconds = (performance.now() - started) / 1000;
    clearInterval(watch);
    const completed = results.filter(({ state }) => state === "completed").length;
    const whole = results.filter(({ output_file, agent_id }) =>
      readFileSync(output_file, "utf8").endsWith(`[retinue] state=completed agent=${agent_id}\n`),
    ).length;
    const megabytes = (bytes) => Math.round(bytes / 1024 / 1024);
    console.log(
      JSON.stringify({
        agents,
        turns: turns + 1,
        completed,
        whole_output_files: whole,
        seconds: Number(seconds.toFixed(2)),
        turns_per_second: Math.round((agents * (turns + 1)) / seconds),
        rss_before_mb: megabytes(before),
        rss_peak_mb: megabytes(Math.max(peak, process.memoryUsage().rss)),
        still_listed: manager.list().length,
        open_files: readdirSync("/proc/self/fd").length,
      }),
    );
    return completed === agents && whole === agents;
  } finally {
    await manager.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Calls a tool so many times, then answers. */
function model(turns) {
  let calls = 0;
  const usage = {
    input_tokens: 100,
    output_tokens: 20,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  return {
    name: "fake:one",
    contextWindow: 200_000,
    maxOutputTokens: 8_192,
    takesImages: false,
    takesDocuments: false,
    hasWebSearch: false,
    async send({ messages }) {
      await new Promise((resolve) => setImmediate(resolve));
      const turn = messages.filter(({ role }) => role === "assistant").length;
      const todos = [{ content: `step ${turn}`, status: "in_progress", activeForm: "working" }];
      const content =
        turn < turns
          ? [
              { type: "text", text: `Step ${turn}.` },
              { type: "tool_use", id: `t${++calls}`, name: "TodoWrite", input: { todos } },
            ]
          : [{ type: "text", text: "Done." }];
      return {
        ok: true,
        reply: {
          model: "fake",
          content,
          stop_reason: turn < turns ? "tool_use" : "end_turn",
          usage,
        },
      };
    },
  };
}

if (process.argv[2] === "--child")
  process.exitCode = (await measure(
    Number(process.argv[3] ?? 1_000),
    Number(process.argv[4] ?? 10),
  ))
    ? 0
    : 1;
