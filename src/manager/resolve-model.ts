// Which model a run gets: the call's word, the definition's, the environment's default, the parent's.

export type ModelChoice = {
  /** `model` of the call. */
  input?: string | undefined;
  definition?: string | undefined;
  /** CLAUDE_CODE_SUBAGENT_MODEL: a default here, no override. */
  fallback?: string | undefined;
  parent: string;
};

/** The first one given; a written `inherit` means the parent at once. */
export function resolveModelName({ input, definition, fallback, parent }: ModelChoice): string {
  for (const name of [input, definition, fallback]) {
    if (name === "inherit") return parent;
    if (name) return name;
  }
  return parent;
}
