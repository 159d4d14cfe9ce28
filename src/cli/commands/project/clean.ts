// `retinue clean`: removes sessions that Retinue wrote and that are older than the settings allow.
import { cleanSessions } from "../../../app/runs/clean-sessions.ts";
import { counted } from "../../../base/text/grouped.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { wholeNumber } from "../../whole-number.ts";

type Flags = { dryRun?: boolean; days?: number; json?: boolean };

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("clean", io)
    .description("remove old transcripts and their files")
    .option("--dry-run", "only list what would be removed")
    .option(
      "--days <n>",
      "remove what is older than this many days (default: cleanupPeriodDays of the settings)",
      wholeNumber,
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nRemoves only sessions that Retinue wrote, and never one that runs or was used within the " +
        "last hour. `retinue run` cleans up by itself once a day.",
    )
    .action((flags: Flags) => {
      const { days, ...report } = cleanSessions(io.env, io.cwd, {
        days: flags.days,
        dryRun: flags.dryRun ?? false,
      });
      if (flags.json)
        io.out(JSON.stringify({ days, dry_run: flags.dryRun ?? false, ...report }, undefined, 2));
      else {
        for (const session of report.removed)
          io.out(`${flags.dryRun ? "would remove" : "removed"} ${session}`);
        io.err(
          io.paintErr(
            "dim",
            `${counted(report.removed.length, "session")} over ${counted(days, "day")} ` +
              `${flags.dryRun ? "would go" : "went"}, ${report.kept.length} ` +
              (report.kept.length === 1 ? "stays" : "stay"),
          ),
        );
      }
      finish(0);
    });
