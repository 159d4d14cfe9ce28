// `npm run bench -- transcripts [MB]`: cost of an append against a bare write of the same lines, and of loading a large transcript
// against reading the file once. Each load runs in a process of its own so that its memory can be read off.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const agentId = "a0123456789abcdef";
const word =
  'The function reads the file line by line, and "quotes" as well as\ttabs occur in it; größer as well.\n';

export const summary =
  "cost of an append against a bare write, and of loading against reading ([MB], 100)";

/** `only: "resume"` leaves out what no resume meets: the cost of appending, and a conversation that was never summarised. */
export async function run(args = [], { only } = {}) {
  const megabytes = Number(args[0] ?? 100);
  const dir = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  try {
    const modules = await bundle(dir);
    if (!only) console.log(JSON.stringify({ bench: "append", ...appendCost(modules, dir) }));
    for (const boundaryEvery of only ? [200] : [200, 0]) {
      const path = join(dir, `load${boundaryEvery}.jsonl`);
      writeSample(modules, path, { megabytes, boundaryEvery });
      console.log(
        JSON.stringify({
          bench: boundaryEvery ? "load, with boundaries" : "load, no boundary",
          ...loadCost(dir, path),
        }),
      );
    }
    return true;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function bundle(dir) {
  const build = (file) => {
    const outfile = join(dir, `${basename(file)}.mjs`);
    buildSync({
      entryPoints: [join(root, `src/transcripts/${file}.ts`)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
    return import(pathToFileURL(outfile).href);
  };
  return { ...(await build("transcript-writer")), ...(await build("reading/load-transcript")) };
}

const open = ({ openTranscript }, path) =>
  openTranscript({
    secrets: [],
    path,
    sessionId: "11111111-2222-4333-8444-555555555555",
    agentId,
    isMain: false,
    cwd: "/home/me/project",
    version: "0.1.0",
    gitBranch: "main",
    fsync: "never",
    now: Date.now,
    newUuid: () => crypto.randomUUID(),
  });

function fact(seq, size) {
  // Flat, as text from a socket or a file is; repeat alone makes a rope that the first reader pays for.
  const text = Buffer.from(word.repeat(Math.max(1, Math.round(size / word.length)))).toString();
  const stamp = { agentId, runId: "r1", seq, time: Date.now() };
  if (seq % 2)
    return {
      type: "message",
      origin: "tool_results",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `t${seq}`, content: text }],
      },
      ...stamp,
    };
  const usage = {
    input_tokens: 10,
    output_tokens: 20,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  return {
    type: "message",
    origin: "reply",
    message: { role: "assistant", content: [{ type: "text", text }] },
    reply: { id: `m${seq}`, model: "m", stop_reason: "end_turn", usage },
    ...stamp,
  };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Microseconds a line: append, one writeSync of the ready line, and JSON.stringify with writeSync of the ready object. */
function appendCost(modules, dir) {
  const count = 3_000;
  const appended = [];
  const bare = [];
  const serialised = [];
  for (let round = 0; round < 15; round++) {
    const path = join(dir, `append${round}.jsonl`);
    const facts = Array.from({ length: count }, (_, index) =>
      fact(index + 1, [300, 1_500, 6_000][index % 3]),
    );
    const writer = open(modules, path);
    let started = performance.now();
    for (const item of facts) writer.append(item);
    appended.push(((performance.now() - started) * 1_000) / count);
    writer.close();
    const lines = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => `${line}\n`);
    const fd = openSync(join(dir, "bare.jsonl"), "a", 0o600);
    started = performance.now();
    for (const line of lines) writeSync(fd, line);
    bare.push(((performance.now() - started) * 1_000) / count);
    const values = lines.map((line) => JSON.parse(line));
    started = performance.now();
    for (const value of values) writeSync(fd, `${JSON.stringify(value)}\n`);
    serialised.push(((performance.now() - started) * 1_000) / count);
    closeSync(fd);
  }
  // The best rounds: neighbours on the machine only ever add time, and they add it to either side at random.
  const [append, write, serialise] = [appended, bare, serialised].map((rounds) =>
    Math.min(...rounds),
  );
  return {
    appendMicroseconds: round2(append),
    bareWriteMicroseconds: round2(write),
    serialiseAndWriteMicroseconds: round2(serialise),
    ratioToBareWrite: round2(append / write),
    ratioToSerialiseAndWrite: round2(append / serialise),
  };
}

function writeSample(modules, path, { megabytes, boundaryEvery }) {
  const writer = open(modules, path);
  writer.append({ type: "run-start", spec: {}, agentId, runId: "r1", seq: 1, time: 0 });
  for (let seq = 2; seq % 1_000 !== 0 || statSync(path).size < megabytes * 1024 * 1024; seq++) {
    if (boundaryEvery && seq % boundaryEvery === 0)
      writer.append({
        type: "compaction",
        trigger: "auto",
        preTokens: 1,
        summary: "short",
        kept: 20,
        agentId,
        runId: "r1",
        seq,
        time: 0,
      });
    else writer.append(fact(seq, 300 + ((seq * 7_919) % 8_000)));
  }
  writer.close();
}

function loadCost(dir, path) {
  const script = `
    import { readFileSync } from "node:fs";
    import { loadTranscript } from ${JSON.stringify(pathToFileURL(join(dir, "load-transcript.mjs")).href)};
    const started = performance.now();
    const result = process.argv[1] === "read" ? readFileSync(process.argv[2]).length : (await loadTranscript(process.argv[2])).messages.length;
    console.log(JSON.stringify({ ms: performance.now() - started, rss: process.resourceUsage().maxRSS / 1024, result }));`;
  const once = (mode) =>
    JSON.parse(
      spawnSync(process.execPath, ["--input-type=module", "-e", script, mode, path], {
        encoding: "utf8",
      }).stdout,
    );
  once("read");
  const reads = Array.from({ length: 5 }, () => once("read"));
  const loads = Array.from({ length: 5 }, () => once("load"));
  const [read, load] = [median(reads.map(({ ms }) => ms)), median(loads.map(({ ms }) => ms))];
  return {
    megabytes: Math.round(statSync(path).size / 1024 / 1024),
    messages: loads[0].result,
    readMs: round2(read),
    loadMs: round2(load),
    ratio: round2(load / read),
    rssMegabytes: Math.round(Math.max(...loads.map(({ rss }) => rss))),
  };
}

const round2 = (value) => Math.round(value * 100) / 100;

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1;
