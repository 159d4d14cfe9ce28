// One command from its words to its exit code, with the signals that interrupt it.
import { runCommand, type CommandEntry, type CommandModule } from "./command.ts";
import { processIo, readerGone, type ProcessIo } from "./io.ts";

const interruptedBy: Readonly<Record<string, string>> = {
  SIGINT: "interrupted by Ctrl+C",
  SIGTERM: "interrupted: asked to end (SIGTERM)",
  SIGHUP: "interrupted: the terminal was closed",
};

export async function startCommand(
  args: string[],
  from: { module: CommandModule; all: readonly CommandEntry[] },
): Promise<number> {
  const interrupt = new AbortController();
  if (!from.module.endsAtOnce?.(args))
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => interrupt.abort(signal));
  const io = processIo(interrupt);
  const code = await runCommand(args, io, from);
  const isWhole = reportLoss(io);
  if (interrupt.signal.aborted && interrupt.signal.reason !== readerGone) {
    io.err(io.paintErr("dim", interruptedBy[String(interrupt.signal.reason)] ?? "interrupted"));
    return 130;
  }
  return code === 0 && !isWhole ? 1 : code;
}

/** Half a result in a file must not look like a success. */
function reportLoss({ outFailure, err, paintErr }: ProcessIo): boolean {
  const why = outFailure();
  if (why !== undefined)
    err(
      `${paintErr("red", "error")} standard output could not be written (${why}): what ` +
        "stands there is not whole. What an agent did is kept: `retinue ps --all` lists " +
        "it, `retinue output ID` shows its result.",
    );
  return why === undefined;
}
