#!/usr/bin/env node
// The entry of the command `retinue`: picks one command, loads it, sets the exit code.
import { commands, hostCommand } from "./commands.ts";
import { keepCompiledCode } from "./load-chunk.ts";
import { suggest } from "../base/text/suggest.ts";
import { version } from "../app/version.ts";

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v" || name === "-V" || name === "version")
    return print(version);
  if (name === "help" && rest[0] !== undefined) return main([...rest, "--help"]);
  if (name === undefined || name === "--help" || name === "-h" || name === "help")
    return print(overview(), name === undefined ? 2 : 0);
  const entry = [...commands, hostCommand].find((command) => command.name === name);
  if (!entry) return unknown(name);
  if (process.platform === "win32")
    return fail("retinue runs on Linux and macOS; on Windows use it inside WSL.");
  keepCompiledCode(entry.name);
  const [{ startCommand }, module] = await Promise.all([
    import("./start-command.ts"),
    entry.load(),
  ]);
  return startCommand(rest, { module, all: commands });
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const rows = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    "retinue runs sub-agents whose reports you can trust.",
    "",
    "Usage: retinue COMMAND [OPTIONS]",
    "",
    ...rows,
    "",
    "`retinue COMMAND --help` explains one command. `retinue --version` prints the version.",
  ].join("\n");
}

function unknown(name: string): number {
  // A task where a command is expected, as `claude "…"` and `claude -p "…"` take it.
  if (/\s/.test(name) || name === "-p" || name === "--print")
    return fail(
      'no command was given. To give an agent a task: retinue run "…". `retinue --help` lists the commands.',
    );
  if (name.startsWith("-"))
    return fail(
      `unknown option "${name}": the command comes first, then its options. \`retinue --help\` lists the commands.`,
    );
  const near = suggest(
    name,
    commands.map((command) => command.name),
  );
  return fail(
    `unknown command "${name}"${near ? `: did you mean "${near}"?` : "."} \`retinue --help\` lists the commands.`,
  );
}

function print(text: string, code = 0): number {
  process.stdout.write(`${text}\n`);
  return code;
}

function fail(text: string): number {
  process.stderr.write(`error ${text}\n`);
  return 2;
}

/**
 * A fault of this program: its words and where it was, without the line of the bundle, which is as
 * long as a book.
 */
function crashed(error: unknown): number {
  if ((error as NodeJS.ErrnoException | undefined)?.syscall === "uv_cwd")
    return fail("the folder in which this was started is gone; go to one that exists.");
  process.stderr.write(
    `error that should not have happened, please report it: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return 2;
}

process.exitCode = await main(process.argv.slice(2)).catch(crashed);
