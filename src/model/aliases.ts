// The short names of models: one table, which environment and settings may change.

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

const defaults = {
  opus: "claude-opus-5-5",
  sonnet: "claude-sonnet-5-5",
  haiku: "claude-haiku-5-5",
  fable: "claude-fable-5-1",
};

/**
 * Words of Claude Code for a switch between models that does not exist here: one model plans and
 * does the work.
 */
const otherWords: ReadonlyMap<string, string> = new Map([
  ["opusplan", "opus"],
  ["best", "opus"],
  ["default", "sonnet"],
]);

/** All aliases in force: settings win over the environment, which wins over the built-in ones. */
export function aliasTable(
  env: EnvironmentVariables,
  settings: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> {
  const table = new Map(Object.entries(defaults));
  for (const alias of table.keys()) {
    const given = env[`ANTHROPIC_DEFAULT_${alias.toUpperCase()}_MODEL`]?.trim();
    if (given) table.set(alias, given);
  }
  for (const [alias, name] of Object.entries(settings)) table.set(alias.toLowerCase(), name);
  return table;
}

/**
 * The name behind an alias, followed through other aliases but never in a circle; a name that is no
 * alias is returned unchanged. `[1m]` at its end asks Claude Code for a larger window and is
 * removed.
 */
export function expandAlias(name: string, table: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  const meant = (alias: string): string | undefined =>
    table.get(alias.toLowerCase()) ?? otherWords.get(alias.toLowerCase());
  let current = bare(name);
  for (let next = meant(current); next !== undefined && !seen.has(current); next = meant(current)) {
    seen.add(current);
    current = bare(next);
  }
  return current;
}

const bare = (name: string): string => name.trim().replace(/\[1m\]$/i, "");
