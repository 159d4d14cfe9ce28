// Whether a folder is trusted, by the content of what takes effect in it. Trust is the user's, kept
// in the user's folder; a change asks again.
import { limits } from "../base/limits.ts";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { claudeConfigDir, projectFolders, realPath } from "../base/files/project-folders.ts";
import { RetinueError } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import { readJson } from "../base/data/read-json.ts";
import { readTextFile } from "../base/files/read-text-file.ts";
import { updateFile } from "../base/files/update-file.ts";
import { cannotBeCovered, trustFiles, trustHash } from "./trust-files.ts";
import type { TrustFiles } from "./trust-files.ts";

export type TrustChange = { path: string; change: "added" | "changed" | "removed" | "uncovered" };

/** `trusted` also where the folder brings nothing that could take effect. */
export type TrustState =
  | { state: "trusted"; files: string[] }
  | { state: "untrusted"; files: string[] }
  | { state: "changed"; files: string[]; changes: TrustChange[] };

type TrustEntry = { hash: string; at: string; files: Record<string, string> };
type Options = { configDir?: string };

const maxStoreBytes = limits.settings.trustStoreBytes;

/** Of `dir` and every folder above it up to the repository's root: the worst of them. */
export function trustState(
  dir: string,
  { configDir = claudeConfigDir() }: Options = {},
): TrustState {
  const store = readStore(storePath(configDir));
  const files: string[] = [];
  const changes: TrustChange[] = [];
  let unknown = false;
  for (const folder of foldersOf(dir, configDir)) {
    const found = trustFiles(folder);
    const entry = store.get(folder);
    const uncovered = [...found].filter(([, hash]) => hash === cannotBeCovered);
    files.push(
      ...[...found].flatMap(([path, hash]) =>
        hash === cannotBeCovered ? [] : [join(folder, path)],
      ),
    );
    // Trusted or not, it is said each time: nobody knows what such a line runs today.
    changes.push(...uncovered.map(([path]): TrustChange => ({ path, change: "uncovered" })));
    if (found.size === 0 && !entry) continue;
    if (!entry) unknown = true;
    else if (entry.hash !== trustHash(found))
      changes.push(...changesBetween(entry.files, found, folder));
  }
  if (unknown) return { state: "untrusted", files };
  return changes.length > 0 ? { state: "changed", files, changes } : { state: "trusted", files };
}

/**
 * Trusts what stands there now: `seen` is the state that a person has looked at; what changed since
 * then is refused.
 */
export function trustFolder(
  dir: string,
  {
    configDir = claudeConfigDir(),
    now = new Date(),
    seen,
  }: Options & { now?: Date; seen?: string } = {},
): void {
  const current = folderContents(dir, configDir);
  if (seen !== undefined && seen !== fingerprintOf(current))
    throw new RetinueError(
      "untrusted",
      `${dir} changed while it was being looked at; run \`retinue trust\` again`,
    );
  updateFile(storePath(configDir), (text) => {
    const store =
      text === undefined
        ? new Map<string, TrustEntry>()
        : (parseStore(text) ?? setAside(storePath(configDir)));
    for (const [folder, files] of current) {
      if (files.size > 0)
        store.set(folder, {
          hash: trustHash(files),
          at: now.toISOString(),
          files: Object.fromEntries(files),
        });
      else store.delete(folder);
    }
    return `${JSON.stringify(Object.fromEntries(store), undefined, 2)}\n`;
  });
}

/** Stands for everything that `trustFolder` would trust now. */
export function trustFingerprint(
  dir: string,
  { configDir = claudeConfigDir() }: Options = {},
): string {
  return fingerprintOf(folderContents(dir, configDir));
}

const storePath = (configDir: string): string => join(configDir, "retinue", "trust.json");

/** The user's own folder is no project, even when the home is a repository. */
function foldersOf(dir: string, configDir: string): string[] {
  return projectFolders(dir).filter(
    (folder) => realPath(join(folder, ".claude")) !== realPath(configDir),
  );
}

function folderContents(dir: string, configDir: string): [string, TrustFiles][] {
  return foldersOf(dir, configDir).map((folder) => [folder, trustFiles(folder)]);
}

const fingerprintOf = (contents: [string, TrustFiles][]): string =>
  JSON.stringify(contents.map(([folder, files]) => [folder, trustHash(files)]));

function changesBetween(
  before: Record<string, string>,
  now: TrustFiles,
  folder: string,
): TrustChange[] {
  const removed = Object.keys(before)
    .filter((path) => !now.has(path))
    .map((path): TrustChange => ({ path: join(folder, path), change: "removed" }));
  const other = [...now]
    .filter(([path, hash]) => before[path] !== hash)
    .map(([path]): TrustChange => ({
      path: join(folder, path),
      change: Object.hasOwn(before, path) ? "changed" : "added",
    }));
  return [...removed, ...other].length > 0
    ? [...removed, ...other]
    : [{ path: folder, change: "changed" }];
}

/** A store that cannot be read trusts nobody. */
function readStore(path: string): Map<string, TrustEntry> {
  const file = readTextFile(path, maxStoreBytes);
  return (file.ok ? parseStore(file.text) : undefined) ?? new Map();
}

function parseStore(text: string): Map<string, TrustEntry> | undefined {
  const reading = readJson(text);
  if (!reading.ok || !isObject(reading.value)) return undefined;
  const entries = Object.entries(reading.value).flatMap(
    ([folder, entry]): [string, TrustEntry][] => {
      if (!isObject(entry) || typeof entry["hash"] !== "string") return [];
      const files = isObject(entry["files"]) ? (entry["files"] as Record<string, string>) : {};
      return [
        [
          folder,
          { hash: entry["hash"], at: typeof entry["at"] === "string" ? entry["at"] : "", files },
        ],
      ];
    },
  );
  return new Map(entries);
}

/** What a person may still want to look at is never overwritten. */
function setAside(path: string): Map<string, TrustEntry> {
  renameSync(path, `${path}.damaged`);
  return new Map();
}
