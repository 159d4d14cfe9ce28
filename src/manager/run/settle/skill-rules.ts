// What the skills of a definition bring besides their text: allow rules, and a wish for the model.
// Both only from sources that may widen.
import { findSkill } from "../../../skills/find-skill.ts";
import { skillText } from "../../../skills/skill-tool.ts";
import type { AgentDefinition } from "../../../definitions/agent-definition.ts";
import type { Skill } from "../../../skills/skill.ts";
import type { Session } from "../../session/session.ts";

/** A project's own skill counts where its folder is trusted. */
export const isTrustedSkill = (
  { source }: Pick<Skill, "source">,
  { isTrusted }: Pick<Session, "isTrusted">,
): boolean => source !== "project" || isTrusted;

function usable(session: Session, { skills = [] }: AgentDefinition): Skill[] {
  if (skills.length === 0) return [];
  const all = session.skills().skills;
  return skills
    .flatMap((name) => findSkill(name, all) ?? [])
    .filter((skill) => skill.modelInvocable && isTrustedSkill(skill, session));
}

/** An agent of a folder that nobody has trusted gets no rules by naming a skill of the user's. */
export function skillRules(session: Session, definition: AgentDefinition): string[] {
  return session.mayWiden(definition)
    ? usable(session, definition).flatMap(({ allowedTools = [] }) => allowedTools)
    : [];
}

/** The definition's own model, else the first that one of its skills names. */
export function requestedModel(session: Session, definition: AgentDefinition): string | undefined {
  return (
    definition.model ?? usable(session, definition).find(({ model }) => model !== undefined)?.model
  );
}

export type AskedSkill = { prompt: string; allow: readonly string[] };

/**
 * A prompt `/name words` names a skill or command: the skill stands below it, as if the person had
 * handed it over, with its rules where its source is trusted. What names no skill stays as it is:
 * it may be a path, or meant for somebody else.
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
