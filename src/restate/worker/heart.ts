// Says whether this process lives, from a thread of its own: a run with a large result, or a machine
// whose cores are taken, may keep the main thread from answering for seconds. A balancer that took
// this for death would have its runs begun again, on a machine that is just as busy.
import { Worker } from "node:worker_threads";
import { RetinueError, errorText } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";

type HeartAddress = { host: string; port: number };

export type Heart = { port: number; close(): Promise<void> };

// CommonJS as text, because a thread needs a file or a text, and a bundle has no separate file for
// it.
const program = `
const { createServer } = require("node:http");
const { parentPort, workerData } = require("node:worker_threads");
const { host, port, beats, stalledMs } = workerData;
let heard = -1;
let heardAt = 0;
const server = createServer((request, response) => {
  const beat = Atomics.load(beats, 0);
  if (beat !== heard) heardAt = performance.now();
  heard = beat;
  const isAlive = performance.now() - heardAt < stalledMs;
  response.writeHead(isAlive ? 200 : 503, { "cache-control": "no-store" }).end(isAlive ? "alive" : "stalled");
});
server.listen(port, host, () => parentPort.postMessage(server.address().port));
`;

/** Answers every request: 200, or 503 when the main thread has done nothing for a minute. */
export async function startHeart({ host, port }: HeartAddress): Promise<Heart> {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { host, port, beats, stalledMs: limits.restate.stalledMs };
  const thread = new Worker(program, { eval: true, env: {}, workerData });
  const listening = await new Promise<number>((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", (error) =>
      reject(
        new RetinueError("usage", `${host}:${port} cannot be listened on: ${errorText(error)}`),
      ),
    );
  });
  // A thread that fails later is seen by whoever asks it.
  thread.on("error", () => undefined);
  thread.unref();
  const timer = setInterval(() => Atomics.add(beats, 0, 1), limits.restate.beatMs);
  timer.unref();
  return {
    port: listening,
    async close() {
      clearInterval(timer);
      await thread.terminate();
    },
  };
}
