// The short names of models: one table, which the environment and the settings may change.

export type Environment = Readonly<Record<string, string | undefined>>;

const defaults = {
  opus: "claude-opus-5-5",
  sonnet: "claude-sonnet-5-5",
  haiku: "claude-haiku-5-5",
  fable: "claude-fable-5-1",
};

/**
 * Words of Claude Code for a choice that is not made here by itself: a plan is made and carried out
 * by one model.
 */
const otherWords: ReadonlyMap<string, string> = new Map([
  ["opusplan", "opus"],
  ["best", "opus"],
  ["default", "sonnet"],
]);

/**
 * All aliases in force: the settings' word beats the environment's, which beats the built-in one.
 */
export function aliasTable(
  env: Environment,
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
 * alias is returned as it is. `[1m]` after it asks Claude Code for a wider window and is no part of
 * it.
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
