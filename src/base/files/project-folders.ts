// Finds the folders in which Claude Code's files stand: the user's, the administrator's, and those
// of a project from the working directory up.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { homeDir } from "./home-dir.ts";

/** `CLAUDE_CONFIG_DIR`, or `~/.claude`. */
export function claudeConfigDir(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const given = env["CLAUDE_CONFIG_DIR"];
  return given ? resolve(given) : join(homeDir(env), ".claude");
}

/** The folder that the machine's administrator manages. */
export function managedDir(platform: NodeJS.Platform = process.platform): string {
  return platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
}

/** The nearest folder at or above `cwd` that holds `.git`; `cwd` itself outside a repository. */
export function projectRoot(cwd: string): string {
  const start = realPath(cwd);
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return start;
  }
}

/** From `cwd` up to the project's root, nearest first. */
export function projectFolders(cwd: string): string[] {
  const root = projectRoot(cwd);
  const folders = [realPath(cwd)];
  while (folders.at(-1) !== root) folders.push(dirname(folders.at(-1)!));
  return folders;
}

/** The real path, or the absolute one where nothing exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
