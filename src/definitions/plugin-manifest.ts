// What a plugin says of itself in `.claude-plugin/plugin.json`: its name, and where agents and skills lie besides the usual folders.
import { existsSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { isObject } from "../base/json.ts";
import type { Problem } from "../base/problem.ts";
import { lineOfKey, readJson } from "../base/read-json.ts";
import { readTextFile } from "../base/read-text-file.ts";

export type PluginManifest = {
  /** The name in its manifest, else the folder's. */
  name: string;
  /** Files and folders, absolute, all inside the plugin. */
  agents: string[];
  skills: string[];
  problems: Problem[];
};

const maxFileBytes = 1024 * 1024;
const unusedParts = ["hooks/hooks.json", ".mcp.json", "commands"];

/** Never throws; without a manifest the folder speaks for itself. */
export function readPluginManifest(folder: string): PluginManifest {
  const path = join(folder, ".claude-plugin", "plugin.json");
  const manifest: PluginManifest = { name: basename(folder).replace(/[^\w.-]/g, "-"), agents: [], skills: [], problems: [] };
  const complain = (line: number, message: string): void => void manifest.problems.push({ path, line, severity: "error", code: "plugin-manifest", message });
  const file = readTextFile(path, maxFileBytes);
  const unused = unusedParts.filter((part) => existsSync(join(folder, part)));
  if (unused.length > 0) manifest.problems.push({ path: join(folder, unused[0]!), line: 1, severity: "warning", code: "plugin-part", message: `of a plugin only agents and skills are used here, not ${unused.join(", ")}`, suggestion: "put hooks into settings and servers into .mcp.json" });
  if (!file.ok) {
    if (!file.absent) complain(1, `not read: ${file.reason}`);
    return manifest;
  }
  const reading = readJson(file.text);
  if (!reading.ok || !isObject(reading.value)) {
    complain(reading.ok ? 1 : reading.line, `the manifest is ${reading.ok ? "no JSON object" : `not JSON: ${reading.message}`}; the plugin is called "${manifest.name}" after its folder`);
    return manifest;
  }
  const { name, agents, skills } = reading.value;
  if (typeof name === "string" && /^[\w.-]{1,64}$/.test(name)) manifest.name = name;
  const say = (key: string) => (reason: string) => complain(lineOfKey(file.text, [key]), `\`${key}\`: ${reason}`);
  manifest.agents = placesIn(folder, agents, say("agents"));
  manifest.skills = placesIn(folder, skills, say("skills"));
  return manifest;
}

function placesIn(folder: string, value: unknown, complain: (reason: string) => void): string[] {
  const given: unknown[] = value === undefined ? [] : Array.isArray(value) ? value.slice(0, 1_000) : [value];
  const absent: string[] = [];
  const places = given.flatMap((item) => {
    const place = typeof item === "string" && !item.includes("\0") ? resolve(folder, item) : undefined;
    const inside = place === undefined ? undefined : relative(folder, place);
    const shown = JSON.stringify(item).slice(0, 80);
    if (place === undefined || inside === ".." || inside!.startsWith(`..${sep}`)) complain(`${shown} is no path inside the plugin`);
    else if (!existsSync(place)) absent.push(shown);
    else return [place];
    return [];
  });
  if (absent.length > 0) complain(`there is no ${absent.slice(0, 3).join(", ")}${absent.length > 3 ? ` and ${absent.length - 3} more` : ""} in the plugin`);
  return places;
}
