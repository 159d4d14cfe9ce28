// Finds the skill that a name means. People write the name in the frontmatter, the folder's name,
// or leave out the plugin; Claude Code understands all three.
import { basename } from "node:path";
import type { Skill } from "./skill.ts";

/** The exact name first; among other matches the one with the highest rank. */
export function findSkill(name: string, skills: ReadonlyMap<string, Skill>): Skill | undefined {
  return skills.get(name) ?? [...skills.values()].find((skill) => otherNames(skill).includes(name));
}

export function otherNames({
  name,
  dir,
  aliases,
}: Pick<Skill, "name" | "dir" | "aliases">): readonly string[] {
  const folder = basename(dir);
  const colon = name.indexOf(":");
  if (aliases) return aliases;
  return colon < 0
    ? [folder]
    : [`${name.slice(0, colon)}:${folder}`, name.slice(colon + 1), folder];
}
