// `retinue completion SHELL`: a completion script made from the commands themselves, so that it
// cannot go stale.
import type { Command } from "commander";
import { RetinueError } from "../../../base/errors.ts";
import { createCommand, type CommandEntry, type CommandModule } from "../../command.ts";
import type { Io } from "../../io.ts";

type Words = { name: string; summary: string; options: string[]; subcommands: string[] };

const shells: Record<string, (words: Words[]) => string> = { bash, zsh, fish };

export const build: CommandModule["build"] = (io, _finish, all) =>
  createCommand("completion", io)
    .description("print a completion script for your shell")
    .argument("<shell>", Object.keys(shells).join(", "))
    .addHelpText(
      "after",
      '\nExamples:\n  eval "$(retinue completion bash)"\n  retinue completion zsh > ' +
        "~/.zfunc/_retinue\n  retinue completion fish > " +
        "~/.config/fish/completions/retinue.fish",
    )
    .action(async (shell: string) => {
      const script = shells[shell];
      if (!script)
        throw new RetinueError(
          "usage",
          `no completion for "${shell}"; there is one for ${Object.keys(shells).join(", ")}`,
        );
      io.out(script(await Promise.all(all.map((entry) => wordsOf(entry, io)))));
    });

async function wordsOf({ name, summary, load }: CommandEntry, io: Io): Promise<Words> {
  const command = (await load()).build(io, () => {}, []);
  const all = [command, ...command.commands];
  return {
    name,
    summary,
    options: [...new Set(all.flatMap(longOptions)), "--help"],
    subcommands: command.commands.map((sub) => sub.name()),
  };
}

const longOptions = (command: Command): string[] =>
  command.options.flatMap((option) => option.long ?? []);

function bash(words: Words[]): string {
  const cases = words.map(
    ({ name, options, subcommands }) =>
      `    ${name}) COMPREPLY=($(compgen -W "${[...subcommands, ...options].join(" ")}" -- ` +
      `"$word")); [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word"));;`,
  );
  return [
    "_retinue() {",
    '  local word="${COMP_WORDS[COMP_CWORD]}"',
    "  if [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY=($(compgen -W " +
      `"${words.map(({ name }) => name).join(" ")}" -- "$word")); return; fi`,
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    "  esac",
    "}",
    "complete -F _retinue retinue",
  ].join("\n");
}

function zsh(words: Words[]): string {
  const names = words.map(
    ({ name, summary }) =>
      `    '${name}:${summary.replaceAll("'", "'\\''").replaceAll(":", "\\:")}'`,
  );
  const cases = words.map(
    ({ name, options, subcommands }) =>
      `    ${name}) compadd -- ${[...subcommands, ...options].join(" ")}; _files;;`,
  );
  return [
    "#compdef retinue",
    "_retinue() {",
    "  local -a names",
    "  names=(",
    ...names,
    "  )",
    "  if (( CURRENT == 2 )); then _describe command names; return; fi",
    '  case "$words[2]" in',
    ...cases,
    "  esac",
    "}",
    '[ "$funcstack[1]" = "_retinue" ] && _retinue "$@" || compdef _retinue retinue',
  ].join("\n");
}

function fish(words: Words[]): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
  return words
    .flatMap(({ name, summary, options, subcommands }) => [
      `complete -c retinue -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
      ...subcommands.map(
        (sub) => `complete -c retinue -n '__fish_seen_subcommand_from ${name}' -a ${sub}`,
      ),
      ...options.map(
        (option) =>
          `complete -c retinue -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
      ),
    ])
    .join("\n");
}
