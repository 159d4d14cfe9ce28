// Lists the files below a folder in a fixed order. Loops, FIFOs and links that lead outside do no
// harm; depth and number are bounded.
import { limits } from "../limits.ts";
import { readdirSync, realpathSync, statSync } from "node:fs";
import type { Dirent } from "node:fs";
import { join, sep } from "node:path";

export type FolderScan = { files: string[]; skipped: { path: string; reason: string }[] };

const maxDepth = limits.scan.depth;
const maxFiles = limits.scan.files;

/**
 * The files whose names fit `wanted`. Links that lead outside `fence` are not followed. A folder
 * that does not exist is empty.
 */
export function scanFolder(
  root: string,
  { wanted, fence }: { wanted: RegExp; fence?: string },
): FolderScan {
  const scan: FolderScan = { files: [], skipped: [] };
  const realRoot = realOrUndefined(root);
  if (realRoot === undefined) return scan;
  if (fence !== undefined && !isInsideFolder(realRoot, fence))
    return {
      files: [],
      skipped: [{ path: root, reason: "it is a link that leads outside the project" }],
    };
  const visited = new Set<string>();
  const visit = (folder: string, depth: number): void => {
    const real = realOrUndefined(folder);
    if (real === undefined || visited.has(real)) return;
    visited.add(real);
    if (depth > maxDepth)
      return void scan.skipped.push({
        path: folder,
        reason: `it is nested more than ${maxDepth} folders deep`,
      });
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const kind = kindOf(entry, path);
      if (
        kind === "folder"
          ? entry.name === "node_modules" || entry.name === ".git"
          : !wanted.test(entry.name)
      )
        continue;
      if (kind === "other") scan.skipped.push({ path, reason: "it is not a regular file" });
      else if (
        entry.isSymbolicLink() &&
        fence !== undefined &&
        !isInsideFolder(realOrUndefined(path) ?? "", fence)
      )
        scan.skipped.push({ path, reason: "it is a link that leads outside the project" });
      else if (kind === "folder") visit(path, depth + 1);
      else if (scan.files.length < maxFiles) scan.files.push(path);
      else return void scan.skipped.push({ path, reason: `there are more than ${maxFiles} files` });
    }
  };
  visit(root, 0);
  return scan;
}

/** Like `scanFolder`, but `place` may also be a single file. */
export function scanPlace(place: string, options: { wanted: RegExp; fence?: string }): FolderScan {
  const real = realOrUndefined(place);
  if (real === undefined || !statSync(real, { throwIfNoEntry: false })?.isFile())
    return scanFolder(place, options);
  const within = options.fence === undefined || isInsideFolder(real, options.fence);
  return {
    files: within ? [place] : [],
    skipped: within ? [] : [{ path: place, reason: "it is a link that leads outside the project" }],
  };
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function kindOf(entry: Dirent, path: string): "file" | "folder" | "other" {
  if (!entry.isSymbolicLink())
    return entry.isFile() ? "file" : entry.isDirectory() ? "folder" : "other";
  const real = realOrUndefined(path);
  const facts = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
  return facts?.isFile() ? "file" : facts?.isDirectory() ? "folder" : "other";
}

function realOrUndefined(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether `path` is `folder` or lies below it; both are real paths. */
export const isInsideFolder = (path: string, fence: string): boolean =>
  path === fence || path.startsWith(fence.endsWith(sep) ? fence : fence + sep);
