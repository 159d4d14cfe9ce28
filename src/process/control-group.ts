// A control group for the commands of one run, where the system lets us make one: a cap on
// processes and memory that holds for root too.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { canWatchCaps, type GroupCaps } from "./watch-caps.ts";

export type ControlGroup = {
  /**
   * A process that writes its id into each of them belongs to the group, and all that it starts.
   */
  joinFiles: string[];
  /** Of an older system perhaps only one hierarchy can be written. */
  keeps: ReadonlySet<keyof GroupCaps>;
  /** Waits a moment for those that are still dying in it. */
  close(): Promise<void>;
};

/** `controller` as /proc/self/cgroup names it. */
type Hierarchy = {
  controller: string;
  mount: string;
  keeps: (keyof GroupCaps)[];
  caps: (caps: GroupCaps) => [file: string, value: number][];
};

const old: Hierarchy[] = [
  {
    controller: "pids",
    mount: "/sys/fs/cgroup/pids",
    keeps: ["processes"],
    caps: ({ processes }) => [["pids.max", processes]],
  },
  {
    controller: "memory",
    mount: "/sys/fs/cgroup/memory",
    keeps: ["memoryBytes"],
    caps: ({ memoryBytes }) => [["memory.limit_in_bytes", memoryBytes]],
  },
];
const unified: Hierarchy = {
  controller: "",
  mount: "/sys/fs/cgroup",
  keeps: ["processes", "memoryBytes"],
  caps: ({ processes, memoryBytes }) => [
    ["pids.max", processes],
    ["memory.max", memoryBytes],
  ],
};

/** Undefined where none can be made; the commands are watched then. */
export function createControlGroup(caps: GroupCaps): ControlGroup | undefined {
  const name = `retinue-${process.pid}-${randomBytes(4).toString("hex")}`;
  const hierarchies = isFile("/sys/fs/cgroup/cgroup.controllers") ? [unified] : old;
  const made = hierarchies.flatMap((hierarchy) => {
    const folder = open(hierarchy, name, caps);
    return folder === undefined ? [] : [{ folder, keeps: hierarchy.keeps }];
  });
  if (made.length === 0) return undefined;
  return {
    joinFiles: made.map(({ folder }) => join(folder, "cgroup.procs")),
    keeps: new Set(made.flatMap(({ keeps }) => keeps)),
    close: async () => void (await Promise.all(made.map(({ folder }) => removeSoon(folder)))),
  };
}

/**
 * What the sandbox does for its caps where no control group keeps all of them, in words; undefined
 * where one does.
 */
export function looserCaps(): string | undefined {
  const group = createControlGroup({ processes: 100, memoryBytes: 1024 ** 3 });
  void group?.close();
  if (group?.keeps.size === 2) return undefined;
  const names = old
    .flatMap(({ keeps }) => keeps)
    .filter((cap) => !group?.keeps.has(cap))
    .map((cap) => (cap === "processes" ? cap : "memory"))
    .join(" and ");
  if (canWatchCaps())
    return (
      `no control group can be made for ${names}: they are counted a few times a second ` +
      "instead, and a command that takes too much is ended after it did"
    );
  return (
    `no control group can be made for ${names}, and this kernel does not tell what there ` +
    "is to count: give the machine or container a limit of its own"
  );
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

/**
 * Where this process is, so that whatever bounds it bounds its commands too: below its own group,
 * or in the unified hierarchy, where a group with processes has no groups below it, beside it.
 */
function placeIn({ controller, mount }: Hierarchy): string {
  const line = readFileSync("/proc/self/cgroup", "utf8")
    .split("\n")
    .find((text) => (text.split(":")[1] ?? "-").split(",").includes(controller));
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

async function removeSoon(folder: string): Promise<void> {
  for (let tries = 0; tries < 40 && !remove(folder); tries++) await sleep(25);
}

function remove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    // Not empty yet: the next host removes it.
    return (error as NodeJS.ErrnoException).code !== "EBUSY";
  }
}

function isFile(path: string): boolean {
  try {
    return readFileSync(path).length >= 0;
  } catch {
    return false;
  }
}
