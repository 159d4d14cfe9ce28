// Time of one permission decision over every row of test/data/attacks.jsonl that is a decision, on the real disk, after a warm-up.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const layers = new Set(["rules", "path", "profile", "net", "path+sandbox", "sandbox"]);

export const summary = "time of one permission decision over every attack row ([ROUNDS])";

export async function run(args = []) {
  const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 20);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retinue-bench-")));
  try {
    const { readCase, answerCase, pathFacts } = await bundle(folder);
    const cases = prepare(folder, readCase);
    const times = cases.map(() => []);
    const decideAll = (keep) => {
      for (const [index, read] of cases.entries()) {
        const { cwd, home } = read.policy.workspace;
        const started = performance.now();
        answerCase(read, (path) => pathFacts(path, cwd, home));
        if (keep) times[index].push(performance.now() - started);
      }
    };
    for (let round = 0; round < 5; round++) decideAll(false);
    for (let round = 0; round < rounds; round++) decideAll(true);
    report(times, rounds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundle(folder) {
  const root = new URL("..", import.meta.url).pathname;
  const outfile = join(folder, "permissions.mjs");
  const contents =
    'export { readCase, answerCase } from "./src/permissions/check-case.ts"; export { pathFacts } from "./src/base/files/path-facts.ts";';
  await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href);
}

function prepare(folder, readCase) {
  const [ws, out, home] = ["project", "outside", "home"].map((name) => join(folder, name));
  for (const path of [join(ws, ".git"), join(ws, "src"), out, home])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(ws, "src/a.ts"), "export const a = 1;\n");
  const values = {
    WS: ws,
    WSNAME: "project",
    OUT: out,
    OUTREL: "outside",
    HOME: home,
    TRANSCRIPTS: join(home, ".claude/projects/p/s/subagents"),
    OUTPUTS: join(home, ".claude/projects/p/s/tasks"),
    AGENTID: "a0123456789abcdef",
  };
  const lines = readFileSync(new URL("../test/data/attacks.jsonl", import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines
    .map((line) =>
      JSON.parse(line.replaceAll(/\{\{([A-Z]+)\}\}/g, (whole, name) => values[name] ?? whole)),
    )
    .filter((row) => layers.has(row.layer))
    .map((row) => readCase({ ...row, cwd: ws, home }, { cwd: ws, home }))
    .filter((read) => read.ok);
}

const ascending = (values) => values.toSorted((a, b) => a - b);
const percentile = (values, share) =>
  ascending(values)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** The median of a row's rounds is its time: what other programs take from the processor is not the decision's. All samples are shown beside it. */
function report(times, rounds) {
  const line = (name, values) =>
    `${name}: p50 ${percentile(values, 0.5).toFixed(3)} ms, p99 ${percentile(values, 0.99).toFixed(3)} ms, max ${percentile(values, 1).toFixed(3)} ms`;
  const medians = times.map((samples) => percentile(samples, 0.5));
  console.log(`${times.length} decisions, ${rounds} rounds each`);
  console.log(line("median of each decision", medians));
  console.log(line("all samples            ", times.flat()));
  if (percentile(medians, 0.99) >= 5) {
    console.error("p99 is over 5 ms");
    process.exitCode = 1;
  }
}
