// The tree before and after a run, by content: git's own listing over a temporary index and object
// store (nothing of the user's repository is touched), or a map of hashes where there is no git.
// What git ignores is not part of it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { limits } from "../../base/limits.ts";
import { isInRepository } from "../../process/git/git-folder.ts";
import { ownGitEnvironment } from "../../process/git/own-git.ts";
import { makeScratchFolder } from "../../process/sandbox/scratch-folder.ts";
import { treeReader } from "../../source/tree-reader.ts";

/** A folder's files at one moment, by size, time and hash. */
export type Snapshot = {
  /** The id of the git tree; equal trees are equal. Null without git. */
  tree: string | null;
  /** Mode and content of every file, by its path. */
  files: ReadonlyMap<string, string>;
  /** False when the tree could not be read whole: nothing may be concluded from a file that is not there. */
  complete: boolean;
};

export type SnapshotDiff = {
  created: string[];
  modified: string[];
  deleted: string[];
  complete: boolean;
};

const gitTimeoutMs = 60_000;

/**
 * Notes the files of a folder, to see later what changed. Never throws for what is in the folder.
 */
export function takeSnapshot(root: string): Snapshot {
  return gitSnapshot(root) ?? hashSnapshot(root);
}

export function diffSnapshots(before: Snapshot, after: Snapshot): SnapshotDiff {
  const complete = before.complete && after.complete;
  if (before.tree !== null && before.tree === after.tree)
    return { created: [], modified: [], deleted: [], complete };
  const [created, modified, deleted]: [string[], string[], string[]] = [[], [], []];
  for (const [path, content] of after.files) {
    const then = before.files.get(path);
    if (then === undefined) created.push(path);
    else if (then !== content) modified.push(path);
  }
  for (const path of before.files.keys()) if (!after.files.has(path)) deleted.push(path);
  return { created: created.sort(), modified: modified.sort(), deleted: deleted.sort(), complete };
}

/** With what tools wrote before the first look: a file that they made is new, however it was changed since. */
export function withEdits(
  { created, modified, deleted, complete }: SnapshotDiff,
  edits: readonly { path: string; action: string; by: string }[],
): SnapshotDiff {
  const made = new Set(created);
  const changed = new Set(modified);
  for (const { path, action, by } of edits) {
    if (by === "Bash" || made.has(path)) continue;
    if (action === "create" && !deleted.includes(path)) {
      made.add(path);
      changed.delete(path);
    } else changed.add(path);
  }
  return { created: [...made].sort(), modified: [...changed].sort(), deleted, complete };
}

function gitSnapshot(root: string): Snapshot | undefined {
  if (!isInRepository(root)) return undefined;
  const own = ownGitEnvironment(root);
  const paths = git(root, own, [
    "rev-parse",
    "--path-format=absolute",
    "--git-path",
    "index",
    "--git-path",
    "objects",
  ])?.split("\n");
  if (!paths?.[0] || !paths[1]) return undefined;
  const scratch = makeScratchFolder("tree");
  try {
    const env = {
      ...own,
      GIT_INDEX_FILE: join(scratch, "index"),
      GIT_OBJECT_DIRECTORY: join(scratch, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: resolve(root, paths[1]),
    };
    mkdirSync(env.GIT_OBJECT_DIRECTORY);
    copyIndex(resolve(root, paths[0]), env.GIT_INDEX_FILE);
    // Unreadable files are left out instead of spoiling the whole listing.
    git(root, env, ["add", "--all", "--ignore-errors", "--", "."]);
    const listing = git(root, env, ["ls-files", "--stage", "-z", "--", "."]);
    if (listing === undefined) return undefined;
    const rows = listing.split("\0").filter((row) => row !== "");
    const files = new Map(
      rows
        .slice(0, limits.verify.files)
        .map((row): [string, string] => [
          row.slice(row.indexOf("\t") + 1),
          row.slice(0, row.indexOf("\t")),
        ]),
    );
    return {
      tree: git(root, env, ["write-tree"])?.trim() ?? null,
      files,
      complete: rows.length <= limits.verify.files,
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function git(root: string, env: Record<string, string>, args: string[]): string | undefined {
  const quiet = [
    "-c",
    "core.compression=0",
    "-c",
    "core.safecrlf=false",
    "-c",
    "advice.addEmbeddedRepo=false",
  ];
  const { status, stdout } = spawnSync("git", ["-C", root, ...quiet, ...args], {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    timeout: gitTimeoutMs,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? stdout : undefined;
}

function copyIndex(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch {
    // A repository without an index yet: everything is new.
  }
}

function hashSnapshot(root: string): Snapshot {
  const { paths, complete } = treeReader(root).list();
  const files = new Map<string, string>();
  const budget = { bytes: limits.verify.snapshotBytes };
  for (const path of paths) {
    const content = contentOf(join(root, path), budget);
    if (content !== undefined) files.set(path, content);
  }
  return { tree: null, files, complete: complete && budget.bytes > 0 };
}

/** Past the budget, size and time of change have to do. */
function contentOf(path: string, budget: { bytes: number }): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const facts = fstatSync(handle);
    if (!facts.isFile()) return undefined;
    const { size, mtimeMs, mode } = facts;
    budget.bytes -= size;
    return budget.bytes < 0 ? `${mode} ${size} ${mtimeMs}` : `${mode} ${hashOf(handle)}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ELOOP" ? "link" : undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function hashOf(handle: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  for (let read = readSync(handle, buffer); read > 0; read = readSync(handle, buffer))
    hash.update(buffer.subarray(0, read));
  return hash.digest("hex");
}
