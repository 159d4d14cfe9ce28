// Reads every settings file into layers. Nothing is merged or trusted yet: `effectiveSettings` does
// that. A broken file becomes a problem with line and column, never an exception, and does not hide
// the others.
import { limits } from "../base/limits.ts";
import { dirname, join, resolve } from "node:path";
import {
  claudeConfigDir,
  managedDir,
  projectFolders,
  realPath,
} from "../base/files/project-folders.ts";
import { homeDir } from "../base/files/home-dir.ts";
import { isObject } from "../base/data/json.ts";
import type { Problem } from "../base/problem.ts";
import { lineOfKey, readJson } from "../base/data/read-json.ts";
import { readTextFile } from "../base/files/read-text-file.ts";
import { scanFolder } from "../base/files/scan-folder.ts";
import { loadProfiles } from "./profiles.ts";
import type { RawProfile } from "./profiles.ts";
import { readLayer } from "./read-layer.ts";
import type { LayerValues } from "./read-layer.ts";

/**
 * The highest first. `local` and `project` belong to the folder, which must be trusted; the others
 * are the user's own.
 */
export type SettingsLevel = "managed" | "cli" | "local" | "project" | "user";

export type SettingsLayer = { level: SettingsLevel; path: string; values: LayerValues };

export type McpLayer = {
  level: SettingsLevel;
  path: string;
  servers: Record<string, Record<string, unknown>>;
};

export type LoadSettingsOptions = {
  cwd: string;
  configDir?: string;
  managedDir?: string;
  /** `--settings`: a path, or the JSON itself. */
  cliSettings?: string;
  /** `--mcp-config`: paths, or the JSON itself. */
  mcpConfigs?: readonly string[];
};

export type LoadedSettings = {
  layers: SettingsLayer[];
  mcp: McpLayer[];
  profiles: RawProfile[];
  problems: Problem[];
};

const maxFileBytes = limits.settings.fileBytes;

export function loadSettings(options: LoadSettingsOptions): LoadedSettings {
  const {
    cwd,
    configDir = claudeConfigDir(),
    managedDir: managed = managedDir(),
    cliSettings,
    mcpConfigs = [],
  } = options;
  const problems: Problem[] = [];
  const folders = projectFolders(cwd).filter(
    (folder) => realPath(join(folder, ".claude")) !== realPath(configDir),
  );
  const fragments = scanFolder(join(managed, "managed-settings.d"), {
    wanted: /^[^.].*\.json$/,
  }).files.reverse();
  const layer = (level: SettingsLevel, path: string): SettingsLayer[] =>
    readSettings({ level, path }, problems);
  const layers = [
    ...fragments.flatMap((path) => layer("managed", path)),
    ...layer("managed", join(managed, "managed-settings.json")),
    ...(cliSettings === undefined ? [] : givenSettings(cliSettings, cwd, problems)),
    ...folders.flatMap((folder) => [
      ...layer("local", join(folder, ".claude", "settings.local.json")),
      ...layer("project", join(folder, ".claude", "settings.json")),
    ]),
    ...layer("user", join(configDir, "settings.json")),
  ];
  const mcp = [
    ...readMcp({ level: "managed", path: join(managed, "managed-mcp.json") }, problems),
    ...mcpConfigs.flatMap((given) => givenMcp(given, cwd, problems)),
    ...folders.flatMap((folder) =>
      readMcp({ level: "project", path: join(folder, ".mcp.json") }, problems),
    ),
    ...readMcp({ level: "user", path: join(configDir, ".mcp.json") }, problems),
  ];
  const { profiles, problems: profileProblems } = loadProfiles(folders, configDir);
  return { layers, mcp, profiles, problems: [...problems, ...profileProblems] };
}

type Place = { level: SettingsLevel; path: string };

function readSettings(place: Place, problems: Problem[]): SettingsLayer[] {
  const file = readTextFile(place.path, maxFileBytes);
  if (file.ok) return parseSettings(file.text, place, problems);
  if (!/ENOENT|ENOTDIR/.test(file.reason))
    problems.push({
      path: place.path,
      line: 1,
      severity: "error",
      code: "unreadable-file",
      message: `not read: ${file.reason}`,
    });
  return [];
}

function givenSettings(given: string, cwd: string, problems: Problem[]): SettingsLayer[] {
  if (given.trimStart().startsWith("{"))
    return parseSettings(given, { level: "cli", path: "--settings" }, problems);
  const path = join(given.startsWith("/") ? "" : cwd, given);
  const layers = readSettings({ level: "cli", path }, problems);
  if (layers.length === 0 && problems.every((problem) => problem.path !== path))
    problems.push({
      path,
      line: 1,
      severity: "error",
      code: "missing-file",
      message: "there is no such settings file",
    });
  return layers;
}

function parseSettings(text: string, place: Place, problems: Problem[]): SettingsLayer[] {
  const data = parseObject(text, place.path, problems);
  if (!data) return [];
  const { values, complaints } = readLayer(data);
  for (const { keys, message, suggestion, severity = "error" } of complaints) {
    problems.push({
      path: place.path,
      line: lineOfKey(text, keys),
      severity,
      code: "invalid-setting",
      message,
      ...(suggestion !== undefined && { suggestion }),
    });
  }
  return [
    {
      ...place,
      values: { ...values, plugins: values.plugins.map((folder) => fromFile(folder, place)) },
    },
  ];
}

/** A relative folder in a settings file counts from the project, or from the file. */
function fromFile(folder: string, { level, path }: Place): string {
  if (folder.startsWith("~/")) return join(homeDir(), folder.slice(2));
  const base =
    level === "project" || level === "local"
      ? dirname(dirname(path))
      : path === "--settings"
        ? "."
        : dirname(path);
  return resolve(base, folder);
}

function parseObject(
  text: string,
  path: string,
  problems: Problem[],
): Record<string, unknown> | undefined {
  if (text.trim() === "") return undefined;
  const reading = readJson(text);
  if (reading.ok && isObject(reading.value)) return reading.value;
  const [line, message] = reading.ok
    ? [1, "the file must hold one JSON object"]
    : [
        reading.line,
        `not JSON at line ${reading.line}, column ${reading.column}: ${reading.message}`,
      ];
  problems.push({ path, line, severity: "error", code: "invalid-json", message });
  return undefined;
}

function givenMcp(given: string, cwd: string, problems: Problem[]): McpLayer[] {
  if (given.trimStart().startsWith("{"))
    return parseMcp(given, { level: "cli", path: "--mcp-config" }, problems);
  return readMcp({ level: "cli", path: join(given.startsWith("/") ? "" : cwd, given) }, problems);
}

function readMcp(place: Place, problems: Problem[]): McpLayer[] {
  const file = readTextFile(place.path, maxFileBytes);
  if (file.ok) return parseMcp(file.text, place, problems);
  if (place.level === "cli" || !/ENOENT|ENOTDIR/.test(file.reason))
    problems.push({
      path: place.path,
      line: 1,
      severity: "error",
      code: "unreadable-file",
      message: `not read: ${file.reason}`,
    });
  return [];
}

type ServerComplaint = {
  keys: string[];
  severity?: "error" | "warning";
  message: string;
  suggestion?: string;
};

function parseMcp(text: string, place: Place, problems: Problem[]): McpLayer[] {
  const data = parseObject(text, place.path, problems);
  if (!data) return [];
  const { listed, outerKeys, complaint } = serversIn(data);
  const complaints = complaint ? [complaint] : [];
  const servers: Record<string, Record<string, unknown>> = {};
  for (const [name, config] of Object.entries(listed)) {
    if (isServer(config)) servers[name] = config;
    else complaints.push(noServer(name, config, outerKeys));
  }
  for (const { keys, severity = "error", ...said } of complaints) {
    const line = lineOfKey(text, keys);
    problems.push({ path: place.path, line, severity, code: "invalid-server", ...said });
  }
  return [{ ...place, servers }];
}

/** The servers by name, the keys above them, and what is wrong with the outer object. */
function serversIn(data: Record<string, unknown>): {
  listed: Record<string, unknown>;
  outerKeys: string[];
  complaint?: ServerComplaint;
} {
  const keys = Object.keys(data).slice(0, 1);
  const outerKeys = ["mcpServers"];
  if (Object.hasOwn(data, "mcpServers")) {
    const listed = data["mcpServers"] ?? {};
    if (isObject(listed)) return { listed, outerKeys };
    const message = "`mcpServers` must be an object of servers by name";
    return { listed: {}, outerKeys, complaint: { keys: outerKeys, message } };
  }
  // Plugins may leave out the outer key, and people copy what works in a plugin.
  if (Object.values(data).some(isServer)) {
    const message = "the servers stand under no `mcpServers`; they are read all the same";
    const suggestion = '{"mcpServers": {…}}';
    const complaint: ServerComplaint = { keys, severity: "warning", message, suggestion };
    return { listed: data, outerKeys: [], complaint };
  }
  if (keys.length === 0) return { listed: {}, outerKeys };
  const message = "there is no `mcpServers`, so no server is read";
  const suggestion = '{"mcpServers": {"name": {"command": "…"}}}';
  return { listed: {}, outerKeys, complaint: { keys, message, suggestion } };
}

function noServer(name: string, config: unknown, outerKeys: string[]): ServerComplaint {
  const url = isObject(config) ? config["serverUrl"] : undefined;
  return {
    keys: [...outerKeys, name],
    message: `the server "${name.slice(0, 60)}" needs a \`command\` or a \`url\``,
    ...(typeof url === "string" && { suggestion: `"url": ${JSON.stringify(url)}` }),
  };
}

const isServer = (config: unknown): config is Record<string, unknown> =>
  isObject(config) && (typeof config["command"] === "string" || typeof config["url"] === "string");
