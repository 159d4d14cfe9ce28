// The short names of models: one table, which the environment and the settings may change.

export type Environment = Readonly<Record<string, string | undefined>>;

const defaults = { opus: "claude-opus-5-5", sonnet: "claude-sonnet-5-5", haiku: "claude-haiku-5-5", fable: "claude-fable-5-1" };

/** All aliases in force: the settings' word beats the environment's, which beats the built-in one. */
export function aliasTable(env: Environment, settings: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const table = new Map(Object.entries(defaults));
  for (const alias of table.keys()) {
    const given = env[`ANTHROPIC_DEFAULT_${alias.toUpperCase()}_MODEL`]?.trim();
    if (given) table.set(alias, given);
  }
  for (const [alias, name] of Object.entries(settings)) table.set(alias.toLowerCase(), name);
  return table;
}

/** The name behind an alias, followed through other aliases but never in a circle; a name that is no alias is returned as it is. */
export function expandAlias(name: string, table: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let current = name.trim();
  for (let next = table.get(current.toLowerCase()); next !== undefined && !seen.has(current); next = table.get(current.toLowerCase())) {
    seen.add(current);
    current = next.trim();
  }
  return current;
}
