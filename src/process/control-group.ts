// A control group for the commands of one run, if the system allows one: a cap on processes and
// memory that also holds for root.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { canWatchCaps, type GroupCaps } from "./watch-caps.ts";

export type ControlGroup = {
  /**
   * A process that writes its id into each of these files joins the group, with everything that it
   * starts.
   */
  joinFiles: string[];
  /** On older systems perhaps only one hierarchy can be written. */
  keeps: ReadonlySet<keyof GroupCaps>;
  /** Waits a moment for processes that are still ending. */
  close(): Promise<void>;
};

/** `controller` is the name in /proc/self/cgroup. */
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

/** Undefined if no group can be made; then the commands are watched instead. */
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
 * A sentence about how the caps are kept without a control group; undefined if a group keeps all of
 * them.
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
 * The group's place, so that limits of this process also hold for its commands: below its own
 * group; in the unified hierarchy beside it, because there a group with processes has no groups
 * below it.
 */
function placeIn({ controller, mount }: Hierarchy): string {
  const line = readFileSync("/proc/self/cgroup", "utf8")
    .split("\n")
    .find((text) => (text.split(":")[1] ?? "-").split(",").includes(controller));
  const path = line?.split(":").slice(2).join(":") ?? "/";
  const own = join(mount, controller === "" ? dirname(path) : path);
  return isFile(join(own, "cgroup.procs")) ? own : mount;
}

/** Groups that killed hosts left behind: they are empty, and the name says which host made them. */
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
