// The properties of test/shell-property.test.ts at length: `npm run bench -- shell [COUNT] [SEED]`
// runs every allowed text out of
// five million that hide a command; `npm run bench -- shell commands [COUNT] [SEED]` compares what
// the full reader foresees.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

export const summary =
  "random shell texts: what is allowed and what is foreseen against a real bash ([commands] [COUNT] [SEED])";

export async function run(args = []) {
  const isCommands = args[0] === "commands";
  const [count, seed = "1"] = args.filter((arg) => /^\d+$/.test(arg));
  if (isCommands) await foresee(Number(count ?? 100_000), Number(seed));
  else await hide(Number(count ?? 5_000_000), Number(seed));
}

async function load(name) {
  const folder = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [`test/${name}.ts`],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    outfile,
    logLevel: "error",
  });
  const loaded = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true, force: true });
  return loaded;
}

/** Adds round after round of `size`; `add` gives the line of what was found so far. */
async function rounds(count, size, add) {
  const started = performance.now();
  for (let done = 0, round = 0; done < count; round += 1) {
    const next = Math.min(size, count - done);
    const line = await add(round, next);
    done += next;
    console.error(`${line}, ${Math.round((performance.now() - started) / 1000)} s`);
  }
}

async function hide(count, seed) {
  const { tryTexts } = await load("shell-differential");
  const sum = { texts: 0, allowed: 0, inert: 0, inertAllowed: 0, ran: 0 };
  await rounds(count, 100_000, async (round, next) => {
    const { ran, ...counts } = await tryTexts({ seed: seed + round, count: next });
    for (const item of ran) console.log(JSON.stringify({ seed: seed + round, ...item }));
    for (const [key, value] of Object.entries(counts)) sum[key] += value;
    sum.ran += ran.length;
    return `${sum.texts} texts, ${sum.allowed} allowed, ${sum.ran} hidden commands ran`;
  });
  console.log(JSON.stringify({ ...sum, inertShare: sum.inertAllowed / sum.inert }));
  process.exitCode = sum.ran ? 1 : 0;
}

async function foresee(count, seed) {
  const { tryCommands } = await load("shell-oracle");
  const sum = { cases: 0, executed: 0, foreseeable: 0, surprises: 0 };
  await rounds(count, 5_000, async (round, next) => {
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
  console.log(JSON.stringify(sum));
  process.exitCode = sum.surprises ? 1 : 0;
}
