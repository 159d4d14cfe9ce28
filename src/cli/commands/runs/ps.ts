// `retinue ps`: the agents of this user, in whichever process they run.
import { grouped } from "../../../base/text/grouped.ts";
import { oneLine } from "../../../base/text/printable.ts";
import { runRows, type RunRow, type RunStatus } from "../../../app/runs/run-status.ts";
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
      const rows = await runRows(io.env, { all: flags.all ?? false });
      if (flags.json)
        io.out(
          JSON.stringify(
            rows.map(({ status }) => status),
            undefined,
            2,
          ),
        );
      else if (rows.length === 0)
        io.err(
          flags.all
            ? "no agent has run yet"
            : "no agent is running; `retinue ps --all` shows those that have ended",
        );
      else for (const row of table(rows, io)) io.out(row);
      finish(0);
    });

const header = [
  "ID",
  "AGENT",
  "NAME",
  "STATE",
  "STARTED",
  "TURNS",
  "TOKENS",
  "COST",
  "CONTEXT",
  "FOLDER",
  "TASK",
];

function table(rows: readonly RunRow[], io: Io): string[] {
  const name = (text: string): string => oneLine(text, io.width() === undefined ? Infinity : 24);
  const home = io.env["HOME"];
  const cells = rows.map(({ status, task, cwd, cost_usd, context }) => [
    status.agent_id,
    name(status.agent_type),
    name(status.name ?? ""),
    `${stateText(status)}${status.background ? ", background" : ""}`,
    age(status.started_at),
    grouped(status.metrics.turns),
    grouped(status.metrics.tokens_used),
    cost_usd === null ? "" : `$${cost_usd.toFixed(4)}`,
    context === null ? "" : `${context} %`,
    home && cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd,
    oneLine(task, 200),
  ]);
  // A column that is empty in every row is left out, with its heading.
  const heads = header.map((head, column) => (cells.some((row) => row[column]) ? head : ""));
  return tableLines([heads, ...cells], {
    width: io.width(),
    paint: (cell, row, column) =>
      row === 0
        ? io.paint("dim", cell)
        : column === 3
          ? io.paint(colourOf(rows[row - 1]!.status), cell)
          : cell,
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
