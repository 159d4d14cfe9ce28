// What the disk itself costs: the same runs, in process, once with a store that forgets, once with transcripts, and their very lines written with open, writeSync and close alone.
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const runs = 300;
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

export async function bareWrites(rounds) {
  const { prepare } = await import("./retinue.mjs");
  const plain = await prepare({});
  const onDisk = await prepare({ disk: "never" });
  const folder = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  for (let run = 0; run < runs; run++) {
    await plain();
    await onDisk();
  }
  const files = transcripts(onDisk.folder).slice(-runs);
  const times = { plain: [], disk: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    times.plain.push(await timed(plain));
    times.disk.push(await timed(onDisk));
    times.bare.push(writeAll(files, join(folder, String(round))));
  }
  rmSync(folder, { recursive: true, force: true });
  const [without, disk, bare] = [times.plain, times.disk, times.bare].map((values) => median(values));
  const micro = (value) => `${Math.round(value * 1000)} µs`;
  return `What transcripts add in process, without fsync, CPU time a run (${files[0].length} lines, lock, open and close):\n  ${micro(disk - without)} over the same run without them; the bare open, writeSync and close of the same lines takes ${micro(bare)}: × ${((disk - without) / bare).toFixed(2)}\n`;
}

async function timed(runAgent) {
  const cpu = process.cpuUsage();
  for (let run = 0; run < runs; run++) await runAgent();
  return since(cpu) / runs;
}

function writeAll(files, folder) {
  mkdirSync(folder);
  const cpu = process.cpuUsage();
  for (const [index, lines] of files.entries()) {
    const fd = openSync(join(folder, `${index}.jsonl`), "a", 0o600);
    for (const line of lines) writeSync(fd, line);
    closeSync(fd);
  }
  return since(cpu) / files.length;
}

function since(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function transcripts(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => /subagents.*\.jsonl$/.test(name));
  return names.map((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n").map((line) => `${line}\n`));
}
