// The skills of a definition as a section of its system prompt: the full content of each, and a
// warning for every missing one.
import { dataBlock } from "../base/text/data-block.ts";
import { limits } from "../base/limits.ts";
import { oneLine } from "../base/text/printable.ts";
import { suggest } from "../base/text/suggest.ts";
import { findSkill } from "./find-skill.ts";
import type { Skill } from "./skill.ts";

export type SkillsPrompt = { text: string; warnings: string[]; used: Skill[] };

/**
 * `names` are the definition's own; nothing is inherited from the parent. The text is empty if no
 * skill remains.
 */
export function skillsPrompt(
  names: readonly string[],
  skills: ReadonlyMap<string, Skill>,
): SkillsPrompt {
  const result: SkillsPrompt = { text: "", warnings: [], used: [] };
  let left: number = limits.skill.promptBytes;
  for (const name of new Set(names)) {
    const skill = findSkill(name, skills);
    const bytes = Buffer.byteLength(skill?.content ?? "");
    if (!skill) result.warnings.push(unknownSkill(name, skills));
    else if (!skill.modelInvocable)
      result.warnings.push(
        `the skill "${name}" is not given to the agent: \`disable-model-invocation\` leaves it to people`,
      );
    else if (bytes > left)
      result.warnings.push(
        `the skill "${name}" is not given to the agent: all skills together are over ` +
          `${limits.skill.promptBytes / 1024} KB`,
      );
    else if (!result.used.includes(skill)) {
      left -= bytes;
      result.used.push(skill);
    }
  }
  const blocks = result.used.map((skill) => skillBlock(skill, skill.content));
  if (blocks.length > 0)
    result.text = [
      "# Skills",
      "You have these skills. Paths in a skill are relative to its folder.",
      ...blocks,
    ].join("\n\n");
  return result;
}

export const skillBlock = (skill: Skill, content: string): string =>
  dataBlock("skill", { name: skill.name, folder: skill.dir }, content);

/** A sentence that names up to three skills that may have been meant. */
export function unknownSkill(name: string, skills: ReadonlyMap<string, Skill>): string {
  const near = nearSkills(name, skills);
  const hint =
    near.length === 0 ? "" : `; did you mean ${near.map((item) => `"${item}"`).join(" or ")}?`;
  return `there is no skill "${oneLine(name, 80)}"${hint}`;
}

/** Up to three names, the nearest first; a plugin's skill is compared by its own name too. */
export function nearSkills(name: string, skills: ReadonlyMap<string, Skill>): string[] {
  const names = [...skills.keys()];
  const spelled = new Map([
    ...names.map((full) => [full.slice(full.indexOf(":") + 1), full] as const),
    ...names.map((full) => [full, full] as const),
  ]);
  const near: string[] = [];
  while (near.length < 3) {
    const next = suggest(
      name,
      [...spelled].filter(([, full]) => !near.includes(full)).map(([spelling]) => spelling),
    );
    if (next === undefined) break;
    near.push(spelled.get(next)!);
  }
  return near;
}
