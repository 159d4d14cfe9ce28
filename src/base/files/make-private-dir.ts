// Creates a folder and its missing parents, closed to other users.
import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

const folderMode = 0o700;

/**
 * Creates one level at a time: Node's recursive mkdir never returns where an existing folder
 * refuses new entries, as /proc and automounted homes do.
 */
export function makePrivateDir(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode: folderMode });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
