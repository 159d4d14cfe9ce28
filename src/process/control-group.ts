// A control group for the commands of one run, where the system lets us make one: a cap on processes and memory that holds for root too.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";

export type GroupCaps = { processes: number; memoryBytes: number };

export type ControlGroup = {
  /** A process that writes its id into each of them belongs to the group, and all that it starts. */
  joinFiles: string[];
  close(): void;
};

type Hierarchy = { folder: string; caps: (caps: GroupCaps) => [file: string, value: number][] };

const old: Hierarchy[] = [
  { folder: "/sys/fs/cgroup/pids", caps: ({ processes }) => [["pids.max", processes]] },
  { folder: "/sys/fs/cgroup/memory", caps: ({ memoryBytes }) => [["memory.limit_in_bytes", memoryBytes]] },
];
const unified: Hierarchy = { folder: "/sys/fs/cgroup", caps: ({ processes, memoryBytes }) => [["pids.max", processes], ["memory.max", memoryBytes]] };

/** Undefined where none can be made; a limit of the user's processes has to do then, which does not bind root. */
export function createControlGroup(caps: GroupCaps): ControlGroup | undefined {
  const name = `retinue-${process.pid}-${randomBytes(4).toString("hex")}`;
  const hierarchies = isFile("/sys/fs/cgroup/cgroup.controllers") ? [unified] : old;
  const made = hierarchies.map((hierarchy) => open(hierarchy, name, caps)).filter((folder) => folder !== undefined);
  if (made.length === 0) return undefined;
  return { joinFiles: made.map((folder) => join(folder, "cgroup.procs")), close: () => made.forEach(remove) };
}

function open({ folder, caps: capsOf }: Hierarchy, name: string, caps: GroupCaps): string | undefined {
  const own = join(folder, name);
  try {
    removeLeftovers(folder);
    mkdirSync(own);
    for (const [file, value] of capsOf(caps)) writeFileSync(join(own, file), `${value}`);
    return own;
  } catch {
    remove(own);
    return undefined;
  }
}

/** Groups of hosts that were killed: they are empty, and the name says whose they were. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = /^retinue-(\d+)-[0-9a-f]+$/.exec(name)?.[1];
    if (owner !== undefined && !isFile(`/proc/${owner}/stat`)) remove(join(folder, name));
  }
}

function remove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not made, or not empty yet; the next host removes it.
  }
}

function isFile(path: string): boolean {
  try {
    return readFileSync(path).length >= 0;
  } catch {
    return false;
  }
}
