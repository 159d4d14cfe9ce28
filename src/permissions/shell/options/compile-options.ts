// A table of options ready for look-ups: what each option means, and which of them take the next word.
import type { CommandSpec } from "../tables/command-spec.ts";

export type OptionRole =
  | "valued"
  | "reads"
  | "writes"
  | "makes"
  | "lists"
  | "runs"
  | "edits"
  | "changes"
  | "code"
  | "names";

export type OptionTable = Pick<
  CommandSpec,
  OptionRole | "flags" | "joined" | "singleDash" | "strict" | "last"
>;

export type Compiled = {
  roles: Map<string, Set<OptionRole>>;
  longs: string[];
  /** Names of one dash and several letters (`-lf`), the longest first. */
  lettered: string[];
  /** Options whose value is joined to them or missing: the next word is never theirs. */
  joined: ReadonlySet<string>;
  numbers: boolean;
  /** Some option runs or writes something. */
  isDangerous: boolean;
};

const roleNames: OptionRole[] = [
  "valued",
  "reads",
  "writes",
  "makes",
  "lists",
  "runs",
  "edits",
  "changes",
  "code",
  "names",
];
const takesValue: ReadonlySet<OptionRole> = new Set([
  "valued",
  "reads",
  "writes",
  "makes",
  "lists",
  "code",
  "names",
]);
const compiled = new WeakMap<OptionTable, Compiled>();
export const noRoles: ReadonlySet<OptionRole> = new Set();

export function compileOptions(table: OptionTable): Compiled {
  const found = compiled.get(table);
  if (found) return found;
  const roles = new Map<string, Set<OptionRole>>();
  for (const role of roleNames) {
    for (const name of (table[role] ?? "").split(/\s+/).filter(Boolean))
      roles.set(name, (roles.get(name) ?? new Set()).add(role));
  }
  const joined = new Set((table.joined ?? "").split(/\s+/).filter(Boolean));
  for (const name of [...(table.flags ?? "").split(/\s+/), ...joined])
    if (name !== "" && !roles.has(name)) roles.set(name, new Set());
  const longs = [...roles.keys()].filter((name) => name.length > 2);
  const lettered = longs
    .filter((name) => !name.startsWith("--"))
    .toSorted((a, b) => b.length - a.length);
  const isDangerous = [...roles.values()].some((all) => reachesFar(all));
  const made = { roles, longs, lettered, joined, numbers: roles.has("-#"), isDangerous };
  compiled.set(table, made);
  return made;
}

const strictTables = new WeakMap<OptionTable, OptionTable>();

/** The table of a program whose options end at its subcommand. */
export function strictTable(table: OptionTable): OptionTable {
  const found = strictTables.get(table);
  if (found) return found;
  const made = { ...table, strict: true as const };
  strictTables.set(table, made);
  // Where its options end changes nothing about what they mean.
  compiled.set(made, compileOptions(table));
  return made;
}

/**
 * True when an option of the table runs or writes something: words that may be options then matter.
 * One that also reads (`--files0-from`) matters by the path it is given.
 */
export const hasDangerousOptions = (table: OptionTable): boolean =>
  compileOptions(table).isDangerous;

const reachesFar = (roles: ReadonlySet<OptionRole>): boolean =>
  (roles.has("runs") && !roles.has("reads")) ||
  roles.has("edits") ||
  roles.has("changes") ||
  roles.has("code") ||
  roles.has("writes") ||
  roles.has("makes");

export const consumesNext = (
  { joined }: Compiled,
  { name, roles }: { name: string; roles: ReadonlySet<OptionRole> },
): boolean => !joined.has(name) && [...roles].some((role) => takesValue.has(role));
