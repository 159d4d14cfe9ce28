// `npm run bench -- simulate [SEEDS [FROM]]`: worlds from seeds, with faults in model, tools, hooks and disk and a crash at any moment. `--seed N` replays one.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { root } from "./support/root.mjs";

export const summary =
  "seeded worlds of faults, crashes and resumes in which every promise must hold ([SEEDS [FROM]], 10000; --seed N replays one)";

export async function run(args = []) {
  // Below the root, so that the bundle finds the packages.
  const dir = mkdtempSync(join(root, "node_modules", ".bench-"));
  try {
    const outfile = join(dir, "simulate.mjs");
    buildSync({
      entryPoints: [join(root, "test/simulation/simulate.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      logLevel: "error",
    });
    const { openSimulation } = await import(pathToFileURL(outfile).href);
    const simulation = openSimulation();
    try {
      if (args[0] === "--seed") return await replay(simulation, Number(args[1]));
      const [seeds = 10_000, from = 1] = args.map(Number);
      return await all(simulation, { seeds, from });
    } finally {
      simulation.close();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function replay(simulation, seed) {
  const { trace, problems } = await simulation.run(seed);
  for (const line of trace) console.log(line);
  for (const line of problems) console.error(line);
  console.log(JSON.stringify({ bench: "simulate", seed, problems: problems.length }));
  return problems.length === 0;
}

async function all(simulation, { seeds, from }) {
  const started = performance.now();
  const totals = {};
  const failed = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const { problems, counts } = await simulation.run(seed);
    for (const [what, times] of Object.entries(counts)) totals[what] = (totals[what] ?? 0) + times;
    if (problems.length === 0) continue;
    failed.push(seed);
    if (failed.length <= 12)
      for (const line of problems.slice(0, 2))
        console.error(line.split("\n", 4).join("\n").slice(0, 600));
  }
  const seconds = (performance.now() - started) / 1000;
  console.log(
    JSON.stringify({
      bench: "simulate",
      seeds,
      from,
      failed: failed.slice(0, 50),
      failures: failed.length,
      seeds_per_second: Math.round(seeds / seconds),
      totals,
    }),
  );
  if (failed.length > 0) console.error(`replay: npm run bench -- simulate --seed ${failed[0]}`);
  return failed.length === 0;
}
