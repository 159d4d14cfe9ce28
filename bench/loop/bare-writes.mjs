// What the disk itself costs: the same runs, in process, once with a store that forgets, once with transcripts, once with a store that does nothing
// but open, writeSync and close with the very lines of a transcript, ready made, and once with one that makes each line by JSON.stringify of the fact.
// All write (or not) at the same moments of the same run: a write between two turns finds colder caches than one in a tight loop.
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

const warmUp = 1_000;
const blocksPerRound = 12;
const runsPerBlock = 20;

export async function bareWrites(rounds, within) {
  const { prepare } = await import("./retinue-bare.mjs");
  const disk = await prepare({ disk: "never", within });
  await disk();
  const transcript = readdirSync(disk.folder, { recursive: true }).find((path) =>
    /subagents.*\.jsonl$/.test(path),
  );
  const lines = readFileSync(join(disk.folder, transcript), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => Buffer.from(`${line}\n`).toString());
  // Beside the transcripts: what a new file costs depends on its folder, on some disks by a factor of ten.
  const folder = dirname(join(disk.folder, transcript));
  const stores = {
    plain: await prepare({ within }),
    disk,
    bare: await prepare({ store: bareStore(folder, lines), within }),
    json: await prepare({ store: jsonStore(folder), within }),
  };
  for (let run = 0; run < warmUp; run++) for (const one of Object.values(stores)) await one();
  const times = { plain: [], disk: [], bare: [], json: [] };
  for (let block = 0; block < rounds * blocksPerRound; block++)
    for (const [name, one] of Object.entries(stores)) times[name].push(await timed(one));
  return report(times, lines.length);
}

let files = 0;
const newFile = (folder) => openSync(join(folder, `bare-${files++}`), "a", 0o600);

/** The first line is the header, which no fact brings along. */
function bareStore(folder, lines) {
  return () => {
    const fd = newFile(folder);
    let next = 0;
    const append = () => writeSync(fd, lines[next++]);
    append();
    const close = () => {
      closeSync(fd);
      if (next !== lines.length) throw new Error(`${next} of ${lines.length} lines were written`);
    };
    return { history: [], lastSeq: 0, append, close };
  };
}

function jsonStore(folder) {
  return () => {
    const fd = newFile(folder);
    return {
      history: [],
      lastSeq: 0,
      append: (fact) => writeSync(fd, `${JSON.stringify(fact)}\n`),
      close: () => closeSync(fd),
    };
  };
}

/** Processor time of one run in milliseconds. */
async function timed(once) {
  const start = process.cpuUsage();
  for (let run = 0; run < runsPerBlock; run++) await once();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / runsPerBlock;
}

const quantile = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)];

function report({ plain, disk, bare, json }, lines) {
  const middle = (values) => quantile(values, 0.5);
  const micro = (value) => `${Math.round(value * 1000)} µs`;
  const ratio = (values, others) => {
    const ratios = values.map((value, block) => value / others[block]);
    return `× ${(middle(values) / middle(others)).toFixed(2)} (quartiles ${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)})`;
  };
  const added = (values) => values.map((value, block) => value - plain[block]);
  const [diskAdds, bareAdds, jsonAdds] = [disk, bare, json].map(added);
  return [
    `Transcripts in process, without fsync, CPU time, medians of ${disk.length} interleaved blocks (a run writes ${lines} lines):`,
    `  a run with transcripts takes ${micro(middle(disk))}; with a bare open, writeSync and close of the same lines in their place ${micro(middle(bare))}: ${ratio(disk, bare)}`,
    `  of that, transcripts add ${micro(middle(diskAdds))} to a run that keeps nothing, the bare writes ${micro(middle(bareAdds))}: ${ratio(diskAdds, bareAdds)}`,
    `  making the lines by JSON.stringify and writing them, nothing else, adds ${micro(middle(jsonAdds))}: ${ratio(jsonAdds, bareAdds)}\n`,
  ].join("\n");
}
