// Removes the sessions that are older than the user's settings say.
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import type { Environment } from "../../manager/session/session.ts";
import { effectiveSettings } from "../../settings/effective-settings.ts";
import { loadSettings } from "../../settings/load-settings.ts";
import { cleanTranscripts, type CleanReport } from "../../transcripts/clean-transcripts.ts";
import { projectsDir } from "./find-run.ts";

export function cleanSessions(
  env: Environment,
  cwd: string,
  {
    days = configuredDays(env, cwd),
    nowMs = Date.now(),
    dryRun = false,
  }: { days?: number | undefined; nowMs?: number; dryRun?: boolean } = {},
): CleanReport & { days: number } {
  return { days, ...cleanTranscripts({ projects: projectsDir(env), days, nowMs, dryRun }) };
}

/** The user's own period: a repository has no say in what happens to the records of others. */
function configuredDays(env: Environment, cwd: string): number {
  return effectiveSettings(loadSettings({ cwd, configDir: claudeConfigDir(env) }), false).settings
    .cleanupPeriodDays;
}
