// What the skills of a definition bring besides their text: allow rules, and a wish for the model.
// Both only from sources that may widen.
import type { AgentDefinition } from "../../../definitions/agent-definition.ts";
import { findSkill } from "../../../skills/find-skill.ts";
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
