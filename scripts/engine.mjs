// The engine that the tests and benches of several machines start: a program for Linux on x64 alone, so it is no
// dependency that every machine would have to install.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const name = "@restatedev/restate-server-linux-x64";
const version = "1.7.12";
// A bench bundles this file below node_modules: the project is the folder that holds it as a script.
const home = (folder) =>
  existsSync(join(folder, "scripts/engine.mjs")) ? folder : home(dirname(folder));
const folder = join(home(dirname(fileURLToPath(import.meta.url))), "node_modules/.engine", version);
const binary = join(folder, "node_modules", name, "bin", "restate-server");

/** Its path; undefined where it is not installed. */
export const enginePath = () => (existsSync(binary) ? binary : undefined);

/** Installs it where it can run and is not there yet. Undefined where it cannot be had. */
export function provideEngine() {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  if (enginePath()) return binary;
  mkdirSync(folder, { recursive: true });
  console.log(`installing for the tests: ${name}`);
  const flags = "--no-save --no-package-lock --no-audit --no-fund --ignore-scripts".split(" ");
  spawnSync("npm", ["install", ...flags, "--prefix", folder, `${name}@${version}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return enginePath();
}
