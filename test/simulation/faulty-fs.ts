// The disk under the transcripts: real files, and now and then a write that is short, refused or cut off by a crash, an fsync that
// fails, or a file that somebody else shortens.
import * as fs from "node:fs";
import type { TranscriptFs } from "../../src/transcripts/transcript-file.ts";
import { count, currentLife, note, problem, step, type ProcessLife, type World } from "./world.ts";

export type FaultyFs = TranscriptFs & { /** Files that are open for writing. */ open(): string[] };

const ioError = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code });

export function faultyFs(world: World, process: ProcessLife): FaultyFs {
  const random = world.random.fork(`disk ${process.number}`);
  // Most worlds have a sound disk: a fault ends a run, and then nothing else can be seen in it.
  const rate = random.weighted([
    [3, 0],
    [1, 0.004],
    [1, 0.02],
  ]);
  const paths = new Map<number, string>();
  const settled = new Set<number>();
  const fails = (fd: number, what: string, times = 1): boolean => {
    if (world.isCalm || !process.isAlive || !random.chance(rate * times)) return false;
    const path = paths.get(fd)!;
    note(world, `disk: ${what} ${path.slice(-12)}`);
    count(world, `disk:${what}`);
    currentLife(world, agentIdOf(path))?.faults.push(what);
    return true;
  };
  return {
    putsOff: false,
    open: () => [...paths.values()],
    openSync(path, flags, mode) {
      step(world, process, "open");
      if ([...paths.values()].includes(path)) problem(world, `P4: two writers have ${path} open`);
      const fd = fs.openSync(path, flags, mode);
      paths.set(fd, path);
      return fd;
    },
    closeSync(fd) {
      paths.delete(fd);
      settled.delete(fd);
      fs.closeSync(fd);
    },
    writeSync(fd, bytes, offset, length) {
      step(world, process, "before a write");
      if (fails(fd, "ENOSPC")) throw ioError("ENOSPC");
      if (fails(fd, "short write")) return fs.writeSync(fd, bytes, offset, random.int(length));
      const size = fs.fstatSync(fd).size;
      step(world, process, "in a write", () =>
        fs.writeSync(fd, bytes, offset, 1 + random.int(length - 1)),
      );
      // The ghost goes on as if nothing had been.
      if (!process.isAlive) fs.ftruncateSync(fd, size);
      const written = fs.writeSync(fd, bytes, offset, length);
      step(world, process, "after a write");
      return written;
    },
    fsyncSync(fd) {
      step(world, process, "fsync");
      if (fails(fd, "EIO")) throw ioError("EIO");
    },
    fsync(fd, done) {
      const delay = random.int(5);
      world.time.later(delay, () => {
        step(world, process, "fsync");
        done(fails(fd, "EIO") ? ioError("EIO") : null);
      });
    },
    ftruncateSync(fd, length) {
      if (!world.isCalm && random.chance(rate * 20)) throw ioError("EIO");
      fs.ftruncateSync(fd, length);
    },
    fstatSync(fd) {
      const stat = fs.fstatSync(fd);
      const path = paths.get(fd)!;
      // Not in the moment of opening: nobody could tell a shorter file from one that was always so.
      const isOpening = !settled.has(fd);
      settled.add(fd);
      // A run looks at its file far less often than it writes.
      if (isOpening || stat.size === 0 || !fails(fd, "shrink", 5)) return stat;
      const size = random.int(stat.size);
      const before = callsIn(path);
      fs.ftruncateSync(fd, size);
      world.shrunk.set(
        agentIdOf(path),
        Math.min(size, world.shrunk.get(agentIdOf(path)) ?? Infinity),
      );
      const left = callsIn(path);
      for (const id of before) if (!left.has(id)) forget(world, id);
      return fs.fstatSync(fd);
    },
  };
}

/** Ids of the calls in whole lines. */
function callsIn(path: string): Set<string> {
  const lines = fs.readFileSync(path, "utf8").split("\n").slice(0, -1);
  return new Set(
    lines
      .filter((line) => line.startsWith('{"type":"assistant"'))
      .flatMap((line) => line.match(/toolu_\d+_\d+(?=")/g) ?? []),
  );
}

function forget(world: World, toolUseId: string): void {
  world.lostCalls.add(toolUseId);
  world.forbidden.delete(toolUseId);
}

export const agentIdOf = (path: string): string => /agent-(a[0-9a-f]{16})/.exec(path)?.[1] ?? "";
