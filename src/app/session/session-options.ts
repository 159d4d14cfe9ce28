// What a session is opened with, and the refusal of what a person gave and cannot be used.
import { accessSync, constants, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { realPath } from "../../base/files/project-folders.ts";
import type { Problem } from "../../base/problem.ts";
import type { LoadedDefinitions, loadDefinitions } from "../../definitions/load-definitions.ts";
import type { Hook } from "../../hooks/hook.ts";
import type { LimitSource } from "../../manager/run/settle/resolve-limits.ts";
import type { Answerer, Asker } from "../../manager/session/asker.ts";
import type { Environment, Session } from "../../manager/session/session.ts";
import type { Model } from "../../model/model.ts";
import type { Tool } from "../../tool/tool.ts";

export type SessionOptions = {
  cwd: string;
  env: Environment;
  sessionId?: string;
  /** `--agents`: JSON text or object. */
  cliAgents?: unknown;
  agents?: Parameters<typeof loadDefinitions>[0]["libraryAgents"];
  settings?: string;
  mcpConfigs?: readonly string[];
  pluginDirs?: readonly string[];
  /** Trust the folder for this session, whatever the store says. */
  trust?: boolean;
  allowedTools?: readonly string[];
  disallowedTools?: readonly string[];
  /** Rules that are asked about. */
  askRules?: readonly string[];
  /** What binds sub-agents whose definition names no contract. */
  contract?: Session["contract"];
  /** How runs are run, instead of what the settings say. */
  executor?: Session["executor"];
  /** Whether final answers are checked; they are, unless a person says no. */
  verify?: boolean;
  /** Where the output files of background runs go, instead of the session's folder. */
  outputDir?: string;
  addDirs?: readonly string[];
  mode?: string;
  ask?: Asker;
  /** What was approved before this session moved here. */
  approvals?: readonly string[];
  /** Answers questions of agents. */
  answer?: Answerer;
  hooks?: readonly Hook[];
  tools?: readonly Tool[];
  /** Models by name, before any provider is asked. */
  models?: Readonly<Record<string, Model>>;
  limits?: LimitSource & { idleTimeoutMs?: number };
  /** Whether runs are written to disk; they are, unless a program says no. */
  persist?: boolean;
  /** The folder that takes the place of `{configDir}/projects/{project}`. */
  transcriptDir?: string;
};

/** Throws for a folder that is not there or cannot be read. */
export function workingDirectory({ cwd: given, sessionId }: SessionOptions): string {
  // A session that goes on does so in its own folder: there is no other to be given.
  const remedy =
    sessionId === undefined
      ? "Give an existing, readable folder as cwd."
      : "What is resumed goes on in the folder that it worked in: bring that back, or start anew elsewhere.";
  try {
    if (statSync(given).isDirectory()) {
      accessSync(given, constants.R_OK | constants.X_OK);
      return realPath(given);
    }
  } catch (error) {
    throw new RetinueError(
      "usage",
      `cannot use ${given} as working directory: ` +
        `${(error as NodeJS.ErrnoException).code ?? String(error)}. ${remedy}`,
    );
  }
  throw new RetinueError(
    "usage",
    `cannot use ${given} as working directory: it is no folder. ${remedy}`,
  );
}

/**
 * What a person names must be there and readable: going on without it could be going on without its
 * deny rules.
 */
export function refuseUnread(
  { settings, mcpConfigs = [], pluginDirs = [], addDirs = [] }: SessionOptions,
  cwd: string,
  problems: readonly Problem[],
): void {
  const files = [...(settings === undefined ? [] : [settings]), ...mcpConfigs].map((given) =>
    join(given.startsWith("/") ? "" : cwd, given),
  );
  const bad = problems.find(
    ({ path, severity }) =>
      severity === "error" &&
      (files.includes(path) || /^--(agents|settings|mcp-config)\b/.test(path)),
  );
  if (bad)
    throw unusable(
      "config",
      optionNames[bad.path] ?? bad.path,
      bad.message.startsWith(bad.path) ? bad.message.slice(bad.path.length) : `: ${bad.message}`,
    );
  const folders = [
    ...pluginDirs.map((path) => ({ option: "plugins", path: resolve(path) })),
    ...addDirs.map((path) => ({ option: "additional directories", path: resolve(cwd, path) })),
  ];
  const lost = folders.find(
    ({ path }) => !statSync(path, { throwIfNoEntry: false })?.isDirectory(),
  );
  if (lost) throw unusable("usage", lost.option, `: there is no folder ${lost.path}`);
  const wrong = problems.find(
    ({ code, path }) =>
      code === "no-plugin" && pluginDirs.some((given) => resolve(given) === resolve(path)),
  );
  if (wrong) throw unusable("usage", "plugins", `: ${wrong.path}: ${wrong.message}`);
}

/** In a file a bad definition is a problem among others; in code it is a mistake. */
export function refuseBrokenAgents(
  { agents = {} }: SessionOptions,
  loaded: LoadedDefinitions,
): void {
  const read = new Set(
    loaded.all
      .filter(({ definition }) => definition.source === "library")
      .map(({ definition }) => definition.name),
  );
  const lost = Object.keys(agents).filter((name) => !read.has(name));
  if (lost.length === 0) return;
  const why = loaded.problems
    .filter(({ path, severity }) => path.startsWith("agents") && severity === "error")
    .map(({ message }) => message);
  throw new RetinueError(
    "config",
    `agents that cannot be used: ${lost.join(", ")}. ${why.join("; ")}`,
  );
}

/** What was given as text has no path; the loaders name it by its flag. */
const optionNames: Readonly<Record<string, string>> = {
  "--agents": "agents",
  "--settings": "settings",
  "--mcp-config": "MCP servers",
};

export const unusable = (code: "usage" | "config", option: string, why: string): RetinueError =>
  new RetinueError(code, `${option}${why}`, { option });
