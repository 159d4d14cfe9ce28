// Splits the words of a known command into options and operands: clusters, `--name=value`,
// abbreviations, `--`.
import { known, type Field } from "./field.ts";
import {
  compileOptions,
  consumesNext,
  noRoles,
  type Compiled,
  type OptionTable,
  type OptionRole,
} from "./options/compile-options.ts";

export type ReadOption = {
  /** As the table spells it; as written when the table does not know it. */
  name: string;
  roles: ReadonlySet<OptionRole>;
  value: Field | undefined;
  /** The words of the text that make up option and value, for rules that spell them. */
  words: string[];
  /** Why it is not an option that the table knows, in words that go behind the command's name. */
  problem?: string;
  /**
   * Perhaps not what was meant: known by the beginning of its name only, or the value of the option
   * before it. Never a reason to allow more.
   */
  guessed?: true;
  /** The value of the option before it, read once more. */
  again?: true;
};

export type ReadWords = {
  options: ReadOption[];
  operands: Field[];
  /** Words that may turn out to be options. */
  open: Field[];
  /** Where the first operand stands among the words read. */
  firstOperand: number;
};

export function readOptions(fields: Field[], table: OptionTable): ReadWords {
  const read: ReadWords = { options: [], operands: [], open: [], firstOperand: fields.length };
  const reader = { fields, table, compiled: compileOptions(table), read };
  let index = 0;
  let onlyOperands = false;
  while (index < fields.length) {
    const field = fields[index]!;
    const text = field.value;
    if (text === "--" && !onlyOperands) {
      onlyOperands = true;
      index += 1;
    } else if (!onlyOperands && text !== null && /^-./s.test(text)) {
      index = readOption(reader, index, text);
      onlyOperands = endsOptions(read, table);
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

/** The option read last makes operands of everything behind it. */
function endsOptions({ options }: ReadWords, { last }: OptionTable): boolean {
  const { name } = options.findLast((option) => !option.again)!;
  return last?.split(" ").includes(name) === true;
}

/** `-specs=x`: a name that the table spells with one dash. */
const isLongName = ({ roles }: Compiled, text: string): boolean =>
  text.length > 2 && roles.has(text.replace(/=[^]*$/, ""));

type Reader = { fields: Field[]; table: OptionTable; compiled: Compiled; read: ReadWords };

function readOption(reader: Reader, index: number, text: string): number {
  if (text.startsWith("--") || reader.table.singleDash || isLongName(reader.compiled, text))
    return readLong(reader, index, text);
  if (!reader.compiled.numbers || !/^-\d+$/.test(text)) return readCluster(reader, index, text);
  reader.read.options.push({ name: text, roles: noRoles, value: undefined, words: [text] });
  return index + 1;
}

function readLong(reader: Reader, index: number, text: string): number {
  const equals = text.indexOf("=");
  const given = equals < 0 ? text : text.slice(0, equals);
  const name = longName(reader.compiled, given);
  const roles = reader.compiled.roles.get(name) ?? noRoles;
  const isGuess = name !== given && name !== given.slice(1);
  const isKnown = reader.compiled.roles.has(given);
  if (equals >= 0) {
    const takesIt = roles.size > 0 || reader.compiled.joined.has(given);
    reader.read.options.push({
      name,
      roles,
      value: known(text.slice(equals + 1)),
      words: [text],
      ...(isKnown && takesIt ? {} : { problem: unknownOption(given) }),
    });
    return index + 1;
  }
  return pushWithNext(reader, index, {
    name,
    roles,
    text,
    isKnown,
    ...(isGuess ? { guessed: true } : {}),
  });
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

const unknownOption = (name: string): string => `${name} is not an option that is known`;

type Named = {
  name: string;
  roles: ReadonlySet<OptionRole>;
  text: string;
  isKnown: boolean;
  guessed?: true;
};

function pushWithNext(reader: Reader, index: number, option: Named): number {
  const next = reader.fields[index + 1];
  const consumes = consumesNext(reader.compiled, option);
  const spelled =
    next?.value != null && (consumes || !next.value.startsWith("-"))
      ? [option.text, next.value]
      : [option.text];
  reader.read.options.push({
    name: option.name,
    roles: option.roles,
    value: consumes ? next : undefined,
    words: option.roles.size && !reader.compiled.joined.has(option.name) ? spelled : [option.text],
    ...(option.guessed ? { guessed: true } : {}),
    ...problemOf(option, consumes ? next : undefined),
  });
  if (consumes) readAgain(reader, index + 1, reader.read.options);
  return consumes ? index + 2 : index + 1;
}

/** Every version of these takes the next word, whatever it is. */
const freeText: ReadonlySet<string> = new Set(
  "-e -S -G -m --regexp --message --body --title".split(" "),
);

/** The value is text that people write, and names no file. */
export const isFreeText = (name: string): boolean =>
  (freeText.has(name) && name !== "-e") ||
  /^(?:-[bktHAX]|--(?:grep|author|header|user-agent|request|filter|query|jq|format|pretty))$/.test(
    name,
  );

/** Another version of the program may take the value for an option, and the option for a flag. */
function problemOf(option: Named, value: Field | undefined): { problem?: string } {
  if (!option.isKnown) return { problem: unknownOption(option.name) };
  const text = value?.value ?? (value?.open ? "-" : "");
  return /^-./.test(text) && !freeText.has(option.name) && !/^-\d+$/.test(text)
    ? { problem: `${option.name} has a value that looks like an option` }
    : {};
}

const matters: readonly OptionRole[] = [
  "runs",
  "edits",
  "writes",
  "makes",
  "code",
  "reads",
  "names",
];

/**
 * Programs differ in which options take the next word: a value that spells an option of weight
 * counts as that option too.
 */
function readAgain({ fields, table, compiled }: Reader, at: number, into: ReadOption[]): void {
  const text = fields[at]?.value;
  if (!text || !/^--?[A-Za-z]/.test(text)) return;
  const again: Reader = {
    fields: fields.slice(at, at + 2),
    table,
    compiled,
    read: { options: [], operands: [], open: [], firstOperand: 0 },
  };
  readOption(again, 0, text);
  into.push(
    ...again.read.options
      .filter((option) => matters.some((role) => option.roles.has(role)))
      .map((option): ReadOption => ({ ...option, guessed: true, again: true })),
  );
}

function readCluster(reader: Reader, index: number, text: string): number {
  const { roles: table, joined } = reader.compiled;
  // A letter without a value says nothing new the second time.
  const seen = new Set<string>();
  for (let at = 1; at < text.length;) {
    const name = nameAt(reader.compiled, text, at);
    at += name.length - 1;
    if (seen.has(name)) continue;
    const roles = table.get(name) ?? noRoles;
    const isKnown = table.has(name);
    const consumes = consumesNext(reader.compiled, { name, roles });
    if (roles.size === 0) seen.add(name);
    const rest = text.slice(at);
    if ((consumes || (joined.has(name) && /^[\d=:]/.test(rest))) && rest !== "") {
      reader.read.options.push({ name, roles, value: known(rest), words: [text] });
      return index + 1;
    }
    if (consumes || (roles.size && rest === ""))
      return pushWithNext(reader, index, { name, roles, text, isKnown });
    reader.read.options.push({
      ...letterOf(name, roles, joined.has(name) ? "" : rest),
      words: [text],
      ...(isKnown ? {} : { problem: unknownOption(name) }),
    });
  }
  return index + 1;
}

/** `-qlf` is `-q -lf` where `-lf` is an option: the longest name counts, as for programs with such. */
const nameAt = ({ lettered }: Compiled, text: string, at: number): string =>
  lettered.find((name) => text.startsWith(name.slice(1), at)) ?? `-${text[at]}`;

/** A letter among others; behind one that runs something the rest may be its value. */
const letterOf = (
  name: string,
  roles: ReadonlySet<OptionRole>,
  rest: string,
): Pick<ReadOption, "name" | "roles" | "value"> => ({
  name,
  roles,
  value: roles.size && rest !== "" ? known(rest) : undefined,
});

/**
 * Options that say where something lies: given twice, programs differ in whether the last counts or
 * all of them.
 */
const placing: readonly OptionRole[] = ["reads", "writes", "makes", "lists"];

/** `--cov-report term`: a word, and only in some forms a place. */
const isPerhapsWord = (roles: ReadonlySet<OptionRole>): boolean =>
  roles.has("writes") && roles.has("valued");

/** What is not known about the options: each with the words that a rule would have to spell. */
export function openOptions(read: ReadWords): { problem: string; words: string[] }[] {
  if (read.options.length === 0) return [];
  const seen = new Set<string>();
  return read.options
    .filter((option) => !option.again)
    .flatMap((option) => {
      const isPlace =
        placing.some((role) => option.roles.has(role)) && !isPerhapsWord(option.roles);
      const twice = isPlace && seen.has(option.name) ? `${option.name} is given twice` : undefined;
      seen.add(option.name);
      const problem = option.problem ?? twice;
      return problem === undefined ? [] : [{ problem, words: option.words }];
    });
}

export function hasOption({ options }: ReadWords, list: string | undefined): boolean {
  if (list === undefined || options.length === 0) return false;
  return namesIn(list).some((wanted) => {
    const at = wanted.indexOf("=");
    if (at < 0) return options.some(({ name }) => name === wanted);
    const [named, meant] = [wanted.slice(0, at), wanted.slice(at + 1)];
    // Programs take the beginning of a value for the whole, and one that nobody knows may be it.
    return options.some(
      ({ name, value }) => name === named && meant.startsWith(value?.value ?? ""),
    );
  });
}

const splitLists = new Map<string, readonly string[]>();

/** The names in a list of a table: the same lists are asked for by every command. */
function namesIn(list: string): readonly string[] {
  const names = splitLists.get(list) ?? list.split(/\s+/);
  splitLists.set(list, names);
  return names;
}
