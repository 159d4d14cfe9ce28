// Reads `.claude-plugin/plugin.json`: a plugin's name, and the paths of agents, skills and commands
// outside the usual folders.
import { limits } from "../base/limits.ts";
import { existsSync, readdirSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { isObject } from "../base/data/json.ts";
import type { Problem } from "../base/problem.ts";
import { lineOfKey, readJson } from "../base/data/read-json.ts";
import { readTextFile } from "../base/files/read-text-file.ts";

export type PluginManifest = {
  /** The name in its manifest, else the folder's name. */
  name: string;
  /** Absolute files and folders, all inside the plugin. */
  agents: string[];
  skills: string[];
  commands: string[];
  problems: Problem[];
};

const maxFileBytes = limits.definition.fileBytes;
const maxNamed = 8;
const unusedParts = ["hooks/hooks.json", ".mcp.json"];
const unusedKeys = ["hooks", "mcpServers"];
/** Parts that have no effect, and where they would have one. */
const unusedKinds = [
  ["hooks", "copy its hooks into .claude/settings.json"],
  ["mcp", "copy its servers into .mcp.json"],
] as const;

/** Never throws. Without a manifest, the usual folders are the plugin. */
export function readPluginManifest(folder: string): PluginManifest {
  const path = join(folder, ".claude-plugin", "plugin.json");
  const manifest: PluginManifest = {
    name: basename(folder).replace(/[^\w.-]/g, "-"),
    agents: [],
    skills: [],
    commands: [],
    problems: [],
  };
  const file = readTextFile(path, maxFileBytes);
  const unused = unusedParts.filter((part) => existsSync(join(folder, part)));
  if (!file.ok && file.absent && unused.length === 0 && !hasUsualFolder(folder))
    return { ...manifest, problems: [noPlugin(folder)] };
  for (const part of unused) manifest.problems.push(noEffect(join(folder, part), 1, part));
  if (file.ok) readManifestText(file.text, { manifest, folder, path });
  else if (!file.absent) manifest.problems.push(manifestError(path, 1, `not read: ${file.reason}`));
  return manifest;
}

const hasUsualFolder = (folder: string): boolean =>
  ["agents", "skills", "commands"].some((part) => existsSync(join(folder, part)));

const manifestError = (path: string, line: number, message: string): Problem => ({
  path,
  line,
  severity: "error",
  code: "plugin-manifest",
  message,
});

function readManifestText(
  text: string,
  { manifest, folder, path }: { manifest: PluginManifest; folder: string; path: string },
): void {
  const reading = readJson(text);
  if (!reading.ok || !isObject(reading.value)) {
    const [line, found] = reading.ok
      ? [1, "not a JSON object"]
      : [reading.line, `not JSON: ${reading.message}`];
    const message = `the manifest is ${found}; the plugin is called "${manifest.name}" after its folder`;
    manifest.problems.push(manifestError(path, line, message));
    return;
  }
  const { name, agents, skills, commands } = reading.value;
  for (const key of unusedKeys.filter((one) => Object.hasOwn(reading.value as object, one)))
    manifest.problems.push(noEffect(path, lineOfKey(text, [key]), `\`${key}\``));
  if (typeof name === "string" && /^[\w.-]{1,64}$/.test(name)) manifest.name = name;
  const places = (key: string, value: unknown): string[] =>
    placesIn(folder, value, (reason) =>
      manifest.problems.push(manifestError(path, lineOfKey(text, [key]), `\`${key}\`: ${reason}`)),
    );
  manifest.agents = places("agents", agents);
  manifest.skills = places("skills", skills);
  manifest.commands = places("commands", isObject(commands) ? sourcesOf(commands) : commands);
}

/** Commands by name, each with its file. */
const sourcesOf = (commands: Record<string, unknown>): unknown[] =>
  Object.values(commands)
    .map((command) => (isObject(command) ? command["source"] : command))
    .filter((source) => source !== undefined);

const noEffect = (path: string, line: number, part: string): Problem => {
  const kind = unusedKinds.find(([word]) => part.includes(word))!;
  return {
    path,
    line,
    severity: "warning",
    code: `plugin-${kind[0]}`,
    message: `of a plugin only agents, skills and commands are used here: its ${part} has no effect`,
    suggestion: kind[1],
  };
};

/**
 * The problem of a folder that is no plugin; for a marketplace or a folder of plugins it names
 * those inside.
 */
function noPlugin(folder: string): Problem {
  if (!existsSync(folder))
    return {
      path: folder,
      line: 1,
      severity: "error",
      code: "no-plugin",
      message: "there is no such folder",
    };
  const market = readTextFile(join(folder, ".claude-plugin", "marketplace.json"), maxFileBytes);
  const inside = [
    ...new Set([
      ...(market.ok ? listedPlugins(folder, market.text) : []),
      ...pluginsBelow(folder),
      ...pluginsBelow(join(folder, "plugins")),
    ]),
  ];
  const isMarket = market.ok || !market.absent;
  const what = isMarket
    ? "this is a marketplace of plugins, no plugin"
    : inside.length > 0
      ? "this is a folder of plugins, no plugin"
      : "this is no plugin: there is neither .claude-plugin/plugin.json nor agents, skills or commands in it";
  const more = inside.length > maxNamed ? ` and ${inside.length - maxNamed} more` : "";
  const way =
    inside.length > 0
      ? `; give one of those inside: ${inside.slice(0, maxNamed).join(", ")}${more}`
      : isMarket
        ? "; none of its plugins lies in it: fetch one and give its folder"
        : "";
  return { path: folder, line: 1, severity: "error", code: "no-plugin", message: `${what}${way}` };
}

/** The plugins of a marketplace that lie in its own folder. */
function listedPlugins(folder: string, text: string): string[] {
  const reading = readJson(text);
  const { plugins, metadata } = reading.ok && isObject(reading.value) ? reading.value : {};
  const root =
    isObject(metadata) && typeof metadata["pluginRoot"] === "string" ? metadata["pluginRoot"] : ".";
  const listed = Array.isArray(plugins) ? plugins.slice(0, 1_000).filter(isObject) : [];
  const places = listed.flatMap(({ source }) =>
    typeof source === "string" && !source.includes("\0")
      ? [resolve(folder, source), resolve(folder, root, source)]
      : [],
  );
  return places.filter((place) => place.startsWith(`${folder}${sep}`) && existsSync(place));
}

function pluginsBelow(folder: string): string[] {
  try {
    return readdirSync(folder)
      .slice(0, 1_000)
      .map((name) => join(folder, name))
      .filter((place) => existsSync(join(place, ".claude-plugin", "plugin.json")));
  } catch {
    return [];
  }
}

function placesIn(folder: string, value: unknown, complain: (reason: string) => void): string[] {
  const given: unknown[] =
    value === undefined ? [] : Array.isArray(value) ? value.slice(0, 1_000) : [value];
  const absent: string[] = [];
  const places = given.flatMap((item) => {
    const place =
      typeof item === "string" && !item.includes("\0") ? resolve(folder, item) : undefined;
    const inside = place === undefined ? undefined : relative(folder, place);
    const shown = JSON.stringify(item).slice(0, 80);
    if (place === undefined || inside === ".." || inside!.startsWith(`..${sep}`))
      complain(`${shown} is no path inside the plugin`);
    else if (!existsSync(place)) absent.push(shown);
    else return [place];
    return [];
  });
  const more = absent.length > 3 ? ` and ${absent.length - 3} more` : "";
  if (absent.length > 0)
    complain(`there is no ${absent.slice(0, 3).join(", ")}${more} in the plugin`);
  return places;
}
