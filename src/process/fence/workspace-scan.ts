// Looks through writable folders for what a command may not write or not see, however many there
// are. Folders that did not change since the last look are not read again.
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isRepository } from "../git/git-folder.ts";

export type PathVerdict = "open" | "read-only" | "hidden";

export type Restricted = {
  path: string;
  verdict: Exclude<PathVerdict, "open">;
  kind: "folder" | "file" | "link";
  /** Where a link led. */
  target?: string;
};

export type WorkspaceScan = {
  /** Found in these folders, each at its own path. Links are not followed. */
  restricted: Restricted[];
  repositories: string[];
  folders: number;
};

/** `isFolder` is what stands at the path; links are no folders. */
export type PathJudge = (path: string, isFolder: boolean) => PathVerdict;

export type ScanOptions = {
  roots: readonly string[];
  judge: PathJudge;
  /** So many are remembered for the next look; those beyond are read each time. */
  remembered: number;
};

type Look = {
  changed: bigint;
  at: bigint;
  folders: string[];
  restricted: Restricted[];
  repositories: string[];
};

/**
 * A change time is only as fine as the kernel's tick: a folder that changed just before it was read
 * may change again unseen.
 */
const settledNs = 50_000_000n;
/**
 * Other people's projects: nobody works in them, and package managers fill them with protected
 * names.
 */
const skipped = new Set(["node_modules"]);

/** Kernel trees, for a workspace that is the root itself. */
const kernelTrees = new Set(["/proc", "/sys", "/dev"]);
/** Others in this process get their turn after so many folders. */
const foldersPerTurn = 2_000;

/** No number of folders ends the look: whoever makes very many makes it slow, and nothing else. */
export function createWorkspaceScan(options: ScanOptions): () => Promise<WorkspaceScan> {
  let looks = new Map<string, Look>();
  return async () => {
    const scan: WorkspaceScan = { restricted: [], repositories: [], folders: 0 };
    const seen = new Map<string, Look>();
    const open = [...options.roots];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const look = lookInto(folder, looks.get(folder), options.judge);
      if (!look) continue;
      scan.folders += 1;
      if (seen.size < options.remembered) seen.set(folder, look);
      if (scan.folders % foldersPerTurn === 0) await nextTurn();
      for (const one of look.restricted) scan.restricted.push(one);
      for (const one of look.repositories) scan.repositories.push(one);
      for (const one of look.folders) open.push(one);
    }
    looks = seen;
    return scan;
  };
}

function lookInto(folder: string, before: Look | undefined, judge: PathJudge): Look | undefined {
  try {
    const { ctimeNs } = lstatSync(folder, { bigint: true });
    if (before && before.changed === ctimeNs && ctimeNs < before.at - settledNs) return before;
    const look: Look = {
      changed: ctimeNs,
      at: BigInt(Date.now()) * 1_000_000n,
      folders: [],
      restricted: [],
      repositories: [],
    };
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      note(folder, entry, { look, judge });
    return look;
  } catch {
    // Gone, or nothing that this user can list: a command can do no more with it.
    return undefined;
  }
}

function note(
  folder: string,
  entry: Dirent,
  { look, judge }: { look: Look; judge: PathJudge },
): void {
  const path = join(folder, entry.name);
  const isFolder = entry.isDirectory();
  if (isFolder && entry.name === ".git" && isRepository(path))
    return void look.repositories.push(path);
  const verdict = judge(path, isFolder);
  if (verdict !== "open")
    look.restricted.push({
      path,
      verdict,
      kind: isFolder ? "folder" : entry.isSymbolicLink() ? "link" : "file",
      ...(entry.isSymbolicLink() ? { target: readlinkSync(path) } : {}),
    });
  if (isFolder && verdict !== "hidden" && !skipped.has(entry.name) && !kernelTrees.has(path))
    look.folders.push(path);
}

/**
 * What a protected link leads to is protected too. A link to a folder that holds more than that is
 * left alone.
 */
export function behindLinks(restricted: readonly Restricted[]): Restricted[] {
  return restricted.flatMap((item): Restricted[] => {
    if (item.kind !== "link") return [];
    try {
      const path = realpathSync(item.path);
      if (item.path.startsWith(`${path}/`) || path === "/") return [];
      return [
        { path, verdict: item.verdict, kind: statSync(path).isDirectory() ? "folder" : "file" },
      ];
    } catch {
      return [];
    }
  });
}
