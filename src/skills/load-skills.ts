// Every skill in reach: the project's folders, the person's, plugins'. One bad file never stops the others.
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { managedDir, projectFolders, projectRoot, realPath } from "../base/claude-paths.ts";
import { limits } from "../base/limits.ts";
import { readTextFile } from "../base/read-text-file.ts";
import { readPluginManifest } from "../definitions/plugin-manifest.ts";
import { scanPlace } from "../base/scan-folder.ts";
import { readSkill, type Skill, type SkillOrigin, type SkillProblem } from "./skill.ts";

export type SkillPlaces = {
  cwd: string;
  /** `~/.claude`, or what CLAUDE_CONFIG_DIR says. */
  configDir: string;
  managedDir?: string;
  pluginDirs?: readonly string[];
};

export type LoadedSkills = { skills: Map<string, Skill>; problems: SkillProblem[] };

type Folder = { path: string; origin: Omit<SkillOrigin, "path">; fence?: string };

/** Managed before the person's own before the project's, as Claude Code ranks them; of the project's folders the nearest wins. */
export function loadSkills(places: SkillPlaces): LoadedSkills {
  const loaded: LoadedSkills = { skills: new Map(), problems: [] };
  const seen = new Set<string>();
  for (const folder of skillFolders(places)) {
    const { files, skipped } = scanPlace(folder.path, { wanted: /\.md$/i, ...(folder.fence !== undefined && { fence: folder.fence }) });
    for (const { path, reason } of skipped) loaded.problems.push({ path, line: 1, severity: "error", message: `not read: ${reason}` });
    for (const path of files.filter((file) => isSkillFile(folder.path, file) && !seen.has(file))) {
      seen.add(path);
      addSkill(loaded, { ...folder.origin, path });
    }
  }
  return loaded;
}

function skillFolders({ cwd, configDir, managedDir: managed = managedDir(), pluginDirs = [] }: SkillPlaces): Folder[] {
  const root = projectRoot(cwd);
  const user = realPath(configDir);
  const project = projectFolders(cwd)
    .filter((folder) => realPath(join(folder, ".claude")) !== user)
    .map((folder): Folder => ({ path: join(folder, ".claude", "skills"), origin: { source: "project" }, fence: root }));
  return [
    { path: join(managed, ".claude", "skills"), origin: { source: "managed" } },
    { path: join(configDir, "skills"), origin: { source: "user" } },
    ...project,
    ...pluginDirs.flatMap(pluginFolders),
  ];
}

/** The usual folder and what the manifest names: folders of skills, or one skill's own folder. */
function pluginFolders(plugin: string): Folder[] {
  const { name, skills } = readPluginManifest(plugin);
  const origin = { source: "plugin", plugin: name } as const;
  const fence = realPath(plugin);
  const named = skills.map((path) => (existsSync(join(path, "SKILL.md")) ? join(path, "SKILL.md") : path));
  return [join(plugin, "skills"), ...named].map((path) => ({ path, origin, fence }));
}

/** `skills/NAME/SKILL.md` and nothing deeper: a skill's own files may hold examples of skills. */
function isSkillFile(folder: string, path: string): boolean {
  return path === folder || (basename(path) === "SKILL.md" && !relative(folder, dirname(path)).includes(sep) && dirname(path) !== folder);
}

function addSkill({ skills, problems }: LoadedSkills, origin: SkillOrigin): void {
  const file = readTextFile(origin.path, limits.skill.fileBytes);
  if (!file.ok) return void problems.push({ path: origin.path, line: 1, severity: "error", message: `not read: ${file.reason}` });
  const reading = readSkill(file.text, origin);
  problems.push(...reading.problems);
  if (!reading.skill) return;
  const { name } = reading.skill;
  const winner = skills.get(name);
  if (winner) problems.push({ path: origin.path, line: 1, severity: "warning", message: `the skill "${name}" is already defined by ${winner.path}, which is used` });
  else if (skills.size >= limits.skill.skills) problems.push({ path: origin.path, line: 1, severity: "error", message: `not read: there are more than ${limits.skill.skills} skills` });
  else skills.set(name, reading.skill);
}
