// Whether the models and skills that definitions name can be found from where somebody works;
// looked up only when a definition names one.
import type { KnownNames } from "../../definitions/agent-definition.ts";
import { modelNameProblem, type ModelNames } from "../../model/model-name-problem.ts";
import { findSkill } from "../../skills/find-skill.ts";
import { loadSkills, type LoadedSkills, type SkillPlaces } from "../../skills/load-skills.ts";
import { nearSkills, unknownSkill } from "../../skills/skills-prompt.ts";

export function knownNames(models: ModelNames, places: SkillPlaces): KnownNames {
  let loaded: LoadedSkills["skills"] | undefined;
  return {
    model: (name) => modelNameProblem(name, models),
    skill(name) {
      const skills = (loaded ??= loadSkills(places).skills);
      if (findSkill(name, skills)) return undefined;
      const near = nearSkills(name, skills)[0];
      return {
        message: unknownSkill(name, skills),
        ...(near !== undefined && { suggestion: near }),
      };
    },
  };
}
