// Finds the folder of an agent's memory. A name is checked before it becomes part of a path, and no
// link is followed.
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { errorText, RetinueError } from "../base/errors.ts";
import { makePrivateDir } from "../base/files/make-private-dir.ts";
import { escaped } from "../base/text/printable.ts";
import { isSafeAgentName } from "../definitions/agent-name.ts";

export type MemoryPlace = {
  scope: "user" | "project" | "local";
  agentName: string;
  cwd: string;
  /** `~/.claude`, or CLAUDE_CONFIG_DIR. */
  configDir: string;
};

export type OpenedMemory = { ok: true; dir: string } | { ok: false; problem: string };

/**
 * Creates the folder if it is missing. `dir` is a real path: no part of it below the working or
 * configuration folder is a link. Throws `RetinueError("unsafe_name")` for a name that must not
 * become a path.
 */
export function openMemoryDir(place: MemoryPlace): OpenedMemory {
  const { base, folders } = foldersOf(place);
  const mode = place.scope === "user" ? 0o700 : 0o777;
  try {
    if (place.scope === "user") makePrivateDir(base);
    let dir = realpathSync(base);
    for (const folder of folders) {
      dir = join(dir, folder);
      makeFolder(dir, mode);
      const found = lstatSync(dir);
      if (!found.isDirectory())
        return {
          ok: false,
          problem:
            `memory is off for ${place.agentName}: ${dir} is ` +
            (found.isSymbolicLink() ? "a symbolic link" : "no directory"),
        };
    }
    return { ok: true, dir };
  } catch (error) {
    return { ok: false, problem: `memory is off for ${place.agentName}: ${errorText(error)}` };
  }
}

/** The folders below the base, which the person chose. */
function foldersOf({ scope, agentName, cwd, configDir }: MemoryPlace): {
  base: string;
  folders: string[];
} {
  if (!isSafeAgentName(agentName)) {
    const shown = escaped(agentName.slice(0, 80));
    throw new RetinueError(
      "unsafe_name",
      `the agent name "${shown}" cannot be a memory folder: use letters, digits and ` +
        "hyphens, at most 64 characters, and no device name",
    );
  }
  switch (scope) {
    case "user":
      return { base: configDir, folders: ["agent-memory", agentName] };
    case "project":
      return { base: cwd, folders: [".claude", "agent-memory", agentName] };
    case "local":
      return { base: cwd, folders: [".claude", "agent-memory-local", agentName] };
    default:
      throw new RetinueError(
        "config",
        `memory: ${JSON.stringify(scope)} is no scope; use "user", "project" or "local"`,
      );
  }
}

function makeFolder(dir: string, mode: number): void {
  try {
    mkdirSync(dir, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
