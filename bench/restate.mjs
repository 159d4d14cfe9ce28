// `npm run bench -- restate [FAILURES [SIZE]]`: runs on several machines, all of them on this one: figures beside one process, then every failure so many times.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { provideEngine } from "../scripts/engine.mjs";
import { root } from "./support/root.mjs";

export const summary =
  "runs on two workers with a real engine beside one process, and what fails between machines ([FAILURES [SIZE]], 200 200; 0 leaves a part out)";

export async function run(args = []) {
  const [failures = 200, size = 200] = args.map(Number);
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
    if (size > 0) await clusterFigures(tell, size);
    return failures > 0 ? await countFailures(failures, tell) : true;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
