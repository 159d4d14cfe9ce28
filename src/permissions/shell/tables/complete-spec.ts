// A command's table, completed by the options that are known to be harmless and by what its
// subcommands share with it.
import { knownOptions, type KnownOptions } from "../options/known-options.ts";
import { otherSubcommands } from "../options/other-subcommands.ts";
import type { CommandSpec } from "./command-spec.ts";

export const join = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join(" ");

/** Options of the whole that may also stand behind its subcommands. */
function inherit(spec: CommandSpec, from: CommandSpec | undefined): CommandSpec {
  if (!from) return spec;
  return {
    ...spec,
    valued: join(spec.valued, from.valued),
    reads: join(spec.reads, from.reads),
    writes: join(spec.writes, from.writes),
    makes: join(spec.makes, from.makes),
    joined: join(spec.joined, from.joined),
    lists: join(spec.lists, from.lists),
    runs: join(spec.runs, from.runs),
    edits: join(spec.edits, from.edits),
    changes: join(spec.changes, from.changes),
    code: join(spec.code, from.code),
    names: join(spec.names, from.names),
    flags: join(spec.flags, from.flags),
    ...(from.harmless || spec.harmless ? { harmless: { ...from.harmless, ...spec.harmless } } : {}),
    ...(from.singleDash ? { singleDash: true } : {}),
  };
}

/** Programs that have the table of another one. */
export const sharedTables: Readonly<Record<string, string>> = {
  podman: "docker",
  nerdctl: "docker",
  "docker-compose": "docker compose",
  pip3: "pip",
  "g++": "gcc",
  cc: "gcc",
  "c++": "gcc",
  clang: "gcc",
  "clang++": "gcc",
  gsed: "sed",
  ...Object.fromEntries(
    "zegrep zfgrep bzgrep xzgrep zstdgrep pcregrep pcre2grep rgrep ugrep ug"
      .split(" ")
      .map((name) => [name, "grep"]),
  ),
  nodejs: "node",
  python3: "python",
};

/** The path by the program's usual name. */
function usualPath(path: string): string {
  const [name = "", ...rest] = path.split(" ");
  return [sharedTables[name] ?? name, ...rest].join(" ");
}

/** A subcommand without a line of its own has the options of the others. */
function optionsOf(path: string): KnownOptions | undefined {
  const words = usualPath(path).split(" ");
  const others = words.slice(0, -1).map((_, at) => [...words.slice(0, -1 - at), "others"]);
  return [words, ...others]
    .map((names) => knownOptions.get(names.join(" ")))
    .find((found) => found !== undefined);
}

const subcommandNames = (path: string): string | undefined =>
  otherSubcommands[path] ?? otherSubcommands[usualPath(path)];

const meanings = ["valued", "reads", "writes", "makes", "lists", "runs", "names"] as const;

/** The table's own meaning of an option and the one of the known options both count. */
function withKnown(spec: CommandSpec, known: KnownOptions | undefined): Partial<CommandSpec> {
  if (!known) return {};
  const own = new Set(meanings.flatMap((role) => (spec[role] ?? "").split(/\s+/)));
  const joined = known.joined.split(" ").filter((name) => !own.has(name));
  return {
    ...Object.fromEntries(meanings.map((role) => [role, join(spec[role], known[role])])),
    joined: join(spec.joined, ...joined),
  };
}

const hasOwnEntry = (path: string): boolean =>
  knownOptions.has(path) || subcommandNames(path) !== undefined;

/** The table of the program, or of the subcommand at the end of the path, with all that is known of it. */
export function completeSpec(path: string, given: CommandSpec, from?: CommandSpec): CommandSpec {
  const spec = inherit(given, from);
  const known = optionsOf(path);
  const whole: CommandSpec = {
    ...spec,
    ...withKnown(spec, known),
    flags: join(spec.flags, known?.flags, "--help --version"),
  };
  const names = subcommandNames(path);
  if (!spec.subcommands && names === undefined) return whole;
  const handedOn = spec.options === "anywhere" ? whole : from;
  const { subcommands = {}, operands = "unknown" } = spec;
  const own = (names ?? "")
    .split(" ")
    .filter((name) => name !== "any" && hasOwnEntry(`${path} ${name}`));
  const unlisted: CommandSpec = { operands: "unknown" };
  return {
    ...whole,
    subcommands: madeWhenRead([...own, ...Object.keys(subcommands)], (name) =>
      completeSpec(
        `${path} ${name}`,
        (Object.hasOwn(subcommands, name) && subcommands[name]) || unlisted,
        handedOn,
      ),
    ),
    ...(names === undefined ? {} : { otherNames: names }),
    others: completeSpec(`${path} others`, { operands }, handedOn),
  };
}

/** An entry of each name, made when somebody asks for it: of git's hundred a run calls a few. */
function madeWhenRead<T>(names: readonly string[], make: (name: string) => T): Record<string, T> {
  const entries: Record<string, T> = {};
  for (const name of names)
    Object.defineProperty(entries, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = make(name);
        Object.defineProperty(entries, name, { value, enumerable: true });
        return value;
      },
    });
  return entries;
}
