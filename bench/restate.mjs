// `npm run bench -- restate [--NAME SIZE…]`: runs on several machines, all of them on this one: figures beside one process, then every failure so many times.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { buildSync } from "esbuild";
import { provideEngine } from "../scripts/engine.mjs";
import { root } from "./support/root.mjs";

/** How much of each by default; 0 leaves it out. */
const whole = {
  runs: 200,
  turns: 10,
  slow: 50,
  kills: 50,
  live: 200,
  replay: 300,
  queued: 10_000,
  failures: 200,
  minutes: 60,
};

export const summary =
  "runs on two workers with a real engine beside one process, and what fails between machines (" +
  `${Object.entries(whole)
    .map(([name, size]) => `--${name} ${size}`)
    .join(
      " ",
    )}; 0 leaves a part out; --minutes ends a part; --only TEXT: failures whose name has it)`;

function sizesOf(args) {
  const names = [...Object.keys(whole), "only"];
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const { only = "", ...values } = parseArgs({ args, options }).values;
  const sizes = { ...whole };
  for (const [name, text] of Object.entries(values)) {
    const size = Number(text);
    if (!Number.isInteger(size) || size < 0)
      throw new Error(`--${name} ${text}: expected a whole number, 0 to leave it out`);
    sizes[name] = size;
  }
  return { sizes, only };
}

export async function run(args = []) {
  const { sizes, only } = sizesOf(args);
  if (!provideEngine()) {
    console.log("this bench needs restate-server, which npm offers for Linux on x64");
    return false;
  }
  spawnSync(process.execPath, ["scripts/build.mjs", "--cli"], { cwd: root, stdio: "inherit" });
  // Below the root, so that the bundle finds the packages.
  const dir = mkdtempSync(join(root, "node_modules", ".bench-"));
  try {
    const outfile = join(dir, "figures.mjs");
    buildSync({
      entryPoints: [join(root, "test/support/cluster/figures.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      logLevel: "error",
    });
    const { clusterFigures, countFailures } = await import(pathToFileURL(outfile).href);
    const tell = (row) => console.log(JSON.stringify(row));
    const bench = { sizes, only, tell, progress: progressLine() };
    const isWhole = await clusterFigures(bench);
    const isKept = await countFailures(bench);
    // What was given up may still wait for its cluster.
    if (!isWhole) setTimeout(() => process.exit(1), 1_000);
    return isKept && isWhole;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** To where people look, every few seconds. */
function progressLine() {
  let notBefore = 0;
  return (text) => {
    if (Date.now() < notBefore) return;
    notBefore = Date.now() + 5_000;
    console.error(`… ${text}`);
  };
}
