// One look-up for every known command.
import { declaringBuiltins, flowBuiltins, namingBuiltins, riskyBuiltins } from "./builtins.ts";
import type { CommandSpec } from "./command-spec.ts";
import { fileCommands } from "./files.ts";
import { git } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import { networkCommands } from "./network.ts";
import { packageCommands } from "./packages.ts";
import { searchCommands } from "./search.ts";
import { systemCommands } from "./system.ts";
import { wrappers, type WrapperSpec } from "./wrappers.ts";

const commands = new Map<string, CommandSpec>([
  ...Object.entries(fileCommands),
  ...Object.entries(searchCommands),
  ...Object.entries(networkCommands),
  ...Object.entries(interpreters),
  ...Object.entries(packageCommands),
  ...Object.entries(systemCommands),
  ["git", git],
]);
const wrapperMap = new Map(Object.entries(wrappers));

/** `python3.11` is `python`, `bash5` is `bash`, `git.exe` is `git`. */
function family(name: string): string {
  const versioned =
    /^(python|pypy|perl|ruby|php|lua|node|bash|zsh|ksh|tclsh|pip|gawk|guile|gcc|clang|vim)(?:-?\d[\d.]*)$/.exec(
      name,
    );
  return versioned ? versioned[1]! : name.replace(/\.exe$/, "");
}

export function specOf(name: string): CommandSpec | undefined {
  return commands.get(name) ?? commands.get(family(name));
}

/** A table says what its words mean, or it belongs to the shell. ssh is not among these: what it hands on runs elsewhere, but it runs. */
export const isKnownCommand = (name: string): boolean =>
  name !== "ssh" &&
  (specOf(name) !== undefined || wrapperOf(name) !== undefined || shellWords.has(name));

const shellWords = new Set([
  ...Object.keys(riskyBuiltins),
  ...Object.keys(namingBuiltins),
  ...declaringBuiltins,
  ...flowBuiltins,
  ..."type hash trap let cd pushd popd dirs ulimit umask set shopt jobs disown times help xargs parallel source .".split(
    " ",
  ),
]);

export function wrapperOf(name: string): WrapperSpec | undefined {
  return (
    wrapperMap.get(name) ??
    (/^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/.test(name)
      ? {
          valued: "--library-path --preload --audit --argv0 --inhibit-rpath --glibc-hwcaps-prepend",
          privilege: true,
        }
      : undefined)
  );
}
