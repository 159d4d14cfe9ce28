// One command from its words to its exit code, with the signals that interrupt it.
import { runCommand, type CommandEntry, type CommandModule } from "./command.ts";
import { processIo, readerGone } from "./io.ts";

export async function startCommand(args: string[], from: { module: CommandModule; all: readonly CommandEntry[] }): Promise<number> {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt.abort(signal));
  const code = await runCommand(args, processIo(interrupt), from);
  return interrupt.signal.aborted && interrupt.signal.reason !== readerGone ? 130 : code;
}
