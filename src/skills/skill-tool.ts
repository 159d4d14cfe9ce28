// The Skill tool: loads a skill's content on demand and names the folder of its files.
import * as z from "zod";
import { limits } from "../base/limits.ts";
import { oneLine } from "../base/text/printable.ts";
import { defineZodTool } from "../tool/define-tool.ts";
import { errorResult, type Tool } from "../tool/tool.ts";
import { findSkill } from "./find-skill.ts";
import type { Skill } from "./skill.ts";
import { skillBlock, unknownSkill } from "./skills-prompt.ts";

export type SkillToolOptions = {
  skills: ReadonlyMap<string, Skill>;
  /**
   * Called for every loaded skill before the model sees it; for trusted sources `allowedTools` and
   * `model` take effect here.
   */
  onLoad?(skill: Skill): void;
  /** Why the skill may not be loaded under the given name; a rule may name it by another one. */
  refusal?(skill: Skill, given: string): string | undefined;
};

const input = z.object({
  skill: z.string().min(1).max(200).describe("The skill's name, as listed"),
  args: z.string().max(20_000).optional().describe("What the skill is to work on"),
});

export function createSkillTool(options: SkillToolOptions): Tool {
  return defineZodTool({
    name: "Skill",
    description: describe([...options.skills.values()].filter((skill) => skill.modelInvocable)),
    input,
    readOnly: true,
    async run({ skill: given, args = "" }) {
      const name = given.replace(/^\//, "");
      const skill = findSkill(name, options.skills);
      if (!skill) return errorResult(unknownSkill(name, options.skills));
      if (!skill.modelInvocable)
        return errorResult(`the skill "${name}" can only be started by a person`);
      const refusal = options.refusal?.(skill, name);
      if (refusal !== undefined) return errorResult(refusal);
      options.onLoad?.(skill);
      const facts = {
        skill: skill.name,
        path: skill.path,
        ...(skill.allowedTools === undefined ? {} : { allowed_tools: skill.allowedTools }),
      };
      return { content: skillText(skill, args), summary: `loaded ${skill.name}`, facts };
    },
    // Loaded in another process: its rules hold here too, unless the rules of today refuse it.
    recall({ skill: given }, { isError }) {
      const name = String(given).replace(/^\//, "");
      const skill = isError ? undefined : findSkill(name, options.skills);
      if (skill && options.refusal?.(skill, name) === undefined) options.onLoad?.(skill);
    },
  });
}

/**
 * A loaded skill as a model reads it: the folder of its files, and its content with the arguments
 * filled in.
 */
export function skillText(skill: Skill, args: string): string {
  const place = skill.aliases
    ? "Paths in it are relative to the working directory."
    : `The skill's folder is ${JSON.stringify(skill.dir)}; paths in it are relative to that.`;
  const notRun = /(?:^|\s)!`[^`\n]+`/.test(skill.content)
    ? " Commands in it that are written as !`…` have not been run; run them yourself where their output is needed."
    : "";
  return `${place}${notRun}\n\n${skillBlock(skill, filled(skill, args))}`;
}

/** Replacements are functions, because `$&` and similar have a meaning in a replacement text. */
function filled(skill: Skill, args: string): string {
  const content = skill.content.replaceAll("${CLAUDE_SKILL_DIR}", () => skill.dir);
  const words = args.split(/\s+/).filter(Boolean);
  if (content.includes("$ARGUMENTS"))
    return content.replace(/\$ARGUMENTS(?:\[(\d{1,3})\])?/g, (_whole, at: string | undefined) =>
      at === undefined ? args : (words[Number(at)] ?? ""),
    );
  return args === "" ? content : `${content}\n\nARGUMENTS: ${args}`;
}

/**
 * If there are many skills, descriptions become shorter: a skill that is not listed is never
 * loaded.
 */
function describe(skills: readonly Skill[]): string {
  const opening =
    "Loads a skill: instructions for one kind of task, with files of its own. Load it " +
    "before you begin such a task. Skills:";
  const width = descriptionWidth(skills);
  const lines: string[] = [];
  let left: number = limits.skill.listCharacters;
  for (const { name, description } of skills) {
    const line =
      width < minDescription || description === ""
        ? `- ${name}`
        : `- ${name}: ${oneLine(description, width)}`;
    left -= line.length;
    if (left < 0) break;
    lines.push(line);
  }
  if (lines.length < skills.length) lines.push(`- and ${skills.length - lines.length} more`);
  return [opening, ...(lines.length === 0 ? ["(none)"] : lines)].join("\n");
}

const minDescription = 20;

/** The longest description with which all skills fit; short descriptions leave room for others. */
function descriptionWidth(skills: readonly Skill[]): number {
  let left =
    limits.skill.listCharacters -
    skills.reduce((sum, { name }) => sum + name.length + "- : ".length, 0);
  const lengths = skills.map(({ description }) => description.length).sort((a, b) => a - b);
  for (const [at, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}
