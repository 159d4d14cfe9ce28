// The commands that a project's owner names as runs of its checks, for those who check an answer without
// a session: of an untrusted folder none counts.
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import { effectiveSettings } from "../../settings/effective-settings.ts";
import { loadSettings } from "../../settings/load-settings.ts";
import { trustState } from "../../settings/trust.ts";
import type { NamedRunner } from "../../verify/claims/runs/tools-for.ts";

export function namedRunners(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly NamedRunner[] {
  const configDir = claudeConfigDir(env);
  const trusted = trustState(cwd, { configDir }).state === "trusted";
  return effectiveSettings(loadSettings({ cwd, configDir }), trusted).settings.retinue.verify
    .runners;
}
