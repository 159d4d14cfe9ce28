// Builds every command: commander parses the words, one exit code is returned, errors look the same
// everywhere.
import { Command, CommanderError } from "commander";
import { RetinueError } from "../base/errors.ts";
import { escaped } from "../base/text/printable.ts";
import type { Io } from "./io.ts";

/**
 * 0 done, 1 the work failed or a check found something, 2 wrong usage or configuration or a fault of
 * this program, 130 interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 130;

/**
 * What a file in `commands/` exports: a command whose action passes its exit code to `finish`.
 * `all` is the table of commands.
 */
export type CommandModule = {
  build: (io: Io, finish: (code: ExitCode) => void, all: readonly CommandEntry[]) => Command;
  /**
   * Called with these words it leaves nothing to put away when it is interrupted: the system may end
   * it, also in the middle of a long computation, in which no handler would run.
   */
  endsAtOnce?: (args: readonly string[]) => boolean;
};

export type CommandEntry = { name: string; summary: string; load: () => Promise<CommandModule> };

/** A commander command that writes through `io` and throws instead of exiting. */
export function createCommand(name: string, io: Io): Command {
  return new Command(`retinue ${name}`)
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text, write) => write(text.replace(/^error:/, io.paintErr("red", "error"))),
    })
    .showHelpAfterError(hint(`retinue ${name}`));
}

/** Options of the rooms below are called flags here. */
const flags: Readonly<Record<string, string>> = {
  agents: "--agents",
  settings: "--settings",
  "MCP servers": "--mcp-config",
  plugins: "--plugin-dir",
  "additional directories": "--add-dir",
  "allow rules": "--allowedTools",
  "deny rules": "--disallowedTools",
};

function withFlag({ code, option, message }: RetinueError, command: string): string {
  if (code === "missing_key" && command === "retinue run")
    return `${message} A search needs no key: --model offline.`;
  const flag = option === undefined ? undefined : flags[option];
  return flag === undefined ? message : `${flag}${message.slice(option!.length)}`;
}

const hint = (words: string): string => `Run \`${words} --help\` for the ways to call it.`;

/**
 * Runs one command to its exit code. A person's mistake gives a sentence and 2; a refusal of the
 * system gives a sentence and 1.
 */
export async function runCommand(
  args: string[],
  io: Io,
  from: { module: CommandModule; all: readonly CommandEntry[] },
): Promise<ExitCode> {
  let code: ExitCode = 0;
  const command = from.module.build(io, (value) => (code = value), from.all);
  try {
    for (const sub of command.commands)
      sub.showHelpAfterError(hint(`${command.name()} ${sub.name()}`));
    await command.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.code === "commander.unknownOption") await advise(error, io);
      if (error.code === "commander.excessArguments" && takesPrompt(command))
        io.err("A prompt of several words stands in quotes.");
      return error.exitCode === 0 ? 0 : 2;
    }
    if (error instanceof Error && error.name === "Interrupted") return 130;
    if (error instanceof RetinueError) {
      io.err(`${io.paintErr("red", "error")} ${withFlag(error, command.name())}`);
      return error.code === "storage" ? 1 : 2;
    }
    if (isSystemError(error)) {
      io.err(`${io.paintErr("red", "error")} ${escaped(error.message)}`);
      return 1;
    }
    throw error;
  }
}

const takesPrompt = (command: Command): boolean =>
  [command, ...command.commands].some(({ registeredArguments }) =>
    registeredArguments.some((argument) => argument.name() === "prompt"),
  );

/** Loaded here, because most calls need no advice. */
async function advise({ message }: CommanderError, io: Io): Promise<void> {
  const { insteadOfFlag } = await import("./instead-of-flag.ts");
  const [, flag = ""] = /unknown option '([^'=]+)/.exec(message) ?? [];
  const advice = insteadOfFlag(flag);
  if (advice !== undefined) io.err(`${flag} is a flag of Claude Code; here ${advice}.`);
}

/**
 * A full or read-only disk, a folder without rights: the message names the call and the path; a
 * stack would not help.
 */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.name === "StorageFailure" ||
    ("syscall" in error && typeof (error as NodeJS.ErrnoException).code === "string"));
