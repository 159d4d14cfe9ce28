// Loads every skill: from the project's folders, the user's, plugins, and commands, which are
// skills of one file. One bad file does not affect the others.
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import {
  managedDir,
  projectFolders,
  projectRoot,
  realPath,
} from "../base/files/project-folders.ts";
import { limits } from "../base/limits.ts";
import { readTextFile } from "../base/files/read-text-file.ts";
import { readPluginManifest } from "../definitions/plugin-manifest.ts";
import { scanPlace } from "../base/files/scan-folder.ts";
import { readSkill, type Skill, type SkillOrigin, type SkillProblem } from "./skill.ts";

export type SkillPlaces = {
  cwd: string;
  /** `~/.claude`, or CLAUDE_CONFIG_DIR. */
  configDir: string;
  managedDir?: string;
  pluginDirs?: readonly string[];
};

export type LoadedSkills = { skills: Map<string, Skill>; problems: SkillProblem[] };

type Folder = { path: string; origin: Omit<SkillOrigin, "path">; fence?: string };

/**
 * Managed before user before project, as Claude Code ranks them; among the project's folders the
 * nearest wins.
 */
export function loadSkills(places: SkillPlaces): LoadedSkills {
  const loaded: LoadedSkills = { skills: new Map(), problems: [] };
  const seen = new Set<string>();
  for (const folder of skillFolders(places)) {
    const { files, skipped } = scanPlace(folder.path, {
      wanted: /\.md$/i,
      ...(folder.fence !== undefined && { fence: folder.fence }),
    });
    for (const { path, reason } of skipped)
      loaded.problems.push({ path, line: 1, severity: "error", message: `not read: ${reason}` });
    for (const path of files.filter((file) => isSkillFile(folder.path, file) && !seen.has(file))) {
      seen.add(path);
      addSkill(loaded, { ...folder.origin, path });
    }
  }
  for (const { path: place, origin, fence } of commandFolders(places)) {
    const { files } = scanPlace(place, { wanted: /\.md$/i, ...(fence !== undefined && { fence }) });
    for (const path of files.filter((file) => !seen.has(file))) {
      seen.add(path);
      addCommand(loaded, { ...origin, path }, relative(place, path) || basename(path));
    }
  }
  return loaded;
}

/** `commands/a/b.md` is called `b` and `a:b`; a skill of that name comes first. */
function addCommand(loaded: LoadedSkills, origin: SkillOrigin, path: string): void {
  const words = path.slice(0, -".md".length).split(sep);
  const prefix = origin.plugin === undefined ? "" : `${origin.plugin}:`;
  const [short, long] = [words.at(-1)!, words.join(":")];
  if (
    loaded.skills.size >= limits.skill.skills ||
    (loaded.skills.has(prefix + short) && loaded.skills.has(prefix + long))
  )
    return;
  const file = readTextFile(origin.path, limits.skill.fileBytes);
  const { skill, problems } = file.ok
    ? readSkill(file.text, { ...origin, command: short })
    : {
        problems: [
          {
            path: origin.path,
            line: 1,
            severity: "error" as const,
            message: `not read: ${file.reason}`,
          },
        ],
      };
  loaded.problems.push(...problems);
  if (!skill) return;
  const name = loaded.skills.has(prefix + short) ? prefix + long : prefix + short;
  const aliases = [short, long, prefix + long].filter(
    (alias) => alias !== name && !loaded.skills.has(alias),
  );
  loaded.skills.set(name, { ...skill, name, aliases: [...new Set(aliases)] });
}

function skillFolders(places: SkillPlaces): Folder[] {
  return [...ownFolders(places, "skills"), ...(places.pluginDirs ?? []).flatMap(pluginFolders)];
}

/** The usual folder of commands and the files or folders that the manifest names. */
function commandFolders(places: SkillPlaces): Folder[] {
  const ofPlugins = (places.pluginDirs ?? []).flatMap((plugin): Folder[] => {
    const { name, commands } = readPluginManifest(plugin);
    return [join(plugin, "commands"), ...commands].map((path) => ({
      path,
      origin: { source: "plugin", plugin: name },
      fence: realPath(plugin),
    }));
  });
  return [...ownFolders(places, "commands"), ...ofPlugins];
}

function ownFolders(
  { cwd, configDir, managedDir: managed = managedDir() }: SkillPlaces,
  kind: "skills" | "commands",
): Folder[] {
  const root = projectRoot(cwd);
  const user = realPath(configDir);
  const project = projectFolders(cwd)
    .filter((folder) => realPath(join(folder, ".claude")) !== user)
    .map((folder): Folder => ({
      path: join(folder, ".claude", kind),
      origin: { source: "project" },
      fence: root,
    }));
  return [
    { path: join(managed, ".claude", kind), origin: { source: "managed" } },
    { path: join(configDir, kind), origin: { source: "user" } },
    ...project,
  ];
}

/** The usual folder and what the manifest names: folders of skills, or the folder of one skill. */
function pluginFolders(plugin: string): Folder[] {
  const { name, skills } = readPluginManifest(plugin);
  const origin = { source: "plugin", plugin: name } as const;
  const fence = realPath(plugin);
  const named = skills.map((path) =>
    existsSync(join(path, "SKILL.md")) ? join(path, "SKILL.md") : path,
  );
  return [join(plugin, "skills"), ...named].map((path) => ({ path, origin, fence }));
}

/**
 * Only `skills/NAME/SKILL.md`, nothing deeper: a skill's own files may contain examples of skills.
 */
function isSkillFile(folder: string, path: string): boolean {
  return (
    path === folder ||
    (basename(path) === "SKILL.md" &&
      !relative(folder, dirname(path)).includes(sep) &&
      dirname(path) !== folder)
  );
}

function addSkill({ skills, problems }: LoadedSkills, origin: SkillOrigin): void {
  const file = readTextFile(origin.path, limits.skill.fileBytes);
  if (!file.ok)
    return void problems.push({
      path: origin.path,
      line: 1,
      severity: "error",
      message: `not read: ${file.reason}`,
    });
  const reading = readSkill(file.text, origin);
  problems.push(...reading.problems);
  if (!reading.skill) return;
  const folder = basename(dirname(origin.path));
  const other = origin.plugin === undefined ? folder : `${origin.plugin}:${folder}`;
  const taken = skills.get(reading.skill.name);
  // If two folders have the same name in their files, as copies do, the second is called after its
  // folder, so that both can be used.
  const isCopy =
    taken !== undefined &&
    taken.source === reading.skill.source &&
    dirname(taken.dir) === dirname(reading.skill.dir) &&
    !skills.has(other);
  const name = isCopy ? other : reading.skill.name;
  if (isCopy)
    problems.push({
      path: origin.path,
      line: 1,
      severity: "warning",
      message:
        `the skill "${reading.skill.name}" is already defined by ${taken.path}; this one is ` +
        `called "${name}" after its folder`,
    });
  const winner = skills.get(name);
  if (winner)
    problems.push({
      path: origin.path,
      line: 1,
      severity: "warning",
      message: `the skill "${name}" is already defined by ${winner.path}, which is used`,
    });
  else if (skills.size >= limits.skill.skills)
    problems.push({
      path: origin.path,
      line: 1,
      severity: "error",
      message: `not read: there are more than ${limits.skill.skills} skills`,
    });
  else skills.set(name, { ...reading.skill, name });
}
