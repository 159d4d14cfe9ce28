// `npm run bench -- crash [KILLS]`: kill -9 at random moments, of whole runs (with --resume in between) and of a bare transcript writer.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { root } from "./support/root.mjs";

export const summary =
  "kill -9 at random moments: no line lost, no tool call repeated, no process left ([KILLS], 500)";

export async function run(args = []) {
  const kills = Number(args[0] ?? 500);
  spawnSync(process.execPath, ["scripts/build.mjs", "--cli"], { cwd: root, stdio: "inherit" });
  // Below the root, so that the bundle finds esbuild.
  const dir = mkdtempSync(join(root, "node_modules", ".bench-"));
  try {
    const { crashRuns } = await bundled("run-crash", dir);
    const runs = await crashRuns(kills, join(root, "dist", "cli", "retinue.js"));
    for (const line of runs.problems.slice(0, 20)) console.error(line);
    console.log(JSON.stringify({ bench: "whole runs", ...runs, problems: runs.problems.length }));
    const { crashTranscripts } = await bundled("transcript-crash", dir);
    const lines = await crashTranscripts(
      kills,
      join(root, "test/support/transcript-crash-child.ts"),
    );
    for (const line of [...lines.lost, ...lines.problems].slice(0, 20)) console.error(line);
    console.log(
      JSON.stringify({
        bench: "transcript writer",
        ...lines,
        lost: lines.lost.length,
        problems: lines.problems.length,
      }),
    );
    return runs.problems.length + lines.lost.length + lines.problems.length === 0;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function bundled(name, dir) {
  const outfile = join(dir, `${name}.mjs`);
  buildSync({
    entryPoints: [join(root, `test/support/${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["esbuild"],
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href);
}
