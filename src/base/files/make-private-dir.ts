// Makes a folder and what is missing above it, closed to others; whatever the place, it returns.
import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

const folderMode = 0o700;

/**
 * Step by step: Node's recursive mkdir asks for ever where a folder that exists takes none, as
 * /proc and homes that are mounted on demand do.
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
