// A control group for the commands of one run, where the system lets us make one: a cap on processes and memory that holds for root too.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";

export type GroupCaps = { processes: number; memoryBytes: number };

export type ControlGroup = {
  /** A process that writes its id into each of them belongs to the group, and all that it starts. */
  joinFiles: string[];
  close(): void;
};

/** `controller` as /proc/self/cgroup names it. */
type Hierarchy = { controller: string; mount: string; caps: (caps: GroupCaps) => [file: string, value: number][] };

const old: Hierarchy[] = [
  { controller: "pids", mount: "/sys/fs/cgroup/pids", caps: ({ processes }) => [["pids.max", processes]] },
  { controller: "memory", mount: "/sys/fs/cgroup/memory", caps: ({ memoryBytes }) => [["memory.limit_in_bytes", memoryBytes]] },
];
const unified: Hierarchy = { controller: "", mount: "/sys/fs/cgroup", caps: ({ processes, memoryBytes }) => [["pids.max", processes], ["memory.max", memoryBytes]] };

/** Undefined where none can be made; a limit of the user's processes has to do then, which does not bind root. */
export function createControlGroup(caps: GroupCaps): ControlGroup | undefined {
  const name = `retinue-${process.pid}-${randomBytes(4).toString("hex")}`;
  const hierarchies = isFile("/sys/fs/cgroup/cgroup.controllers") ? [unified] : old;
  const made = hierarchies.map((hierarchy) => open(hierarchy, name, caps)).filter((folder) => folder !== undefined);
  if (made.length === 0) return undefined;
  return { joinFiles: made.map((folder) => join(folder, "cgroup.procs")), close: () => made.forEach(remove) };
}

function open(hierarchy: Hierarchy, name: string, caps: GroupCaps): string | undefined {
  const folder = placeIn(hierarchy);
  const own = join(folder, name);
  try {
    removeLeftovers(folder);
    mkdirSync(own);
    for (const [file, value] of hierarchy.caps(caps)) writeFileSync(join(own, file), `${value}`);
    return own;
  } catch {
    remove(own);
    return undefined;
  }
}

/** Where this process is, so that whatever bounds it bounds its commands too: below its own group, or in the unified hierarchy, where a group with processes has no groups below it, beside it. */
function placeIn({ controller, mount }: Hierarchy): string {
  const line = readFileSync("/proc/self/cgroup", "utf8").split("\n").find((text) => (text.split(":")[1] ?? "-").split(",").includes(controller));
  const path = line?.split(":").slice(2).join(":") ?? "/";
  const own = join(mount, controller === "" ? dirname(path) : path);
  return isFile(join(own, "cgroup.procs")) ? own : mount;
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
