// Every definition that is in reach, which one wins for each name and why. One bad file never stops
// the others.
import { limits } from "../base/limits.ts";
import { join, relative, sep } from "node:path";
import {
  claudeConfigDir,
  managedDir,
  projectFolders,
  projectRoot,
  realPath,
} from "../base/files/project-folders.ts";
import { isObject } from "../base/data/json.ts";
import { readTextFile } from "../base/files/read-text-file.ts";
import { errorText } from "../base/errors.ts";
import { scanPlace } from "../base/files/scan-folder.ts";
import { sourcePriority } from "./agent-definition.ts";
import type {
  AgentDefinition,
  AgentPlan,
  AgentSource,
  DefinitionOrigin,
  DefinitionProblem,
  KnownNames,
} from "./agent-definition.ts";
import { builtInDefinitions } from "./built-in-definitions.ts";
import { readPluginManifest } from "./plugin-manifest.ts";
import { readDefinition, readDefinitionObject } from "./reading/read-definition.ts";

export type LoadOptions = {
  cwd: string;
  /** The user's `.claude`; from the environment when absent. */
  configDir?: string;
  managedDir?: string;
  /** `--agents`: the JSON text, or what it holds: `{name: {description, prompt, …}}`. */
  cliAgents?: unknown;
  libraryAgents?: Readonly<Record<string, AgentPlan>>;
  pluginDirs?: readonly string[];
  /** Names of tools that are not built in. */
  tools?: Iterable<string>;
  /** Whether the models and skills that definitions name can be found; without it nobody looks. */
  known?: KnownNames;
};

export type DefinitionPlace = { source: AgentSource; filePath?: string };

export type LoadedDefinition = {
  definition: AgentDefinition;
  isActive: boolean;
  /** What this one hides, nearest rank first. */
  overrides: DefinitionPlace[];
  /** What hides this one, and why. */
  overriddenBy?: DefinitionPlace & { reason: string };
};

/** What `loadDefinitions` found: the definitions, and problems of their files. */
export type LoadedDefinitions = {
  definitions: Map<string, AgentDefinition>;
  all: LoadedDefinition[];
  problems: DefinitionProblem[];
  files: string[];
};

const maxFileBytes = limits.definition.fileBytes;

/** `path` may be one file where a plugin's manifest names it. */
type Folder = {
  path: string;
  origin: Omit<DefinitionOrigin, "path">;
  fence?: string;
  problems?: DefinitionProblem[];
};

/**
 * Reads all agent definitions that apply to a folder. Reads the disk now; call again, or use
 * `watchDefinitions`, for what changes later.
 */
export function loadDefinitions(options: LoadOptions): LoadedDefinitions {
  const problems: DefinitionProblem[] = [];
  const files = new Set<string>();
  const found: AgentDefinition[] = [...givenDefinitions(options, problems)];
  for (const { path, origin, fence, problems: ofFolder = [] } of definitionFolders(options)) {
    const scan = scanPlace(path, { wanted: /\.md$/i, ...(fence !== undefined && { fence }) });
    problems.push(...ofFolder);
    for (const { path: skipped, reason } of scan.skipped)
      problems.push({
        path: skipped,
        line: 1,
        severity: "error",
        code: "skipped-file",
        message: `not read: ${reason}`,
      });
    for (const file of scan.files) {
      if (files.has(file)) continue;
      files.add(file);
      found.push(
        ...readFile(
          file,
          {
            ...origin,
            ...(options.tools && { tools: options.tools }),
            ...(options.known && { known: options.known }),
          },
          problems,
        ),
      );
    }
  }
  found.push(...builtInDefinitions);
  const all = rank(found, problems);
  return {
    definitions: new Map(
      all.filter((entry) => entry.isActive).map(({ definition }) => [definition.name, definition]),
    ),
    all,
    problems,
    files: [...files],
  };
}

/** The folders that are scanned, highest rank first. */
export function definitionFolders({
  cwd,
  configDir = claudeConfigDir(),
  managedDir: managed = managedDir(),
  pluginDirs = [],
}: LoadOptions): Folder[] {
  const root = projectRoot(cwd);
  const user = realPath(configDir);
  const project = projectFolders(cwd)
    .filter(
      (folder) =>
        realPath(join(folder, ".claude")) !== user &&
        !relative(root, folder).split(sep).includes("node_modules"),
    )
    .map((folder, distance): Folder => ({
      path: join(folder, ".claude", "agents"),
      origin: { source: "project", priority: sourcePriority.project + Math.max(0, 99 - distance) },
      fence: root,
    }));
  return [
    { path: join(managed, ".claude", "agents"), origin: { source: "managed" } },
    { path: join(managed, "agents"), origin: { source: "managed" } },
    ...project,
    { path: join(configDir, "agents"), origin: { source: "user" } },
    ...pluginDirs.flatMap(pluginFolders),
  ];
}

function pluginFolders(folder: string): Folder[] {
  const { name, agents, problems } = readPluginManifest(folder);
  const fence = realPath(folder);
  return [join(folder, "agents"), ...agents].map((path, index) => ({
    path,
    origin: { source: "plugin", plugin: name },
    fence,
    ...(index === 0 && { problems }),
  }));
}

function readFile(
  path: string,
  origin: Omit<DefinitionOrigin, "path">,
  problems: DefinitionProblem[],
): AgentDefinition[] {
  const file = readTextFile(path, maxFileBytes);
  if (!file.ok) {
    problems.push({
      path,
      line: 1,
      severity: "error",
      code: "unreadable-file",
      message: `not read: ${file.reason}`,
    });
    return [];
  }
  const reading = readDefinition(file.text, { ...origin, path });
  problems.push(...reading.problems);
  return reading.definition ? [reading.definition] : [];
}

function givenDefinitions(
  { cliAgents, libraryAgents, tools, known }: LoadOptions,
  problems: DefinitionProblem[],
): AgentDefinition[] {
  const extra = { ...(tools && { tools }), ...(known && { known }) };
  return [
    ...readGiven(cliAgents, { source: "cli", path: "--agents", ...extra }, problems),
    ...readGiven(libraryAgents, { source: "library", path: "agents", ...extra }, problems),
  ];
}

function readGiven(
  given: unknown,
  origin: DefinitionOrigin,
  problems: DefinitionProblem[],
): AgentDefinition[] {
  if (given === undefined) return [];
  const complain = (message: string): never[] => {
    problems.push({
      path: origin.path,
      line: 1,
      severity: "error",
      code: "invalid-agents",
      message,
      suggestion: '{"reviewer": {"description": "…", "prompt": "…"}}',
    });
    return [];
  };
  let value = given;
  if (typeof value === "string") {
    try {
      value = JSON.parse(value);
    } catch (error) {
      return complain(`${origin.path} is not JSON: ${errorText(error)}`);
    }
  }
  if (
    Array.isArray(value) &&
    value.every((item) => isObject(item) && typeof item["name"] === "string")
  )
    value = Object.fromEntries(value.map((item: Record<string, unknown>) => [item["name"], item]));
  if (!isObject(value)) return complain(`${origin.path} must be an object of definitions by name`);
  return Object.entries(value).flatMap(([name, fields]) => {
    if (!isObject(fields))
      return complain(`${origin.path}: "${name.slice(0, 60)}" must be an object`);
    const reading = readDefinitionObject({ ...fields, name }, origin);
    problems.push(...reading.problems);
    return reading.definition ? [reading.definition] : [];
  });
}

/** Highest priority first; of two with the same, the one found first. */
function rank(found: AgentDefinition[], problems: DefinitionProblem[]): LoadedDefinition[] {
  const byName = new Map<string, AgentDefinition[]>();
  for (const definition of found)
    byName.set(definition.name, [...(byName.get(definition.name) ?? []), definition]);
  return [...byName.values()].flatMap((rivals) => {
    const [winner, ...others] = rivals.sort((a, b) => b.priority - a.priority);
    for (const loser of others.filter(
      (other) => other.priority === winner!.priority && other.filePath !== undefined,
    )) {
      problems.push({
        path: loser.filePath!,
        line: 1,
        severity: "warning",
        code: "duplicate-name",
        message: `"${loser.name}" is already defined by ${winner!.filePath ?? winner!.source}, which is used`,
      });
    }
    return [
      { definition: winner!, isActive: true, overrides: others.map(placeOf) },
      ...others.map((loser): LoadedDefinition => ({
        definition: loser,
        isActive: false,
        overrides: [],
        overriddenBy: { ...placeOf(winner!), reason: whyWins(winner!, loser) },
      })),
    ];
  });
}

const placeOf = ({ source, filePath }: AgentDefinition): DefinitionPlace => ({
  source,
  ...(filePath !== undefined && { filePath }),
});

function whyWins(winner: AgentDefinition, loser: AgentDefinition): string {
  if (winner.source !== loser.source)
    return `${winner.source} definitions come before ${loser.source} ones`;
  return winner.priority === loser.priority
    ? "it was found first in the same place"
    : "its folder is nearer to the working directory";
}
