// Runs test commands of a transcript again, but only those that a person gave word for word:
// nothing runs because a transcript says so.
import { RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { oneLine } from "../../base/text/printable.ts";
import { runRaw } from "../../checks/run-check.ts";
import { testCommands, type Rerun } from "../../verify/claims/runs/rerun.ts";
import type { Ledger } from "../../verify/evidence/ledger.ts";
import { projectFiles } from "../../verify/claims/claim-checks.ts";
import type { Repository } from "../../source/repository.ts";
import type { Io } from "../io.ts";

/** Throws for a command that is not among the recorded test runs. */
export function rerunNamed(
  named: readonly string[],
  {
    ledger,
    root,
    io,
    repo,
  }: { ledger: Ledger | undefined; root: string; io: Io; repo: Repository },
): Rerun {
  if (!ledger)
    throw new RetinueError(
      "usage",
      "--rerun needs the run that it is about: give its --transcript.",
    );
  const recorded = testCommands(ledger, projectFiles(repo));
  const stranger = named.find((command) => !recorded.includes(command));
  if (stranger !== undefined) {
    const runs = recorded.map((command) => oneLine(command, 200)).join(" · ");
    throw new RetinueError(
      "usage",
      `--rerun ${oneLine(stranger, 200)}: the transcript has no such test run. ` +
        (runs ? `It has: ${runs}` : "It has none."),
    );
  }
  return async (command) => {
    if (!named.includes(command)) return undefined;
    io.err(io.paintErr("dim", `running again: ${oneLine(command, 200)}`));
    const { exitCode, text } = await runRaw(["bash", "-c", command], {
      root,
      env: io.env,
      timeoutMs: limits.bash.maxTimeoutMs,
      signal: new AbortController().signal,
    });
    return { exitCode, output: text };
  };
}
