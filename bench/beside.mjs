// `npm run bench -- beside COMMIT [--rounds N] [--only a,b]`: every bench of docs/performance.md that both commits have, run in turn here and in a worktree of the other commit, each by its own script.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildBase } from "./support/base-build.mjs";
import { root } from "./support/root.mjs";

export const summary =
  "the benches of docs/performance.md beside themselves at another commit (COMMIT [--rounds N] [--only a,b])";

/** Sizes that keep one round of all of them within some minutes. */
const benches = {
  start: ["10"],
  crash: ["20"],
  fanout: [],
  transcripts: ["20"],
  permissions: ["5"],
  background: ["200"],
  resume: ["20"],
  definitions: [],
  explore: [],
  "many-files": ["200000"],
};
/** What differs by more than a tenth is marked; whether that is better depends on the figure. */
const allowed = 1.1;

export async function run(args = []) {
  const [commit] = args;
  if (!commit || commit.startsWith("--")) {
    console.error("name the commit to compare with: npm run bench -- beside c3ccfbd");
    return false;
  }
  const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const rounds = Number(option("--rounds") ?? 3);
  const only = option("--only")?.split(",");
  const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
  if (built.status !== 0) return false;
  const base = buildBase(commit, { whole: true });
  try {
    let doesRun = !only || only.includes("loop") ? besideLoop(base.folder, rounds) : true;
    for (const [name, given] of Object.entries(benches)) {
      if (only && !only.includes(name)) continue;
      if (!existsSync(join(base.folder, "bench", `${name}.mjs`))) {
        console.log(`${name}: ${commit} does not have it`);
        continue;
      }
      doesRun = besideOne(name, given, { commit, folder: base.folder, rounds }) && doesRun;
    }
    return doesRun;
  } finally {
    base.remove();
  }
}

/** The loop's bench of another commit may enter by another door: this one's measures both libraries. */
function besideLoop(folder, rounds) {
  const library = join(folder, "dist", "app", "index.js");
  const which = ["--only", "raw;retinue;retinue, that library", "--library", library];
  const given = ["--rounds", String(rounds), "--agents", "200", ...which];
  const { status } = spawnSync(process.execPath, ["bench/run.mjs", "loop", ...given], {
    cwd: root,
    stdio: "inherit",
  });
  return status === 0;
}

/** The order changes with every round, so that neither side always has the warmer machine. */
function besideOne(name, given, { commit, folder, rounds }) {
  const runs = { now: [], then: [] };
  for (let round = 0; round < rounds; round++) {
    const sides = [
      ["now", root],
      ["then", folder],
    ];
    for (const [side, tree] of round % 2 === 0 ? sides : sides.reverse())
      runs[side].push(measured(tree, name, given));
  }
  const failed = ["now", "then"].filter((side) => runs[side].some((one) => one === undefined));
  if (failed.length > 0) {
    console.log(`\n${name}: it does not run ${failed.join(" and ")}`);
    return !failed.includes("now");
  }
  const [now, then] = [medians(runs.now), medians(runs.then)];
  console.log(`\n${name} ${given.join(" ")} (medians of ${rounds}; now, ${commit}, ratio)`);
  for (const [key, value] of now) {
    if (!then.has(key)) continue;
    const ratio = value / then.get(key);
    const mark = Math.abs(ratio - 1) > allowed - 1 ? "  *" : "";
    console.log(
      `  ${key.padEnd(58)} ${figure(value)} ${figure(then.get(key))} ${ratio.toFixed(2)}${mark}`,
    );
  }
  return true;
}

const figure = (value) => String(Number(value.toPrecision(4))).padStart(12);

/** Undefined where the bench does not run to its end. A bench whose goal is missed ends with 1 and has its figures. */
function measured(tree, name, given) {
  const bench = timed(tree, ["bench/run.mjs", name, ...given]);
  const isStopped = bench.status !== 0 && bench.status !== 1;
  if (!bench.cpu || isStopped || /^\s+at .*:\d+:\d+\)?$/m.test(bench.stderr)) {
    console.error(`${name} in ${tree}: ${bench.stderr.trim().slice(-600)}`);
    return undefined;
  }
  const build = buildWithin(tree, name);
  return new Map([
    // A bench that has grown since takes longer as a whole: its own figures say more.
    ["processor time of the whole bench, without its build, s", bench.cpu - build.cpu],
    ["time of the whole bench, without its build, s", bench.clock - build.clock],
    ...printed(bench.stdout),
  ]);
}

/** What the build that some benches begin with takes: it is no figure of the product. */
function buildWithin(tree, name) {
  const own = readFileSync(join(tree, "bench", `${name}.mjs`), "utf8");
  if (!own.includes("scripts/build.mjs")) return { cpu: 0, clock: 0 };
  const { cpu, clock } = timed(tree, ["scripts/build.mjs", "--cli"]);
  return { cpu: cpu ?? 0, clock: clock ?? 0 };
}

function timed(cwd, words) {
  const script = 'TIMEFORMAT="cpu %U %S %R"; time "$@"';
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["-c", script, "bash", process.execPath, ...words],
    { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  const [, user, system, clock] = /^cpu ([\d.]+) ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? [];
  return {
    status,
    stdout,
    stderr,
    ...(clock ? { cpu: Number(user) + Number(system), clock: Number(clock) } : {}),
  };
}

/** Numbers of what a bench prints, by the words before them: only what both sides print alike is compared. */
function printed(text) {
  const found = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    const data = line.startsWith("{") ? asJson(line) : undefined;
    if (data) {
      for (const [key, value] of Object.entries(data))
        if (typeof value === "number" && value > 0)
          found.push([`${data.bench ?? ""} ${key}`.trim(), value]);
      continue;
    }
    const label = /^[^\d]{3,60}?(?=[\s:,(]*-?\d)/.exec(line)?.[0].trim();
    const numbers = line.slice(label?.length ?? 0).match(/\d[\d,]*(?:\.\d+)?/g) ?? [];
    if (label)
      numbers.forEach((number, index) => {
        const value = Number(number.replaceAll(",", ""));
        if (value > 0) found.push([`${label} #${index + 1}`, value]);
      });
  }
  return found;
}

function asJson(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function medians(runs) {
  const keys = [...runs[0].keys()].filter((key) => runs.every((one) => one.has(key)));
  return new Map(
    keys.map((key) => {
      const sorted = runs.map((one) => one.get(key)).sort((a, b) => a - b);
      return [key, sorted[Math.floor(sorted.length / 2)]];
    }),
  );
}
