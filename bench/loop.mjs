// `npm run bench -- loop [--rounds N] [--agents N] [--only "a;b"] [--block fake|http] [--peers] [--library FILE]`: createManager().spawn beside pi, a raw loop and the
// bare executor, in one run; with --peers the other libraries too, with --library another commit's built library through the same door.
import { fork, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./support/root.mjs";
import { bareWrites } from "./loop/bare-writes.mjs";

export const summary =
  'createManager().spawn beside pi, a raw loop and the bare executor ([--rounds N] [--agents N] [--only "a;b"] [--block fake|http] [--peers] [--library FILE])';

const folder = join(root, "bench", "loop");
const shortTurns = 10;
const longTurns = 100;
/** A contender that would need longer than this for all agents gets a tenth of them. */
const slowMs = 30_000;

const pi = {
  "pi, its Agent": "@mariozechner/pi-agent-core",
  "pi, bare loop": "@mariozechner/pi-agent-core",
};
const piFiles = { "pi, its Agent": "pi-agent", "pi, bare loop": "pi" };
/** The slower ones, on request. */
const peers = {
  "ai-sdk": "ai",
  "openai-agents": "@openai/agents",
  langgraph: "@langchain/langgraph",
  mastra: "@mastra/core",
  deepagents: "deepagents",
};

const blocks = {
  fake: "in process. The model is a fake of each library's own interface that gives every reply whole (raw, retinue, pi's bare loop) or in pieces as events (pi's Agent, the others). The limit is a hand-written loop that keeps real message objects and checks every tool input with zod.",
  http: "over HTTP. The model is a mock provider in another process: Anthropic's Messages, streamed (OpenAI Agents: chat completions). The limit is the same hand-written loop on global fetch, reading the stream itself.",
};
const scenarios = {
  one: "one agent, 10 tool turns and an answer; median of many runs, one after another",
  long: "one agent, 100 tool turns and an answer",
  many: "AGENTS agents at once, 10 tool turns and an answer each",
};

export async function run(args = []) {
  const option = (name, fallback) =>
    args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : fallback;
  const rounds = Number(option("rounds", 5));
  const agents = Number(option("agents", 1_000));
  if (!existsSync(join(root, "dist", "testing", "index.js")))
    throw new Error("build first: npm run build");
  const contenders = list({
    only: option("only", undefined),
    withPeers: args.includes("--peers"),
    library: option("library", undefined),
  });
  console.log(
    `Node ${process.versions.node}; medians of ${rounds}, every measurement in a process of its own, in random order; × is relative to the raw loop of the same table (turns/s: more is better; elsewhere less).\n`,
  );
  const within = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  process.on("exit", () => rmSync(within, { recursive: true, force: true }));
  process.once("SIGINT", () => process.exit(130));
  for (const block of option("block", "fake,http").split(",")) {
    const rows = await measure(
      block,
      contenders.filter(({ only }) => !only || only === block),
      { rounds, agents, within },
    );
    print(block, rows, agents);
  }
  if (!option("block", "fake").includes("fake")) return;
  tell(`bare writes: ${rounds} rounds`);
  console.log(await bareWrites(rounds, within));
}

function list({ only, withPeers, library }) {
  const require = createRequire(join(root, "bench", "package.json"));
  const own = [
    { name: "raw" },
    { name: "raw on undici", file: "raw-undici", only: "http" },
    { name: "raw, writes our lines", file: "retinue-writes" },
    { name: "retinue" },
    { name: "retinue, no fsync", file: "retinue", options: { fsync: "never" } },
    { name: "retinue, persist: false", file: "retinue", options: { persist: false } },
    { name: "retinue, sentence checked", file: "retinue", options: { sentence: true } },
    { name: "retinue, report of 20 references", file: "retinue", options: { report: true } },
    { name: "bare executor, forgets", file: "retinue-bare" },
    ...(library ? [{ name: "retinue, that library", file: "retinue", options: { library } }] : []),
  ];
  const others = Object.entries(withPeers ? { ...pi, ...peers } : pi).flatMap(
    ([name, packageName]) => {
      try {
        const version = `${packageName} ${versionOf(require, packageName)}`;
        return [{ name, version, ...(piFiles[name] ? { file: piFiles[name] } : {}) }];
      } catch {
        console.log(
          `left out: ${name} (${packageName} is not installed; npm ci --prefix bench --ignore-scripts)`,
        );
        return [];
      }
    },
  );
  const all = [...own, ...others].map((one) => ({ file: one.name, ...one }));
  if (!only) return all;
  // By name; where nobody has that name, all that the file of that name measures.
  return only
    .split(";")
    .flatMap((wanted) => {
      const named = all.filter(({ name }) => name === wanted);
      return named.length > 0 ? named : all.filter(({ file }) => file === wanted);
    })
    .filter((one, index, list) => list.indexOf(one) === index);
}

function versionOf(require, name) {
  for (const path of require.resolve.paths(name))
    if (existsSync(join(path, name, "package.json")))
      return require(join(path, name, "package.json")).version;
  throw new Error(`${name} is not installed`);
}

async function measure(block, contenders, { rounds, agents, within }) {
  const rows = new Map(
    contenders.map((contender) => [
      contender,
      {
        one: [],
        cpuOne: [],
        long: [],
        cpuLong: [],
        many: [],
        cpuMany: [],
        peakRss: [],
        perAgent: [],
        agents,
      },
    ]),
  );
  const phase = async (scenario, repeat) => {
    const jobs = Array.from({ length: repeat }, () => shuffled(contenders)).flat();
    for (const [index, contender] of jobs.entries()) {
      const row = rows.get(contender);
      if (index % contenders.length === 0)
        tell(
          `${block}, ${scenario}: round ${index / contenders.length + 1} of ${repeat}, ${contenders.length} contender${contenders.length === 1 ? "" : "s"}`,
        );
      if (row.failed) continue;
      if (process.stderr.isTTY)
        process.stderr.write(`\r\u001b[K  ${index + 1} of ${jobs.length}, ${contender.name}`);
      try {
        keep(
          row,
          scenario,
          await worker(
            {
              contender: contender.file,
              options: contender.options ?? {},
              report: contender.options?.report ?? false,
              sentence: contender.options?.sentence ?? false,
              turns: scenario === "long" ? longTurns : shortTurns,
              scenario,
              agents: row.agents,
              within,
            },
            block,
          ),
        );
      } catch (error) {
        row.failed = error.message;
      }
    }
  };
  await phase("one", rounds);
  await phase("long", rounds);
  for (const row of rows.values())
    if (!row.failed && median(row.cpuOne) * agents > slowMs)
      row.agents = Math.max(1, Math.round(agents / 10));
  await phase("many", rounds);
  await phase("memory", 1);
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  return rows;
}

/** Minutes pass before the first table: a line says that it goes on, in a log too. */
const tell = (line) => process.stderr.write(`${process.stderr.isTTY ? "\r\u001b[K" : ""}${line}\n`);

function keep(row, scenario, { ms, cpuMs, peakRss, perAgent }) {
  if (scenario === "memory") return void row.perAgent.push(perAgent);
  row[scenario].push(ms);
  if (scenario === "one") return void row.cpuOne.push(cpuMs);
  if (scenario === "long") return void row.cpuLong.push(cpuMs);
  row.cpuMany.push(cpuMs);
  row.peakRss.push(peakRss);
}

async function worker(job, block) {
  const server = block === "http" ? await startServer(job) : undefined;
  try {
    const child = spawn(
      process.execPath,
      [
        ...(job.scenario === "memory" ? ["--expose-gc"] : []),
        join(folder, "worker.mjs"),
        JSON.stringify({ ...job, url: server?.url }),
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let [out, err] = ["", ""];
    child.stdout.on("data", (text) => (out += text));
    child.stderr.on("data", (text) => (err += text));
    const timer = setTimeout(() => child.kill("SIGKILL"), 300_000);
    const code = await new Promise((resolve) => child.on("close", resolve));
    clearTimeout(timer);
    if (code !== 0)
      throw new Error(err.split("\n").find((line) => /Error/.test(line)) ?? `ended with ${code}`);
    return JSON.parse(out.trim().split("\n").at(-1));
  } finally {
    server?.stop();
  }
}

function startServer({ turns, report, sentence }) {
  const child = fork(join(folder, "server.mjs"), [JSON.stringify({ turns, report, sentence })], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    child.once("message", ({ url }) => resolve({ url, stop: () => child.kill() }));
    child.once("exit", (code) => reject(new Error(`the mock provider ended with ${code}`)));
  });
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

function print(block, rows, agents) {
  console.log(`${blocks[block]}\n`);
  console.log(
    `  one:  ${scenarios.one}\n  long: ${scenarios.long}\n  many: ${scenarios.many.replace("AGENTS", agents.toLocaleString("en"))}; * a tenth of that, where it would take too long\n  CPU:  processor time of the contender's own process, which neighbours on the machine change little\n  memory per agent: heap and buffers while all of them wait in their last tool call\n`,
  );
  const [, raw] = [...rows].find(([{ name }]) => name === "raw") ?? [];
  const table = [
    [
      "",
      "one: ms",
      "×",
      "CPU ms",
      "×",
      "long: CPU ms a turn",
      "×",
      "many: turns/s",
      "×",
      "CPU ms a turn",
      "×",
      "peak RSS",
      "memory per agent",
    ],
  ];
  for (const [{ name, version }, row] of rows) {
    const label = version ? `${name} (${version.split(" ").at(-1)})` : name;
    table.push(
      row.failed ? [label, `left out: ${row.failed}`] : [label, ...cells(row, raw ?? row, agents)],
    );
  }
  const widths = table[0].map((_, column) =>
    Math.max(
      ...table.map((row) => (row.length > 2 || column === 0 ? (row[column] ?? "").length : 0)),
    ),
  );
  for (const row of table)
    console.log(
      `  ${row[0].padEnd(widths[0])}  ${
        row.length === 2
          ? row[1]
          : row
              .slice(1)
              .map((cell, column) => cell.padStart(widths[column + 1]))
              .join("  ")
      }`,
    );
  console.log("");
}

function cells(row, raw, agents) {
  const figures = ({ one, cpuOne, cpuLong, many, cpuMany, agents: count }) => ({
    one: median(one),
    cpuOne: median(cpuOne),
    cpuLong: median(cpuLong) / (longTurns + 1),
    rate: (count * 11_000) / median(many),
    cpuTurn: median(cpuMany) / (count * 11),
  });
  const [own, base] = [figures(row), figures(raw)];
  const ratio = (key) => (own[key] / base[key]).toFixed(2);
  const star = row.agents === agents ? "" : "*";
  return [
    own.one.toFixed(2),
    ratio("one"),
    own.cpuOne.toFixed(2),
    ratio("cpuOne"),
    own.cpuLong.toFixed(3),
    ratio("cpuLong"),
    Math.round(own.rate).toLocaleString("en") + star,
    ratio("rate"),
    own.cpuTurn.toFixed(3),
    ratio("cpuTurn"),
    `${Math.round(median(row.peakRss) / 1024 / 1024)} MB${star}`,
    `${(median(row.perAgent) / 1024).toFixed(1)} KB`,
  ];
}

function shuffled(items) {
  const copy = [...items];
  for (let index = copy.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [copy[index], copy[other]] = [copy[other], copy[index]];
  }
  return copy;
}
