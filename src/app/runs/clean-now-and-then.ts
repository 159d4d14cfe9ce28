// Old sessions go by themselves: at most once a day, after a run, by the user's own period. Nothing
// here can fail a command.
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import type { Environment } from "../../manager/session/session.ts";
import { fileMode } from "../../transcripts/paths.ts";

const dayMs = 86_400_000;

/**
 * The first time only begins the count: who has just installed it loses nothing on the same day.
 */
export async function cleanNowAndThen(
  env: Environment,
  cwd: string,
  nowMs = Date.now(),
): Promise<void> {
  try {
    if (!isDue(claudeConfigDir(env), nowMs)) return;
    const { cleanSessions } = await import("./clean-sessions.ts");
    cleanSessions(env, cwd, { nowMs });
  } catch {
    // What cannot be cleaned stays, and `retinue clean` says why.
  }
}

function isDue(configDir: string, nowMs: number): boolean {
  const folder = join(configDir, "retinue");
  const stamp = join(folder, "cleaned");
  const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs;
  // A stamp of tomorrow is a clock that was set back.
  if (last !== undefined && nowMs - last < dayMs && last <= nowMs + dayMs) return false;
  makePrivateDir(folder);
  if (last === undefined) writeFileSync(stamp, "", { mode: fileMode });
  utimesSync(stamp, nowMs / 1_000, nowMs / 1_000);
  return last !== undefined && last <= nowMs;
}
