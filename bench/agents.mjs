// Many live agents in one process over HTTP, on a model that takes two seconds: memory, turns/s beside the ideal, and the delay of the event loop.
import { fork, spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./support/root.mjs";

export const summary =
  "10,000 live agents over HTTP with a 2 s model, and the event loop while 2,000 start ([AGENTS] [TURNS])";

const folder = join(root, "bench", "agents");

export async function run(args = []) {
  const [agents = 10_000, turns = 3] = args.map(Number);
  const server = fork(join(folder, "server.mjs"), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    const { url } = await new Promise((resolve, reject) => {
      server.once("message", resolve);
      server.once("exit", (code) => reject(new Error(`the model ended with ${code}`)));
    });
    for (const job of [
      { kind: "live", agents, turns, url },
      { kind: "delay", agents: 2_000 },
    ])
      console.log(await worker(job));
  } finally {
    server.kill();
  }
}

async function worker(job) {
  const child = spawn(
    process.execPath,
    ["--expose-gc", join(folder, "worker.mjs"), JSON.stringify(job)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let out = "";
  child.stdout.on("data", (text) => (out += text));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`${job.kind} ended with ${code}`);
  return out.trim();
}
