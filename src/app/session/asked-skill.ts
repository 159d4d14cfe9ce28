// `/name words` as a prompt: the skill or command of that name, loaded as if the person had handed
// it over.
import { isTrustedSkill } from "../../manager/run/settle/preloaded-skills.ts";
import type { Session } from "../../manager/session/session.ts";
import { findSkill } from "../../skills/find-skill.ts";
import { skillText } from "../../skills/skill-tool.ts";

export type AskedSkill = { prompt: string; allow: readonly string[] };

/**
 * The prompt with the skill below it, and the rules that the skill brings where its source is
 * trusted. What names no skill stays as it is: it may be a path, or meant for somebody else.
 */
export function askedSkill(session: Session, prompt: string): AskedSkill {
  const [, name, args = ""] =
    /^\/([\p{L}\p{N}][\p{L}\p{N}._:-]*)(?:\s+([\s\S]*))?$/u.exec(prompt.trim()) ?? [];
  const skill = name === undefined ? undefined : findSkill(name, session.skills().skills);
  if (!skill?.userInvocable) return { prompt, allow: [] };
  return {
    prompt: `${prompt.trim()}\n\nThe skill ${skill.name} was asked for; here it is. ${skillText(skill, args.trim())}`,
    allow: isTrustedSkill(skill, session) ? (skill.allowedTools ?? []) : [],
  };
}
