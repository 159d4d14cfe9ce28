// What the disk itself costs: the same runs, in process, once with a store that forgets, once with transcripts, and once with a store that does nothing
// but open, writeSync and close with the very lines of a transcript. All three write (or not) at the same moments of the same run: a write between
// two turns finds colder caches than one in a tight loop, and that is no matter of transcripts. The tight loop is told beside it.
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

const warmUp = 300;
const blocksPerRound = 12;
const runsPerBlock = 20;

export async function bareWrites(rounds, within) {
  const { prepare } = await import("./retinue.mjs");
  const plain = await prepare({ within });
  const disk = await prepare({ disk: "never", within });
  await disk();
  const transcript = readdirSync(disk.folder, { recursive: true }).find((path) => /subagents.*\.jsonl$/.test(path));
  const lines = readFileSync(join(disk.folder, transcript), "utf8").trimEnd().split("\n").map((line) => Buffer.from(`${line}\n`).toString());
  // Beside the transcripts: what a new file costs depends on its folder, on some disks by a factor of ten.
  const folder = dirname(join(disk.folder, transcript));
  const bare = await prepare({ store: bareStore(folder, lines), within });
  const tight = () => writeAll(folder, lines);
  for (let run = 0; run < warmUp; run++) for (const one of [plain, disk, bare]) await one();
  const times = { plain: [], disk: [], bare: [], tight: [] };
  for (let block = 0; block < rounds * blocksPerRound; block++) {
    times.plain.push(await timed(plain));
    times.disk.push(await timed(disk));
    times.bare.push(await timed(bare));
    times.tight.push(await timed(tight));
  }
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

function writeAll(folder, lines) {
  const fd = newFile(folder);
  for (const line of lines) writeSync(fd, line);
  closeSync(fd);
}

/** Processor time of one run in milliseconds. */
async function timed(once) {
  const start = process.cpuUsage();
  for (let run = 0; run < runsPerBlock; run++) await once();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / runsPerBlock;
}

const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor(values.length * part)];

function report({ plain, disk, bare, tight }, lines) {
  const added = disk.map((value, block) => value - plain[block]);
  const bareAdded = bare.map((value, block) => value - plain[block]);
  const ratios = added.map((value, block) => value / bareAdded[block]);
  const middle = (values) => quantile(values, 0.5);
  const micro = (value) => `${Math.round(value * 1000)} µs`;
  return [
    `What transcripts add in process, without fsync, CPU time a run (${lines} lines, lock, open and close), medians of ${disk.length} interleaved blocks:`,
    `  ${micro(middle(added))} over the same run without them; the bare open, writeSync and close of the same lines in the same run adds ${micro(middle(bareAdded))}: × ${(middle(added) / middle(bareAdded)).toFixed(2)} (quartiles ${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)})`,
    `  in a tight loop of its own, beside no run, the bare side takes ${micro(middle(tight))}: × ${(middle(added) / middle(tight)).toFixed(2)}\n`,
  ].join("\n");
}
