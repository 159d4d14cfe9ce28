// Runs that never ended while anybody looked, and are told as if they had: started in the background,
// stopped, timed out.
import type { CommandRun } from "../../evidence/command-runs.ts";
import type { Ledger } from "../../evidence/ledger.ts";
import { commandWords } from "../gap-of.ts";
import { unsupported, type ClaimJudgement } from "../judgement.ts";
import { isAside } from "../words/is-asserted.ts";
import { isAhead, saysGood, tellsFailure } from "../words/says-done.ts";
import { statementsOf } from "../words/statements.ts";

export type UnendedRun = { span: [number, number]; judged: ClaimJudgement };

export function unendedRuns(
  report: string,
  { commands, delegations, truncated }: Ledger,
): UnendedRun[] {
  if (delegations > 0 || truncated) return [];
  const open = commands.filter(
    (run) =>
      run.exitCode === null &&
      !commands.some((later) => later.order > run.order && mayShow(later, run)),
  );
  return open.flatMap((run): UnendedRun[] => {
    const told = statementsOf(report).find(
      (statement) =>
        statement.kind !== "fence" &&
        !isAside(statement) &&
        !isAhead(statement.words) &&
        !tellsFailure(statement.words) &&
        saysGood(statement.words) &&
        statement.clauses.some(({ code }) =>
          code.some((one) => one.length > 4 && run.command.includes(one)),
        ),
    );
    return told
      ? [
          {
            span: told.span,
            judged: unsupported(`recorded: ${commandWords(run.command)} did not end`),
          },
        ]
      : [];
  });
}

/** A later command that ran the same again, or looked at what it wrote. */
const mayShow = (later: CommandRun, { command, output }: CommandRun): boolean => {
  const file = /\/[\w./-]+\.(?:output|log|txt|out)\b/.exec(`${output} ${command}`)?.[0];
  return later.command === command || (file !== undefined && later.command.includes(file));
};
