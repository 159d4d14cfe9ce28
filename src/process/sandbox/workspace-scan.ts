// Looks through writable folders for what a command may not write or not see. Folders that did not change since the last look are not read again.
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";

export type Verdict = "open" | "read-only" | "hidden";

export type Restricted = {
  path: string;
  verdict: Exclude<Verdict, "open">;
  kind: "folder" | "file" | "link";
  /** Where a link led. */
  target?: string;
};

export type Scan = { restricted: Restricted[]; repositories: string[] };

/** `isFolder` is what stands at the path; links are no folders. */
export type Judge = (path: string, isFolder: boolean) => Verdict;

export type ScanOptions = { roots: readonly string[]; judge: Judge; maxFolders: number };

type Look = {
  changed: bigint;
  at: bigint;
  folders: string[];
  restricted: Restricted[];
  repositories: string[];
};

/** A change time is only as fine as the kernel's tick: a folder that changed just before it was read may change again unseen. */
const settledNs = 50_000_000n;
/** Other people's projects: nobody works in them, and package managers fill them with protected names. */
const skipped = new Set(["node_modules"]);

/** Throws when there are more folders than can be looked through. */
export function createWorkspaceScan(options: ScanOptions): () => Scan {
  let looks = new Map<string, Look>();
  return () => {
    const scan: Scan = { restricted: [], repositories: [] };
    const seen = new Map<string, Look>();
    const open = [...options.roots];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (seen.has(folder)) continue;
      const look = lookInto(folder, looks.get(folder), options.judge);
      if (!look) continue;
      seen.set(folder, look);
      if (seen.size > options.maxFolders)
        throw new Error(
          `the workspace has more than ${options.maxFolders} folders, which is more than the sandbox can look through before each command. Work in a smaller folder.`,
        );
      for (const one of look.restricted) scan.restricted.push(one);
      for (const one of look.repositories) scan.repositories.push(one);
      for (const one of look.folders) open.push(one);
    }
    looks = seen;
    return { ...scan, restricted: [...scan.restricted, ...behindLinks(scan.restricted, options)] };
  };
}

function lookInto(folder: string, before: Look | undefined, judge: Judge): Look | undefined {
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

function note(folder: string, entry: Dirent, { look, judge }: { look: Look; judge: Judge }): void {
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
  if (isFolder && verdict !== "hidden" && !skipped.has(entry.name)) look.folders.push(path);
}

function isRepository(folder: string): boolean {
  const has = (name: string): boolean =>
    lstatSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true;
  return (
    lstatSync(join(folder, "HEAD"), { throwIfNoEntry: false })?.isFile() === true &&
    has("objects") &&
    has("refs")
  );
}

/** What a protected link leads to is protected too, where a command could write it. */
function behindLinks(restricted: readonly Restricted[], { roots }: ScanOptions): Restricted[] {
  return restricted.flatMap((item): Restricted[] => {
    if (item.kind !== "link") return [];
    try {
      const path = realpathSync(item.path);
      if (!roots.some((root) => path.startsWith(`${root}/`))) return [];
      return [
        { path, verdict: item.verdict, kind: statSync(path).isDirectory() ? "folder" : "file" },
      ];
    } catch {
      return [];
    }
  });
}
