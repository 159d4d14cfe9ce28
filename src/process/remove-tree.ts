// Removes a folder that others filled, also folders without permissions. Links are removed, never
// followed.
import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What cannot be removed stays; it never throws. */
export function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    try {
      openUp(folder);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // It belongs to another user, or the disk is broken.
    }
  }
}

function openUp(folder: string): void {
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    chmodSync(next, 0o700);
    for (const entry of readdirSync(next, { withFileTypes: true }))
      if (entry.isDirectory()) open.push(join(next, entry.name));
  }
}
