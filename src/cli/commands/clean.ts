// `retinue clean`: removes sessions that Retinue wrote and that are older than the settings say.
import { claudeConfigDir } from "../../base/claude-paths.ts";
import { counted } from "../../base/grouped.ts";
import { projectsDir } from "../../app/find-run.ts";
import { effectiveSettings } from "../../settings/effective-settings.ts";
import { loadSettings } from "../../settings/load-settings.ts";
import { cleanTranscripts } from "../../transcripts/clean-transcripts.ts";
import { createCommand, type CommandModule } from "../command.ts";
import { wholeNumber } from "../flag-values.ts";
import type { Io } from "../io.ts";

type Flags = { dryRun?: boolean; days?: number; json?: boolean };

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("clean", io)
    .description("remove old transcripts and what belongs to them")
    .option("--dry-run", "only say what would be removed")
    .option("--days <n>", "older than so many days (default: cleanupPeriodDays of the settings)", wholeNumber)
    .option("--json", "for programs")
    .addHelpText("after", "\nOnly sessions that retinue wrote, never one that runs or was used within the last hour.")
    .action((flags: Flags) => {
      const days = flags.days ?? configuredDays(io);
      const report = cleanTranscripts({ projects: projectsDir(io.env), days, nowMs: Date.now(), dryRun: flags.dryRun ?? false });
      if (flags.json) io.out(JSON.stringify({ days, dry_run: flags.dryRun ?? false, ...report }, undefined, 2));
      else {
        for (const session of report.removed) io.out(`${flags.dryRun ? "would remove" : "removed"} ${session}`);
        io.err(io.paintErr("dim", `${counted(report.removed.length, "session")} over ${counted(days, "day")} ${flags.dryRun ? "would go" : "went"}, ${report.kept.length} ${report.kept.length === 1 ? "stays" : "stay"}`));
      }
      finish(0);
    });

/** The user's own period: a repository has no say in what happens to the records of others. */
function configuredDays(io: Io): number {
  const { settings } = effectiveSettings(loadSettings({ cwd: io.cwd, configDir: claudeConfigDir(io.env) }), false);
  return settings.cleanupPeriodDays;
}
