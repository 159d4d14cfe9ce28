// The properties of test/shell-property.test.ts at length: `npm run bench -- shell [COUNT] [SEED]`
// runs every allowed text out of five million that hide a command, on a thread for each processor;
// `npm run bench -- shell commands [COUNT] [SEED]` compares what the full reader foresees.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { build } from "esbuild";

export const summary =
  "random shell texts: what is allowed and what is foreseen against a real bash ([commands] [COUNT] [SEED])";

export async function run(args = []) {
  const isCommands = args[0] === "commands";
  const [count, seed = "1"] = args.filter((arg) => /^\d+$/.test(arg));
  if (isCommands) await foresee(Number(count ?? 100_000), Number(seed));
  else await hide(Number(count ?? 5_000_000), Number(seed));
}

/** Calls `use` with the address of the bundled module. */
async function bundled(name, use) {
  const folder = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  const outfile = join(folder, `${name}.mjs`);
  try {
    await build({
      entryPoints: [`test/${name}.ts`],
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      outfile,
      logLevel: "error",
    });
    await use(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Adds round after round of `size`, some at once; `add` gives the line of what was found so far.
 * A lane is what makes one round at a time.
 */
async function rounds({ count, size, lanes }, add) {
  const started = performance.now();
  let [done, round] = [0, 0];
  const drive = async (lane) => {
    while (done < count) {
      const next = Math.min(size, count - done);
      done += next;
      const line = await add(round++, next, lane);
      console.error(`${line}, ${Math.round((performance.now() - started) / 1000)} s`);
    }
  };
  await Promise.all(lanes.map(drive));
}

async function hide(count, seed) {
  const sum = { texts: 0, allowed: 0, inert: 0, inertAllowed: 0, executed: 0, littered: 0, ran: 0 };
  await bundled("shell-differential", async (module) => {
    const lanes = Array.from(
      { length: availableParallelism() },
      () => new Worker(new URL(import.meta.url), { workerData: { module } }),
    );
    await rounds({ count, size: 100_000, lanes }, async (round, next, lane) => {
      lane.postMessage({ seed: seed + round, count: next });
      const [{ ran, ...counts }] = await once(lane, "message");
      for (const item of ran) console.log(JSON.stringify({ seed: seed + round, ...item }));
      for (const [key, value] of Object.entries(counts)) sum[key] += value;
      sum.ran += ran.length;
      return `${sum.texts} texts, ${sum.allowed} allowed, ${sum.executed} run, ${sum.ran} hidden commands ran`;
    });
    for (const lane of lanes) await lane.terminate();
  });
  console.log(JSON.stringify({ ...sum, inertShare: sum.inertAllowed / sum.inert }));
  process.exitCode = sum.ran > 0 || sum.inertAllowed < sum.inert * 0.05 ? 1 : 0;
}

// One lane: the texts that it has run are not run again.
if (workerData?.module) {
  const { tryTexts } = await import(workerData.module);
  const decided = new Map();
  parentPort.on("message", async (given) =>
    parentPort.postMessage(await tryTexts({ ...given, decided })),
  );
}

async function foresee(count, seed) {
  const sum = { cases: 0, executed: 0, foreseeable: 0, surprises: 0 };
  await bundled("shell-oracle", async (module) => {
    const { tryCommands } = await import(module);
    await rounds({ count, size: 5_000, lanes: [0] }, async (round, next) => {
      const workers = availableParallelism();
      const outcome = await tryCommands({ seed: seed + round, count: next, workers });
      for (const surprise of outcome.surprises)
        console.log(JSON.stringify({ seed: seed + round, ...surprise }));
      sum.cases += outcome.cases;
      sum.executed += outcome.executed;
      sum.foreseeable += outcome.foreseeable;
      sum.surprises += outcome.surprises.length;
      return `${sum.cases} commands, ${sum.executed} executions, ${sum.surprises} surprises`;
    });
  });
  console.log(JSON.stringify(sum));
  process.exitCode = sum.surprises ? 1 : 0;
}
