// A Node process of a bench: what it printed, its time, its processor time and its peak memory.
import { spawn } from "node:child_process";

/** A process with its peak memory and processor time, which it tells on a channel of its own at its end. */
export function measured(args, stdin = "", env = process.env) {
  const preload = `data:text/javascript,${encodeURIComponent(`import { writeSync } from "node:fs"; process.on("exit", () => { const use = process.resourceUsage(); writeSync(3, JSON.stringify({ rssMb: use.maxRSS / 1024, cpuMs: (use.userCPUTime + use.systemCPUTime) / 1000 })); });`)}`;
  const started = performance.now();
  const child = spawn(process.execPath, ["--import", preload, ...args], {
    env,
    stdio: ["pipe", "pipe", "inherit", "pipe"],
  });
  const texts = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk) => (texts[0] += chunk));
  child.stdio[3].setEncoding("utf8").on("data", (chunk) => (texts[1] += chunk));
  child.stdin.end(stdin);
  return new Promise((done) =>
    child.on("close", () =>
      done({ stdout: texts[0], ms: performance.now() - started, ...JSON.parse(texts[1]) }),
    ),
  );
}

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
export const words = ({ ms, cpuMs, rssMb }) =>
  `${seconds(ms)} (${seconds(cpuMs)} of processor), ${Math.round(rssMb)} MB`;
