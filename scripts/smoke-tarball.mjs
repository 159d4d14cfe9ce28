// Packs the package, installs it without optional packages and without scripts into an empty folder, and uses it there.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const limitMb = 40;
const folder = mkdtempSync(join(tmpdir(), "retinue-tarball-"));
const run = (command, args) =>
  execFileSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

try {
  execFileSync("node", ["scripts/build.mjs"], { stdio: "inherit" });
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "empty", private: true, type: "module" }),
  );
  run("npm", [
    "install",
    "--omit=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    resolve(folder, filename),
  ]);
  const megabytes = Number(run("du", ["-sk", "node_modules"]).split("\t")[0]) / 1024;
  execFileSync("node_modules/.bin/publint", ["--strict"], { stdio: "inherit" });
  const version = run("node_modules/.bin/retinue", ["--version"]).trim();
  const library = run("node", [
    "-e",
    'import("retinue").then((m) => import("retinue/testing").then((t) => console.log(typeof m.RetinueError, typeof t.scriptedModel)))',
  ]).trim();
  run("node_modules/.bin/retinue", ["demo"]);
  console.log(
    `retinue ${version}: ${megabytes.toFixed(1)} MB installed (limit ${limitMb}), demo ran, library: ${library}`,
  );
  if (megabytes > limitMb)
    throw new Error(`${megabytes.toFixed(1)} MB installed, the limit is ${limitMb}`);
  if (library.includes("undefined")) throw new Error(`the library lacks an export: ${library}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
