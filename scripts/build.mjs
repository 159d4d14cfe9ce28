// Builds the package: the library by tsc, the command by esbuild in lazy chunks. `--cli` builds the command alone; `--watch` keeps doing it.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build, context } from "esbuild";

const args = new Set(process.argv.slice(2));
const { version, dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
// Loaded from node_modules at run time: large, rarely needed, or with parts that cannot be bundled.
const external = [...Object.keys(optionalDependencies), "@modelcontextprotocol/client", "chokidar"].filter((name) => name in { ...dependencies, ...optionalDependencies });

const options = {
  entryPoints: { retinue: "src/cli/retinue.ts" },
  outdir: "dist/cli",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Names stay as they are: keeping them in a fully minified file is done anew at every start, which takes longer than reading them.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  chunkNames: "chunks/[name]-[hash]",
  define: { RETINUE_VERSION: JSON.stringify(version) },
  banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  external,
};

if (args.has("--watch")) {
  const watcher = await context({ ...options, logLevel: "info" });
  await watcher.watch();
} else {
  if (!args.has("--cli")) {
    rmSync("dist", { recursive: true, force: true });
    const { status } = spawnSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
  rmSync("dist/cli", { recursive: true, force: true });
  await buildConverter();
  await build({ ...options, logLevel: "warning" });
  chmodSync("dist/cli/retinue.js", 0o755);
}

/** Turndown and its DOM in one file with their licences: as packages they would be a quarter of the installed size, most of it tests. */
async function buildConverter() {
  await build({ stdin: { contents: 'module.exports = require("turndown");', resolveDir: process.cwd() }, outfile: "dist/vendor/turndown.cjs", bundle: true, format: "cjs", platform: "node", target: "node20.19", minify: true, logLevel: "warning" });
  const licences = ["turndown", "@mixmark-io/domino"].map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8")}`);
  writeFileSync("dist/vendor/LICENSES", licences.join("\n\n"));
}
