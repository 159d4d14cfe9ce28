// Which model a run gets: the call's word, the definition's, the environment's default, the parent's.

export type ModelChoice = {
  /** `model` of the call. */
  input?: string | undefined;
  definition?: string | undefined;
  /** CLAUDE_CODE_SUBAGENT_MODEL: a default here, no override. */
  fallback?: string | undefined;
  /** Asked last: a parent without a model is no matter to a child that has one. */
  parent: () => string;
};

/** The first one given; a written `inherit` means the parent at once. */
export function resolveModelName(choice: ModelChoice): string {
  for (const name of [choice.input, choice.definition, choice.fallback]) {
    if (name === "inherit") break;
    if (name) return name;
  }
  return choice.parent();
}
