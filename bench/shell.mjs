// The property of test/shell-property.test.ts at length: `npm run bench -- shell [count] [seed]`. Prints the seed and index of every surprise.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const roundSize = 5_000;

export const summary =
  "random commands: what the analysis foresees against what a real bash does ([COUNT] [SEED])";

export async function run([count = "100000", seed = "1"]) {
  const folder = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  const outfile = join(folder, "oracle.mjs");
  await build({
    entryPoints: ["test/shell-oracle.ts"],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    outfile,
    logLevel: "error",
  });
  const { tryCommands } = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true, force: true });
  const started = performance.now();
  const sum = { cases: 0, executed: 0, foreseeable: 0, surprises: 0 };
  for (let round = 0; sum.cases < Number(count); round += 1) {
    const roundSeed = Number(seed) + round;
    const outcome = await tryCommands({
      seed: roundSeed,
      count: Math.min(roundSize, Number(count) - sum.cases),
      workers: availableParallelism(),
    });
    for (const surprise of outcome.surprises)
      console.log(JSON.stringify({ seed: roundSeed, ...surprise }));
    sum.cases += outcome.cases;
    sum.executed += outcome.executed;
    sum.foreseeable += outcome.foreseeable;
    sum.surprises += outcome.surprises.length;
    console.error(
      `${sum.cases} commands, ${sum.executed} executions, ${sum.surprises} surprises, ${Math.round((performance.now() - started) / 1000)} s`,
    );
  }
  console.log(JSON.stringify(sum));
  process.exitCode = sum.surprises ? 1 : 0;
}
