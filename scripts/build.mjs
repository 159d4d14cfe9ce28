// Builds the package: the types by tsc, library and command by esbuild. `--cli` builds the command alone; `--watch` keeps doing it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";
import { bundleCommand, watchCommand } from "./bundle-command.mjs";
import { bundleLibrary } from "./bundle-library.mjs";

const args = new Set(process.argv.slice(2));

if (args.has("--watch")) await watchCommand();
else await buildAll({ withLibrary: !args.has("--cli") });

/** Into a folder of its own, which then takes the place of the old one: a command that is linked or runs meanwhile keeps its files until then. */
async function buildAll({ withLibrary }) {
  const fresh = `.dist-${process.pid}`;
  try {
    if (withLibrary) {
      const types = ["-p", "tsconfig.build.json", "--outDir", fresh];
      const { status } = spawnSync("node_modules/.bin/tsc", types, { stdio: "inherit" });
      if (status !== 0) process.exitCode = status ?? 1;
      if (status !== 0) return;
      await bundleLibrary({ folder: fresh });
    }
    await buildConverter(fresh);
    await bundleCommand({ folder: `${fresh}/cli` });
    if (withLibrary) takePlace(fresh, "dist");
    else for (const part of ["vendor", "cli"]) takePlace(`${fresh}/${part}`, `dist/${part}`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function takePlace(fresh, place) {
  const old = `.dist-${process.pid}-old`;
  mkdirSync(dirname(place), { recursive: true });
  if (existsSync(place)) renameSync(place, old);
  renameSync(fresh, place);
  rmSync(old, { recursive: true, force: true });
}

/** Turndown and its DOM in one file with their licences: as packages they would be a quarter of the installed size, most of it tests. */
async function buildConverter(folder) {
  await build({
    stdin: { contents: 'module.exports = require("turndown");', resolveDir: process.cwd() },
    outfile: `${folder}/vendor/turndown.cjs`,
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
  writeFileSync(`${folder}/vendor/LICENSES`, licences.join("\n\n"));
}
