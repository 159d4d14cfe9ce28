// One command from its words to its exit code, with the signals that interrupt it.
import { runCommand, type CommandEntry, type CommandModule } from "./command.ts";
import { processIo } from "./io.ts";

export async function startCommand(args: string[], from: { module: CommandModule; all: readonly CommandEntry[] }): Promise<number> {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt.abort(signal));
  const code = await runCommand(args, processIo(interrupt.signal), from);
  return interrupt.signal.aborted ? 130 : code;
}
