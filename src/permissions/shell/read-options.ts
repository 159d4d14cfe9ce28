// Splits the words of a known command into options and operands: clusters, `--name=value`, abbreviations, `--`.
import { known, type Field } from "./field.ts";
import type { CommandSpec } from "./tables/command-spec.ts";

export type Role = "valued" | "reads" | "writes" | "lists" | "runs" | "edits" | "code" | "names";

export type ReadOption = {
  /** As the table spells it; as written when the table does not know it. */
  name: string;
  roles: ReadonlySet<Role>;
  value: Field | undefined;
  /** The words of the text that make up option and value, for rules that spell them. */
  words: string[];
  /** Perhaps not what was meant: known by the beginning of its name only, or the value of the option before it. Never a reason to allow more. */
  guessed?: true;
};

export type ReadWords = {
  options: ReadOption[];
  operands: Field[];
  /** Words that may turn out to be options. */
  open: Field[];
  /** Where the first operand stands among the words read. */
  firstOperand: number;
};

export type OptionTable = Pick<CommandSpec, Role | "flags" | "singleDash" | "strict">;

type Compiled = { roles: Map<string, Set<Role>>; longs: string[] };

const roleNames: Role[] = ["valued", "reads", "writes", "lists", "runs", "edits", "code", "names"];
const takesValue: ReadonlySet<Role> = new Set([
  "valued",
  "reads",
  "writes",
  "lists",
  "code",
  "names",
]);
const compiled = new WeakMap<OptionTable, Compiled>();
const noRoles: ReadonlySet<Role> = new Set();

function compile(table: OptionTable): Compiled {
  const found = compiled.get(table);
  if (found) return found;
  const roles = new Map<string, Set<Role>>();
  for (const role of roleNames) {
    for (const name of (table[role] ?? "").split(/\s+/).filter(Boolean))
      roles.set(name, (roles.get(name) ?? new Set()).add(role));
  }
  for (const name of (table.flags ?? "").split(/\s+/).filter(Boolean)) roles.set(name, new Set());
  const made = { roles, longs: [...roles.keys()].filter((name) => name.length > 2) };
  compiled.set(table, made);
  return made;
}

/** True when an option of the table runs or writes something: words that may be options then matter. One that also reads (`--files0-from`) matters by the path it is given. */
export function hasDangerousOptions(table: OptionTable): boolean {
  return [...compile(table).roles.values()].some(
    (roles) =>
      (roles.has("runs") && !roles.has("reads")) ||
      roles.has("edits") ||
      roles.has("code") ||
      roles.has("writes"),
  );
}

export function readOptions(fields: Field[], table: OptionTable): ReadWords {
  const read: ReadWords = { options: [], operands: [], open: [], firstOperand: fields.length };
  const reader = { fields, table, compiled: compile(table), read };
  let index = 0;
  let onlyOperands = false;
  while (index < fields.length) {
    const field = fields[index]!;
    const text = field.value;
    if (text === "--" && !onlyOperands) {
      onlyOperands = true;
      index += 1;
    } else if (!onlyOperands && text !== null && text.length > 1 && text.startsWith("-")) {
      index =
        text.startsWith("--") || table.singleDash || isLongName(reader.compiled, text)
          ? readLong(reader, index, text)
          : readCluster(reader, index, text);
    } else {
      if (!onlyOperands && field.open) read.open.push(field);
      if (read.firstOperand === fields.length) read.firstOperand = index;
      read.operands.push(field);
      if (table.strict) {
        read.operands.push(...fields.slice(index + 1));
        break;
      }
      index += 1;
    }
  }
  return read;
}

/** `-specs=x`: a name that the table spells with one dash. */
const isLongName = ({ roles }: Compiled, text: string): boolean =>
  text.length > 2 && roles.has(text.replace(/=[^]*$/, ""));

type Reader = { fields: Field[]; table: OptionTable; compiled: Compiled; read: ReadWords };

function readLong(reader: Reader, index: number, text: string): number {
  const equals = text.indexOf("=");
  const given = equals < 0 ? text : text.slice(0, equals);
  const name = longName(reader.compiled, given);
  const roles = reader.compiled.roles.get(name) ?? noRoles;
  const isGuess = name !== given && name !== given.slice(1);
  if (equals >= 0) {
    reader.read.options.push({ name, roles, value: known(text.slice(equals + 1)), words: [text] });
    return index + 1;
  }
  return pushWithNext(reader, index, { name, roles, text, ...(isGuess ? { guessed: true } : {}) });
}

/** GNU programs accept any beginning of a long option; the most dangerous reading wins. */
function longName({ roles, longs }: Compiled, given: string): string {
  if (roles.has(given)) return given;
  // `--exec` is `-exec` to programs whose long options have one dash.
  if (given.length > 3 && given.startsWith("--") && roles.has(given.slice(1)))
    return given.slice(1);
  const candidates = given.length > 2 ? longs.filter((name) => name.startsWith(given)) : [];
  return (
    candidates.find((name) => roles.get(name)!.has("runs") || roles.get(name)!.has("edits")) ??
    candidates[0] ??
    given
  );
}

type Named = { name: string; roles: ReadonlySet<Role>; text: string; guessed?: true };

function pushWithNext(reader: Reader, index: number, option: Named): number {
  const next = reader.fields[index + 1];
  const consumes = [...option.roles].some((role) => takesValue.has(role));
  const spelled =
    next?.value != null && (consumes || !next.value.startsWith("-"))
      ? [option.text, next.value]
      : [option.text];
  reader.read.options.push({
    name: option.name,
    roles: option.roles,
    value: consumes ? next : undefined,
    words: option.roles.size ? spelled : [option.text],
    ...(option.guessed ? { guessed: true } : {}),
  });
  if (consumes) readAgain(reader, index + 1, reader.read.options);
  return consumes ? index + 2 : index + 1;
}

const matters: readonly Role[] = ["runs", "edits", "writes", "code", "reads", "names"];

/** Programs differ in which options take the next word: a value that spells an option of weight counts as that option too. */
function readAgain({ fields, table, compiled }: Reader, at: number, into: ReadOption[]): void {
  const text = fields[at]?.value;
  if (!text || !/^--?[A-Za-z]/.test(text)) return;
  const again: Reader = {
    fields: fields.slice(at, at + 2),
    table,
    compiled,
    read: { options: [], operands: [], open: [], firstOperand: 0 },
  };
  if (text.startsWith("--") || table.singleDash || isLongName(compiled, text))
    readLong(again, 0, text);
  else readCluster(again, 0, text);
  into.push(
    ...again.read.options
      .filter((option) => matters.some((role) => option.roles.has(role)))
      .map((option): ReadOption => ({ ...option, guessed: true })),
  );
}

function readCluster(reader: Reader, index: number, text: string): number {
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text[at]}`;
    const roles = reader.compiled.roles.get(name) ?? noRoles;
    const consumes = [...roles].some((role) => takesValue.has(role));
    if (consumes && at + 1 < text.length) {
      reader.read.options.push({ name, roles, value: known(text.slice(at + 1)), words: [text] });
      return index + 1;
    }
    if (consumes || (roles.size && at + 1 === text.length))
      return pushWithNext(reader, index, { name, roles, text });
    reader.read.options.push({
      name,
      roles,
      value: roles.size && at + 1 < text.length ? known(text.slice(at + 1)) : undefined,
      words: [text],
    });
  }
  return index + 1;
}
