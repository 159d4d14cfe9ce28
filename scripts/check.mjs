// `npm run check`: format, types, lint, house plan, unused code. Runs all of them and names what failed.
import { spawnSync } from "node:child_process";

const steps = [
  [
    "format",
    "oxfmt",
    ["--check", "src", "test", "bench", "scripts", "examples", "vitest.config.ts"],
  ],
  ["types", "tsc", ["-p", "tsconfig.json"]],
  ["lint", "oxlint", ["--type-aware", "--quiet", "src", "test", "examples"]],
  ["house", "node", ["scripts/check-house.mjs"]],
  ["unused", "knip", ["--no-progress", "--no-config-hints"]],
];

const only = process.argv.slice(2);
const failed = [];
for (const [name, command, args] of steps) {
  if (only.length && !only.includes(name)) continue;
  const started = performance.now();
  const { status } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}` },
  });
  console.log(
    `${status === 0 ? "ok    " : "FAILED"} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (status !== 0) failed.push(name);
}
process.exitCode = failed.length ? 1 : 0;
