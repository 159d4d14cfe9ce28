// `retinue ps`: the agents of this user, in whichever process they run.
import { counted } from "../../../base/text/grouped.ts";
import { oneLine } from "../../../base/text/printable.ts";
import { runStatuses, type RunStatus } from "../../../app/runs/run-status.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import type { Io } from "../../io.ts";
import { age, tableLines } from "../../render/table.ts";

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("ps", io)
    .description("list the running agents of all terminals")
    .option("--all", "also list agents that have ended")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nA run whose process died shows as failed (lost) for a day; `retinue resume ID PROMPT` continues it.",
    )
    .action(async (flags: { all?: boolean; json?: boolean }) => {
      const statuses = await runStatuses(io.env, { all: flags.all ?? false });
      if (flags.json) io.out(JSON.stringify(statuses, undefined, 2));
      else if (statuses.length === 0)
        io.err(
          flags.all
            ? "no agent has run yet"
            : "no agent is running; `retinue ps --all` shows those that have ended",
        );
      else for (const row of table(statuses, io)) io.out(row);
      finish(0);
    });

function table(statuses: readonly RunStatus[], io: Io): string[] {
  const name = (text: string): string => oneLine(text, io.width === undefined ? Infinity : 24);
  const rows = statuses.map((status) => [
    status.agent_id,
    name(status.agent_type),
    name(status.name ?? ""),
    stateText(status),
    age(status.started_at),
    status.background ? "background" : "",
    counted(status.metrics.turns, "turn"),
    counted(status.metrics.tokens_used, "token"),
  ]);
  return tableLines(rows, {
    width: io.width,
    paint: (cell, row, column) => (column === 3 ? io.paint(colourOf(statuses[row]!), cell) : cell),
  });
}

export const stateText = ({ state, reason }: Pick<RunStatus, "state" | "reason">): string =>
  reason === undefined || reason === "error" ? state : `${state} (${reason})`;

const colourOf = ({ state }: RunStatus): "cyan" | "green" | "red" | "yellow" =>
  (
    {
      running: "cyan",
      asking: "yellow",
      completed: "green",
      failed: "red",
      stopped: "yellow",
    } as const
  )[state];
