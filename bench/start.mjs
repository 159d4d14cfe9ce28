// `npm run bench -- start [ROUNDS] [--base COMMIT]`: how long the command takes to start, beside bare Node, beside a raw script that asks the same question, and beside itself at another commit.
import { fork, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBase } from "./support/base-build.mjs";
import { childrenMs, measureName } from "./support/children-ms.mjs";
import { root } from "./support/root.mjs";

export const summary =
  "start of the command beside bare Node, and of a one-turn run beside a raw script and beside another commit ([ROUNDS], 40, [--base COMMIT])";

export async function run(args = []) {
  const at = args.indexOf("--base");
  const commit = at < 0 ? undefined : args[at + 1];
  const [given = 40] = at < 0 ? args : args.filter((_, index) => index !== at && index !== at + 1);
  const rounds = Number(given);
  const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
  if (built.status !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  const server = await startServer();
  const base = commit === undefined ? undefined : buildBase(commit);
  try {
    const [home, project] = ["home", "project"].map((name) => join(folder, name));
    mkdirSync(home);
    mkdirSync(project);
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      ANTHROPIC_API_KEY: "sk-ant-test",
      ANTHROPIC_BASE_URL: server.url,
    };
    const retinue = join(root, "dist", "cli", "retinue.js");
    const commands = {
      "node -e 0": ["-e", "0"],
      "retinue --version": [retinue, "--version"],
      "raw script, one turn": [
        join(root, "bench", "start", "raw-run.mjs"),
        server.url,
        "where is it?",
      ],
      "retinue run, one turn": [retinue, "run", "where is it?"],
      ...(base && { [baseName]: [base.retinue, "run", "where is it?"] }),
    };
    const times = await interleaved(commands, { cwd: project, env, rounds });
    return print(times, rounds);
  } finally {
    server.stop();
    base?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

const baseName = "retinue run at the base";

/** One round of everything after another, so that a busy moment hits all alike. The first round warms the caches and is not counted. */
async function interleaved(commands, { cwd, env, rounds }) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const started = childrenMs();
      const code = await new Promise((resolve) =>
        spawn(process.execPath, args, { cwd, env, stdio: "ignore" }).on("exit", resolve),
      );
      if (code !== 0) throw new Error(`${name} ended with ${code}`);
      if (round > 0) times[name].push(childrenMs() - started);
    }
  }
  return times;
}

function print(times, rounds) {
  const median = (name) => [...times[name]].sort((a, b) => a - b)[rounds >> 1];
  const best = (name) => Math.min(...times[name]);
  console.log(
    `Node ${process.versions.node}; medians of ${rounds}, interleaved, ${measureName}; best in brackets`,
  );
  for (const name of Object.keys(times))
    console.log(
      `  ${name.padEnd(24)} ${median(name).toFixed(0).padStart(5)} ms  (${best(name).toFixed(0)})`,
    );
  const pairs = [
    ["retinue --version", "node -e 0"],
    ["retinue run, one turn", "raw script, one turn"],
    ...(times[baseName] ? [["retinue run, one turn", baseName]] : []),
  ];
  const ratios = pairs.map(([one, other]) => median(one) / median(other));
  for (const [index, [one, other]] of pairs.entries())
    console.log(
      `  ${one} / ${other}: ${ratios[index].toFixed(2)} (best: ${(best(one) / best(other)).toFixed(2)})`,
    );
  // Medians of two builds of nearly the same work differ by a few percent from run to run.
  return ratios.slice(0, 2).every((ratio) => ratio <= 2) && (ratios[2] ?? 0) <= 1.05;
}

function startServer() {
  const child = fork(join(root, "bench", "start", "server.mjs"), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve) =>
    child.once("message", ({ url }) => resolve({ url, stop: () => child.kill() })),
  );
}
