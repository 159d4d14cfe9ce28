// `retinue ps`: the agents of this user, whichever process runs them.
import { grouped } from "../../base/grouped.ts";
import { oneLine } from "../../base/printable.ts";
import { runStatuses, type RunStatus } from "../../app/run-status.ts";
import { createCommand, type CommandModule } from "../command.ts";
import type { Io } from "../io.ts";

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("ps", io)
    .description("list the agents that run, from any terminal")
    .option("--all", "those that are over too")
    .option("--json", "for programs")
    .addHelpText("after", "\nA run whose process died shows as failed (lost) for a day; `retinue resume ID PROMPT` goes on with it.")
    .action(async (flags: { all?: boolean; json?: boolean }) => {
      const statuses = await runStatuses(io.env, { all: flags.all ?? false });
      if (flags.json) io.out(JSON.stringify(statuses, undefined, 2));
      else if (statuses.length === 0) io.err(flags.all ? "no agent has run yet" : "no agent is running; `retinue ps --all` shows those that are over");
      else for (const row of table(statuses, io)) io.out(row);
      finish(0);
    });

function table(statuses: readonly RunStatus[], io: Io): string[] {
  const rows = statuses.map((status) => [status.agent_id, oneLine(status.agent_type, 24), oneLine(status.name ?? "", 24), stateText(status), age(status.started_at), status.background ? "background" : "", `${status.metrics.turns} turn${status.metrics.turns === 1 ? "" : "s"}`, `${grouped(status.metrics.tokens_used)} tokens`]);
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row, index) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
    cells[3] = io.paint(colourOf(statuses[index]!), cells[3]!);
    return cells.filter((_, column) => widths[column]! > 0).join("  ").trimEnd();
  });
}

export const stateText = ({ state, reason }: Pick<RunStatus, "state" | "reason">): string => (reason === undefined || reason === "error" ? state : `${state} (${reason})`);

const colourOf = ({ state }: RunStatus): "cyan" | "green" | "red" | "yellow" => ({ running: "cyan", completed: "green", failed: "red", stopped: "yellow" }) [state] as "cyan";

function age(startedAt: string | null): string {
  const seconds = startedAt === null ? NaN : Math.max(0, Math.round((Date.now() - Date.parse(startedAt)) / 1000));
  if (Number.isNaN(seconds)) return "?";
  if (seconds < 120) return `${seconds} s ago`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h ago` : `${Math.round(seconds / 86_400)} days ago`;
}
