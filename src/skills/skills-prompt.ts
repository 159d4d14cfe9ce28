// The skills of a definition as a section of its system prompt: the full content of each, and a warning for every name that is not there.
import { dataBlock } from "../base/data-block.ts";
import { limits } from "../base/limits.ts";
import { oneLine } from "../base/printable.ts";
import { suggest } from "../base/suggest.ts";
import type { Skill } from "./skill.ts";

export type SkillsPrompt = { text: string; warnings: string[]; used: Skill[] };

/** `names` are the definition's own; nothing is inherited from the parent. The text is empty when none is left. */
export function skillsPrompt(names: readonly string[], skills: ReadonlyMap<string, Skill>): SkillsPrompt {
  const result: SkillsPrompt = { text: "", warnings: [], used: [] };
  let left: number = limits.skill.promptBytes;
  for (const name of new Set(names)) {
    const skill = skills.get(name);
    const bytes = Buffer.byteLength(skill?.content ?? "");
    if (!skill) result.warnings.push(unknownSkill(name, skills));
    else if (!skill.modelInvocable) result.warnings.push(`the skill "${name}" is not given to the agent: \`disable-model-invocation\` leaves it to people`);
    else if (bytes > left) result.warnings.push(`the skill "${name}" is not given to the agent: all skills together are over ${limits.skill.promptBytes / 1024} KB`);
    else {
      left -= bytes;
      result.used.push(skill);
    }
  }
  const blocks = result.used.map((skill) => skillBlock(skill, skill.content));
  if (blocks.length > 0) result.text = ["# Skills", "You have these skills. Paths in a skill are relative to its folder.", ...blocks].join("\n\n");
  return result;
}

export const skillBlock = (skill: Skill, content: string): string => dataBlock("skill", { name: skill.name, folder: skill.dir }, content);

/** A sentence that names up to three skills that may have been meant. */
export function unknownSkill(name: string, skills: ReadonlyMap<string, Skill>): string {
  const near = nearNames(name, [...skills.keys()]);
  const hint = near.length === 0 ? "" : `; did you mean ${near.map((item) => `"${item}"`).join(" or ")}?`;
  return `there is no skill "${oneLine(name, 80)}"${hint}`;
}

function nearNames(name: string, known: string[]): string[] {
  const near = known.filter((other) => other.endsWith(`:${name}`)).slice(0, 3);
  while (near.length < 3) {
    const next = suggest(name, known.filter((other) => !near.includes(other)));
    if (next === undefined) break;
    near.push(next);
  }
  return near;
}
