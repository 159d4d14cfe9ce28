// Builds the package: the types by tsc, library and command by esbuild. `--cli` builds the command alone; `--watch` keeps doing it.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { bundleCommand, watchCommand } from "./bundle-command.mjs";
import { bundleLibrary } from "./bundle-library.mjs";

const args = new Set(process.argv.slice(2));

if (args.has("--watch")) {
  await watchCommand();
} else {
  if (!args.has("--cli")) {
    rmSync("dist", { recursive: true, force: true });
    const { status } = spawnSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], {
      stdio: "inherit",
    });
    if (status !== 0) process.exit(status ?? 1);
    await bundleLibrary();
  }
  await buildConverter();
  await bundleCommand();
}

/** Turndown and its DOM in one file with their licences: as packages they would be a quarter of the installed size, most of it tests. */
async function buildConverter() {
  await build({
    stdin: { contents: 'module.exports = require("turndown");', resolveDir: process.cwd() },
    outfile: "dist/vendor/turndown.cjs",
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    minify: true,
    logLevel: "warning",
  });
  const licences = ["turndown", "@mixmark-io/domino"].map(
    (name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8")}`,
  );
  writeFileSync("dist/vendor/LICENSES", licences.join("\n\n"));
}
