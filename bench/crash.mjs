// `npm run bench -- crash [KILLS]`: kills a transcript writer at random moments and reports whether an acknowledged line was lost.
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export async function run(args = []) {
  const kills = Number(args[0] ?? 500);
  // Below the root, so that the bundle finds esbuild.
  const dir = mkdtempSync(join(root, "node_modules", ".bench-"));
  try {
    const outfile = join(dir, "crash.mjs");
    buildSync({ entryPoints: [join(root, "test/support/transcript-crash.ts")], outfile, bundle: true, platform: "node", format: "esm", external: ["esbuild"], logLevel: "error" });
    const { crashTranscripts } = await import(pathToFileURL(outfile).href);
    const report = await crashTranscripts(kills, join(root, "test/support/transcript-crash-child.ts"));
    for (const line of [...report.lost, ...report.problems].slice(0, 20)) console.error(line);
    console.log(JSON.stringify({ ...report, lost: report.lost.length, problems: report.problems.length }));
    return report.lost.length + report.problems.length === 0;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1;
