// `retinue completion SHELL`: a completion script made from the commands themselves, so that it
// cannot go stale.
import type { Command } from "commander";
import { claudeConfigDir } from "../../../base/files/project-folders.ts";
import { RetinueError } from "../../../base/errors.ts";
import { createCommand, type CommandEntry, type CommandModule } from "../../command.ts";
import type { Io } from "../../io.ts";

type Words = { name: string; summary: string; options: string[]; subcommands: string[] };

const shells: Record<string, (words: Words[]) => string> = { bash, zsh, fish };

export const build: CommandModule["build"] = (io, _finish, all) =>
  createCommand("completion", io)
    .description("print a completion script for your shell")
    .argument("<shell>", `${Object.keys(shells).join(", ")}; or words, which prints names`)
    .argument("[kind]", `with words: ${Object.keys(kinds).join(", ")}`)
    .addHelpText(
      "after",
      '\nExamples:\n  eval "$(retinue completion bash)"\n  retinue completion zsh > ' +
        "~/.zfunc/_retinue\n  retinue completion fish > " +
        "~/.config/fish/completions/retinue.fish",
    )
    .action(async (shell: string, kind: string | undefined) => {
      if (shell === "words") {
        for (const word of await wordsOfKind(kind ?? "", io)) io.out(word);
        return;
      }
      const script = shells[shell];
      if (!script)
        throw new RetinueError(
          "usage",
          `no completion for "${shell}"; there is one for ${Object.keys(shells).join(", ")}`,
        );
      io.out(script(await Promise.all(all.map((entry) => wordsOf(entry, io)))));
    });

/** The names that a script asks for while somebody types. */
const kinds: Record<string, (io: Io) => Promise<string[]>> = {
  agents: async ({ cwd, env }) => {
    const { loadDefinitions } = await import("../../../definitions/load-definitions.ts");
    return [...loadDefinitions({ cwd, configDir: claudeConfigDir(env) }).definitions.keys()];
  },
  runs: async ({ env }) => {
    const { runRows } = await import("../../../app/runs/run-status.ts");
    const rows = await runRows(env, { all: true });
    return rows.slice(0, 200).map(({ status }) => status.agent_id);
  },
  flows: async ({ env }) => {
    const { listFlows } = await import("../../../app/flows/list-flows.ts");
    return listFlows(env).map(({ flow_id }) => flow_id);
  },
  questions: async ({ env }) => {
    const { openQuestions } = await import("../../../app/runs/open-questions.ts");
    return openQuestions(env).map(({ id }) => id);
  },
};

async function wordsOfKind(kind: string, io: Io): Promise<string[]> {
  const words = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  // A shell expands what it completes with: a name that is more than a word is not offered.
  if (words) return (await words(io)).filter((word) => /^[\w.:@+-]+$/.test(word));
  throw new RetinueError(
    "usage",
    `there are no words of the kind "${kind}"; there are ${Object.keys(kinds).join(", ")}`,
  );
}

/** What stands behind a command. */
const kindOfCommand: Readonly<Record<string, string>> = {
  output: "runs",
  logs: "runs",
  stop: "runs",
  resume: "runs",
  send: "runs",
  answer: "questions",
  flow: "flows",
  agents: "agents",
};

/** What stands behind an option. */
const kindOfOption: Readonly<Record<string, string>> = { "--agent": "agents", "--resume": "runs" };

const asking = (kind: string): string => `$(retinue completion words ${kind} 2>/dev/null)`;

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
      `    ${name}) COMPREPLY=($(compgen -W "${[...subcommands, ...options].join(" ")}` +
      `${kindOfCommand[name] ? ` ${asking(kindOfCommand[name])}` : ""}" -- "$word")); ` +
      `[[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word"));;`,
  );
  return [
    "_retinue() {",
    '  local word="${COMP_WORDS[COMP_CWORD]}"',
    ...Object.entries(kindOfOption).map(
      ([option, kind]) =>
        `  if [[ \${COMP_WORDS[COMP_CWORD-1]} == ${option} ]]; then COMPREPLY=($(compgen -W ` +
        `"${asking(kind)}" -- "$word")); return; fi`,
    ),
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
      `    ${name}) compadd -- ${[...subcommands, ...options].join(" ")}` +
      `${kindOfCommand[name] ? ` ${asking(kindOfCommand[name])}` : ""}; _files;;`,
  );
  return [
    "#compdef retinue",
    "_retinue() {",
    "  local -a names",
    "  names=(",
    ...names,
    "  )",
    ...Object.entries(kindOfOption).map(
      ([option, kind]) =>
        `  if [[ $words[CURRENT-1] == ${option} ]]; then compadd -- ${asking(kind)}; return; fi`,
    ),
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
      ...(kindOfCommand[name]
        ? [
            `complete -c retinue -n '__fish_seen_subcommand_from ${name}' -a ` +
              `'(retinue completion words ${kindOfCommand[name]})'`,
          ]
        : []),
      ...options.map(
        (option) =>
          `complete -c retinue -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}` +
          (kindOfOption[option]
            ? ` -x -a '(retinue completion words ${kindOfOption[option]})'`
            : ""),
      ),
    ])
    .join("\n");
}
