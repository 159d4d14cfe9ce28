// Runs commands as they are, but for protected paths: bubblewrap mounts these read-only, in every
// mode. Network, processes, keys and all other files are as they would be without it.
import { spawnSync } from "node:child_process";
import { accessSync, closeSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { heldMounts, heldPaths, lookAt, undoPlanted, type HeldPlaces } from "./held-paths.ts";
import { makeRootSpace } from "./root-space.ts";
import { planSandboxMounts, type Mount } from "../sandbox/sandbox-mounts.ts";
import { findProgram } from "../sandbox/sandbox-problem.ts";
import { watchPlaces } from "./set-aside.ts";
import { createWorkspaceScan, type PathJudge } from "./workspace-scan.ts";
import {
  noSandbox,
  type LeftOpen,
  type Wrap,
  type WrappedCommand,
} from "../sandbox/wrapped-command.ts";

export type FenceOptions = {
  /** Real path; commands start here. */
  cwd: string;
  /** Real paths of folders that are looked through for protected paths. */
  roots: readonly string[];
  /** Says of each path in them whether it is protected. */
  judge: PathJudge;
  /**
   * Protected paths elsewhere, there or not: the user's own settings, and those above the
   * workspace.
   */
  beside: readonly string[];
  /** Folders in protected ones that commands may write all the same. */
  open: readonly string[];
  /** More folders than a command may leave, and than are remembered between commands. */
  folders: number;
  /** Where bubblewrap is looked for; the PATH of this process without it. */
  path: string | undefined;
};

const everything = ["--dev-bind", "/", "/"];

/**
 * How commands are started behind the mounts. A user without powers gets a name space of its own
 * from bubblewrap; root steps into one behind it. Either way bubblewrap itself stays outside, and
 * through it and other processes nobody inside reaches files past the mounts.
 */
type Way = {
  /** Handles that come before those of the mounts. */
  handleCount: number;
  handles(): number[];
  command(mounts: readonly string[], argv: readonly string[]): string[];
};
const firstHandle = 3;
const ways = new Map<string, Promise<Way | { problem: string }>>();

/** Why protected paths cannot be held here, or undefined. Tried once for each bubblewrap. */
export async function fenceProblem(path: string | undefined): Promise<string | undefined> {
  const way = await wayToFence(path);
  return "problem" in way ? way.problem : undefined;
}

async function wayToFence(path: string | undefined): Promise<Way | { problem: string }> {
  if (process.platform !== "linux") return { problem: `this is ${process.platform}, not Linux` };
  const bwrap = findProgram("bwrap", path);
  if (bwrap === undefined) return { problem: "bubblewrap (bwrap) is not installed" };
  const known = ways.get(bwrap) ?? tried(bwrap, path);
  ways.set(bwrap, known);
  return known;
}

async function tried(bwrap: string, path: string | undefined): Promise<Way | { problem: string }> {
  try {
    const way = process.getuid?.() === 0 ? await rootWay(bwrap, path) : userWay(bwrap);
    const [program, ...args] = way.command(["--ro-bind", "/usr", "/usr"], ["/bin/sh", "-c", ":"]);
    const handles = way.handles();
    const { status, stderr, error } = spawnSync(program!, args, {
      stdio: ["ignore", "ignore", "pipe", ...handles],
      timeout: 10_000,
      env: {},
    });
    handles.forEach((handle) => closeSync(handle));
    if (status === 0) return way;
    const said = (stderr?.toString() || error?.message || `exit ${status}`).trim().slice(0, 300);
    return { problem: `bubblewrap does not work here: ${said}` };
  } catch (error) {
    return { problem: `bubblewrap does not work here: ${(error as Error).message}` };
  }
}

const userWay = (bwrap: string): Way => ({
  handleCount: 0,
  handles: () => [],
  command: (mounts, argv) => [bwrap, "--unshare-user", ...everything, ...mounts, "--", ...argv],
});

async function rootWay(bwrap: string, path: string | undefined): Promise<Way> {
  const space = await makeRootSpace(path);
  return {
    handleCount: 1,
    handles: () => [space.open()],
    command: (mounts, argv) => [
      bwrap,
      ...everything,
      ...mounts,
      "--",
      ...space.enter(argv, firstHandle),
    ],
  };
}

/** Where bubblewrap cannot be used, commands run as they are. */
export function openFence(options: FenceOptions): Wrap {
  const { roots, judge, folders, beside } = options;
  const places: HeldPlaces = {
    roots,
    scan: createWorkspaceScan({ roots, judge, remembered: folders }),
    beside: beside.filter((one) => !roots.includes(one)),
    isOpenOutside: true,
  };
  const anchors = withAbove([...roots, ...beside.map((one) => dirname(one))]);
  return async (argv, open) => {
    const way = await wayToFence(options.path);
    if ("problem" in way) return noSandbox(argv, open);
    const parts: Parts = { options, places, anchors, way };
    // A file may go between the look and the mount: other commands run at the same time.
    return wrap(parts, argv, open).catch(() => wrap(parts, argv, open));
  };
}

type Parts = {
  options: FenceOptions;
  places: HeldPlaces;
  anchors: string[];
  way: Way;
};

async function wrap(
  { options, places, anchors, way }: Parts,
  argv: readonly string[],
  open: LeftOpen,
): Promise<WrappedCommand> {
  const before = await lookAt(places, open);
  const mounts = heldMounts(before, { anchors, open });
  const opened = [...options.roots, ...options.open].filter((path) =>
    mounts.some((mount) => mount.as === "read-only" && path.startsWith(`${mount.path}/`)),
  );
  const { args, handles } = planSandboxMounts(
    [
      ...mounts,
      ...opened.filter((path) => existsSync(path)).map((path): Mount => ({ path, as: "writable" })),
    ],
    { emptyFile: "/dev/null", firstHandle: firstHandle + way.handleCount },
  );
  const watched = watchPlaces(anchors.filter((folder) => folder !== "/" && isMovable(folder)));
  return {
    argv: way.command([...args, "--chdir", options.cwd], argv),
    handles: [...way.handles(), ...handles],
    held: heldPaths(before),
    endsWithIt: false,
    started: () => undefined,
    finish: async () => {
      const back = watched.putBack();
      const { problems, notes } = await undoPlanted(before, places, options.folders);
      return { problems, notes: [...back, ...notes] };
    },
  };
}

/**
 * The folders and all above them, the outermost first. They are kept in place by looking: a mount
 * on the workspace would part it from caches that packages are linked from.
 */
function withAbove(folders: readonly string[]): string[] {
  const all = new Set<string>();
  for (const folder of folders)
    for (let path = folder; path !== "/" && !all.has(path); path = dirname(path)) all.add(path);
  return ["/", ...[...all].sort((a, b) => a.length - b.length)];
}

function isMovable(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
