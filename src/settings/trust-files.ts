// What a folder brings that takes effect: its settings, servers, agents, profiles, skills and the
// scripts that these name, each with a hash.
import { limits } from "../base/limits.ts";
import { createHash, randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { projectRoot } from "../base/files/project-folders.ts";
import { readFrontmatter } from "../base/data/frontmatter.ts";
import { splitFrontmatter } from "../base/data/frontmatter-split.ts";
import { isObject } from "../base/data/json.ts";
import { readJson } from "../base/data/read-json.ts";
import { readTextFile } from "../base/files/read-text-file.ts";
import { scanFolder, scanPlace } from "../base/files/scan-folder.ts";
import { scriptsRun } from "./scripts-run.ts";

/** Relative path to hash, in the order of the paths. */
export type TrustFiles = Map<string, string>;

const maxTextBytes = limits.settings.trustTextBytes;
/**
 * In place of a hash: what the line runs is only known when it runs, and is asked about each time.
 */
export const cannotBeCovered = "cannot be covered";
const maxTotalBytes = limits.settings.trustBytes;

/**
 * What is too large to be hashed gets another value each time, so that it is never trusted and
 * never waited for.
 */
export function trustFiles(folder: string): TrustFiles {
  const fence = projectRoot(folder);
  const inClaude = (...parts: string[]): string => join(folder, ".claude", ...parts);
  const settings = [inClaude("settings.json"), inClaude("settings.local.json")];
  const sources = [
    ...settings,
    join(folder, ".mcp.json"),
    ...scanFolder(inClaude("agents"), { wanted: /\.md$/i, fence }).files,
    ...scanFolder(inClaude("sub-agents", "profiles"), { wanted: /\.(?:md|ya?ml)$/i, fence }).files,
    ...scanFolder(inClaude("skills"), { wanted: /./, fence }).files,
    ...scanFolder(inClaude("commands"), { wanted: /\.md$/i, fence }).files,
    ...settings.flatMap((path) => pluginFiles(path, folder, fence)),
  ];
  const runs = sources.map(runsIn);
  const { files, parts, uncovered } = scriptsRun(
    { lines: runs.flatMap(({ lines }) => lines), words: runs.flatMap(({ words }) => words) },
    folder,
  );
  const budget = { bytes: maxTotalBytes };
  const hashes = [...new Set([...sources, ...files])].map((path): [string, string | undefined] => [
    relative(folder, path),
    hashOf(path, budget),
  ]);
  const others: [string, string][] = [
    ...[...parts].map(([path, hash]): [string, string] => [relative(folder, path), hash]),
    ...[...uncovered].map((line): [string, string] => [line, cannotBeCovered]),
  ];
  return new Map(
    [...hashes, ...others]
      .filter((entry): entry is [string, string] => entry[1] !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * What the plugins bring that a settings file names and that lie in the repository themselves:
 * agents, skills, and whatever their manifest names.
 */
function pluginFiles(settings: string, folder: string, fence: string): string[] {
  const file = readTextFile(settings, maxTextBytes);
  const reading = file.ok ? readJson(file.text) : undefined;
  if (!reading?.ok || !isObject(reading.value)) return [];
  const folders = textsIn([reading.value["pluginDirs"], reading.value["plugins"]], 0).map((path) =>
    resolve(folder, path),
  );
  return folders.flatMap((plugin) => {
    const manifest = join(plugin, ".claude-plugin", "plugin.json");
    const said = readTextFile(manifest, maxTextBytes);
    const value = said.ok ? readJson(said.text) : undefined;
    const named = value?.ok
      ? textsIn(value.value, 0)
          .filter((text) => /^\.{0,2}\//.test(text))
          .slice(0, 100)
      : [];
    return [
      manifest,
      join(plugin, "agents"),
      join(plugin, "skills"),
      join(plugin, "commands"),
      ...named.map((path) => resolve(plugin, path)),
    ].flatMap((path) => scanPlace(path, { wanted: /./, fence }).files);
  });
}

/** One hash over all of them; the prefix is the version of this scheme. */
export function trustHash(files: TrustFiles): string {
  const hash = createHash("sha256");
  for (const [path, digest] of files) hash.update(JSON.stringify([path, digest]));
  return `v1:${hash.digest("hex")}`;
}

/** What the commands and arguments in `path` run. */
function runsIn(path: string): { lines: string[]; words: string[] } {
  const file = readTextFile(path, maxTextBytes);
  if (!file.ok) return { lines: [], words: [] };
  // Most have neither, and to read them all as YAML takes long.
  const data = path.endsWith(".json")
    ? jsonValue(file.text, basename(path) === ".mcp.json")
    : /\.md$/i.test(path) && /hooks|mcpServers/.test(splitFrontmatter(file.text).yaml ?? "")
      ? whatRuns(
          readFrontmatter(file.text, new Set(["name", "description", "hooks", "mcpServers"])).data,
        )
      : undefined;
  return { lines: commandsIn(data, 0), words: textsIn(data, 0) };
}

/** Texts under a key `command`. */
function commandsIn(value: unknown, depth: number): string[] {
  if (depth > 20 || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "command" && typeof item === "string" ? [item] : commandsIn(item, depth + 1),
  );
}

/** Servers may stand under no `mcpServers`: then all of the file is about them. */
function jsonValue(text: string, isServers: boolean): unknown {
  const reading = readJson(text);
  return reading.ok && isObject(reading.value)
    ? isServers
      ? reading.value
      : whatRuns(reading.value)
    : undefined;
}

/** The words of a description name files, too, and run none of them. */
const whatRuns = ({ hooks, mcpServers, statusLine }: Record<string, unknown>): unknown => ({
  hooks,
  mcpServers,
  statusLine,
});

function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === "string") return [value];
  if (depth > 20 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1));
}

/** The whole content, in pieces; undefined for what is absent or no regular file. */
function hashOf(path: string, budget: { bytes: number }): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const facts = fstatSync(handle);
    if (!facts.isFile()) return undefined;
    budget.bytes -= facts.size;
    if (budget.bytes < 0) return `too large ${randomUUID()}`;
    const hash = createHash("sha256");
    const piece = Buffer.allocUnsafe(256 * 1024);
    for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece))
      hash.update(piece.subarray(0, read));
    return hash.digest("hex");
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
