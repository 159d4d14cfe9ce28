// Many runs through one manager: nothing leaks, no place stays taken, and what a run costs besides its model and its disk.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { root } from "./support/root.mjs";

export const summary =
  "runs through one manager: heap, places, time and processor time of a run ([RUNS])";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const heapMb = () => (collect(), process.memoryUsage().heapUsed / 1024 / 1024);

const model = {
  name: "bench:one",
  contextWindow: 200_000,
  maxOutputTokens: 8_192,
  takesImages: false,
  takesDocuments: false,
  hasWebSearch: false,
  send: async () => ({
    ok: true,
    reply: {
      model: "bench",
      content: [{ type: "text", text: "done" }],
      stop_reason: "end_turn",
      usage: {
        input_tokens: 100,
        output_tokens: 20,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
    },
  }),
};

export async function run(args = []) {
  const runs = Number(args[0] ?? 10_000);
  const built = join(root, "dist", "app", "index.js");
  if (!existsSync(built)) throw new Error("run `npm run build` first");
  const { createManager } = await import(built);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retinue-bench-")));
  mkdirSync(join(folder, "home", ".claude"), { recursive: true });
  mkdirSync(join(folder, "project"));
  writeFileSync(
    join(folder, "home", ".claude", "settings.json"),
    '{"retinue": {"transcripts": {"fsync": "never"}}}',
  );
  const manager = createManager({
    cwd: join(folder, "project"),
    env: { PATH: process.env.PATH, HOME: join(folder, "home") },
    watch: false,
    contract: "none",
    model,
    agents: { worker: { description: "works", prompt: "You work." } },
  });
  try {
    return await measure(manager, runs);
  } finally {
    await manager.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(manager, runs) {
  const round = async (count) => {
    for (let n = 0; n < count; n += 10)
      await Promise.all(
        Array.from(
          { length: 10 },
          () => manager.spawn({ description: "bench", prompt: "go", subagent_type: "worker" }).done,
        ),
      );
  };
  await round(300);
  const before = heapMb();
  const started = performance.now();
  const cpu = process.cpuUsage();
  await round(runs);
  const { user, system } = process.cpuUsage(cpu);
  const grown = heapMb() - before;
  console.log(
    `${runs} runs, ten at a time: ${((performance.now() - started) / runs).toFixed(2)} ms a run, ${((user + system) / 1_000 / runs).toFixed(2)} ms of processor time`,
  );
  console.log(
    `heap ${before.toFixed(1)} MB before, ${grown >= 0 ? "+" : ""}${grown.toFixed(1)} MB after; running at the end: ${manager.list().length}`,
  );
  return grown < 20 && manager.list().length === 0;
}
