// `npm run example 07`: one of the examples, bundled and run, since Node 20 runs no TypeScript by itself.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const wanted = process.argv[2] ?? "";
const examples = readdirSync("examples").filter((name) => /^\d\d-.*\.ts$/.test(name));
const name = examples.find((one) => wanted !== "" && one.startsWith(wanted.padStart(2, "0")));
if (name === undefined) {
  console.error(
    `there is no example ${JSON.stringify(wanted)}; npm run example NUMBER:\n  ${examples.join("\n  ")}`,
  );
  process.exit(2);
}
// Beside the examples, so that their packages are found.
const outfile = `examples/.${process.pid}-${name.replace(/\.ts$/, ".mjs")}`;
try {
  await build({
    entryPoints: [`examples/${name}`],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    define: { RETINUE_VERSION: JSON.stringify("example") },
    logLevel: "warning",
  });
  const { status } = spawnSync(process.execPath, [outfile], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(outfile, { force: true });
}
