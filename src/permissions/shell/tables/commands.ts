// One look-up for every known command: its table, completed by the options that are known to be
// harmless.
import { knownOptions } from "../options/known-options.ts";
import { declaringBuiltins, flowBuiltins, namingBuiltins, riskyBuiltins } from "./builtins.ts";
import type { CommandSpec } from "./command-spec.ts";
import { completeSpec, join, sharedTables } from "./complete-spec.ts";
import { archiveCommands } from "./programs/archives.ts";
import { builderCommands } from "./programs/builders.ts";
import { checkerCommands } from "./programs/checkers.ts";
import { databaseCommands } from "./programs/databases.ts";
import { fileCommands } from "./programs/files.ts";
import { git } from "./programs/git.ts";
import { interpreters } from "./programs/interpreters.ts";
import { networkCommands } from "./programs/network.ts";
import { packageCommands } from "./programs/packages.ts";
import { searchCommands } from "./programs/search.ts";
import { systemCommands } from "./programs/system.ts";
import { wrappers, type WrapperSpec } from "./wrappers.ts";

const tables: Record<string, CommandSpec> = {
  ...fileCommands,
  ...archiveCommands,
  ...searchCommands,
  ...networkCommands,
  ...interpreters,
  ...databaseCommands,
  ...packageCommands,
  ...checkerCommands,
  ...builderCommands,
  ...systemCommands,
  git,
};

let allNames: ReadonlySet<string> | undefined;

function commandNames(): ReadonlySet<string> {
  allNames ??= new Set(
    [...Object.keys(tables), ...knownOptions.names().map((key) => key.split(" ")[0]!)].filter(
      (name) => !Object.hasOwn(wrappers, name) && name !== "xargs",
    ),
  );
  return allNames;
}

const completed = new Map<string, CommandSpec>();

/** Completed when it is first asked for: a run that calls no command needs none of them. */
function commandOf(name: string): CommandSpec | undefined {
  if (!commandNames().has(name)) return undefined;
  const spec =
    completed.get(name) ??
    completeSpec(
      name,
      (Object.hasOwn(tables, name) && tables[name]) || {
        operands: "unknown",
        responseFiles: true,
      },
    );
  completed.set(name, spec);
  return spec;
}

const completedWrappers = new Map<string, WrapperSpec>();

function knownWrapper(name: string): WrapperSpec | undefined {
  if (!Object.hasOwn(wrappers, name)) return undefined;
  const done = completedWrappers.get(name);
  if (done) return done;
  const spec = wrappers[name]!;
  const known = knownOptions.get(name);
  const whole = {
    ...spec,
    flags: join(known?.flags, "--help --version"),
    valued: join(spec.valued, known?.valued),
    writes: join(spec.writes, known?.writes),
  };
  completedWrappers.set(name, whole);
  return whole;
}

/** Programs of GNU under the names that they have beside others of the same name. */
const gnuNames = new Set(
  `
    awk base64 cat chmod chown cp cut date dd df du echo env find grep head install ln ls make mkdir
    mktemp mv nice nohup od paste patch printf readlink realpath rm rmdir sed seq shred shuf sort
    split stat stdbuf tac tail tar tee test time timeout touch tr truncate uniq wc xargs`
    .trim()
    .split(/\s+/),
);

/** Other names of programs with a table, which start the same or nearly the same. */
const sameProgram: Readonly<Record<string, string>> = {
  "py.test": "pytest",
  ipython: "python",
  bpython: "python",
  ptpython: "python",
  vimdiff: "vim",
  view: "vim",
  rvim: "vim",
  gvim: "vim",
  c89: "gcc",
  c99: "gcc",
  mpicc: "gcc",
};

const isListed = (name: string): boolean =>
  commandNames().has(name) ||
  Object.hasOwn(wrappers, name) ||
  name === "xargs" ||
  name === "parallel";

/** `vim.tiny`, `nc.openbsd` */
const builds =
  /\.(?:basic|tiny|nox|gtk3?|athena|openbsd|traditional|default|real|dist|distrib|ul|gnu|bsd|mini)$/;
/** `arm-none-eabi-gcc` */
const toolchain =
  /^\w+-[\w.-]*-(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|cpp|ld|as|ar|nm|gdb|strip|size|strings|objdump|objcopy|readelf)$/;

const plainNames = new Map<string, string>();
const maxPlainNames = 2_000;
const maxName = 100;

/**
 * The name without what says which build it is: `python3.11` is `python`, `clang-format-14` is
 * `clang-format`, `git.exe` is `git`, `gfind` is `find`, `arm-none-eabi-gcc` is `gcc`. A name that a
 * table has is plain.
 */
export function listedName(name: string): string {
  // Most names have nothing to take away.
  if (!/^g|[\d.-]/.test(name) && !Object.hasOwn(sameProgram, name)) return name;
  const done = plainNames.get(name);
  if (done !== undefined) return done;
  const plain = findPlain(name);
  if (plainNames.size < maxPlainNames) plainNames.set(name, plain);
  return plain;
}

function findPlain(name: string): string {
  if (name.length > maxName || isListed(name)) return name;
  const bare = name.replace(/\.exe$/i, "");
  const unversioned = withoutVersion(bare);
  const forms = [bare, unversioned, bare.replace(builds, "")].flatMap((form) => [
    form,
    Object.hasOwn(sameProgram, form) ? sameProgram[form]! : form,
    ...(form.startsWith("g") && gnuNames.has(form.slice(1)) ? [form.slice(1)] : []),
    toolchain.exec(form)?.[1] ?? form,
  ]);
  return forms.find(isListed) ?? name;
}

/** `foo-3.1` and `foo3` are `foo`. */
export const withoutVersion = (name: string): string =>
  name.length > maxName || !/\d[a-z]?$/.test(name)
    ? name
    : (/^(.*[A-Za-z+])[-_@]?v?\d+(?:[._]\d+)*[a-z]?$/.exec(name)?.[1] ?? name);

/** The name under which tables speak of the program. */
export const usualName = (name: string): string =>
  sharedTables[listedName(name)]?.split(" ")[0] ?? listedName(name);

export function specOf(name: string): CommandSpec | undefined {
  return commandOf(listedName(name));
}

/**
 * A table says what its words mean, or it belongs to the shell. ssh is not among these: what it
 * hands on runs elsewhere, but it runs.
 */
export const isKnownCommand = (name: string): boolean =>
  name !== "ssh" &&
  (specOf(name) !== undefined || wrapperOf(name) !== undefined || shellWords.has(name));

const shellWords = new Set([
  ...Object.keys(riskyBuiltins),
  ...Object.keys(namingBuiltins),
  ...declaringBuiltins,
  ...flowBuiltins,
  ...`
    type hash trap let eval cd pushd popd dirs ulimit umask set shopt jobs disown times help xargs
    parallel source .`
    .trim()
    .split(/\s+/),
]);

export function wrapperOf(name: string): WrapperSpec | undefined {
  return (
    knownWrapper(listedName(name)) ??
    (/^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/.test(name)
      ? {
          valued: "--library-path --preload --audit --argv0 --inhibit-rpath --glibc-hwcaps-prepend",
          privilege: true,
        }
      : undefined)
  );
}
