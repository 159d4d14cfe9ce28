// A private folder among the system's temporary files whose name says which process has it: what a
// killed one left behind, the next one that needs a folder removes.
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOf } from "../find-processes.ts";
import { removeTree } from "../remove-tree.ts";

let isSwept = false;

/** Its real path; whoever makes it removes it. `kind` is a word. */
export function makeScratchFolder(kind: string): string {
  if (!isSwept) removeLeftFolders();
  isSwept = true;
  const owner = [namespace(), process.pid, startOf(process.pid)]
    .map((number) => number.toString(36))
    .join("-");
  return realpathSync(mkdtempSync(join(tmpdir(), `retinue-${kind}-${owner}-`)));
}

const pattern = /^retinue-[a-z]+-([0-9a-z]+)-([0-9a-z]+)-([0-9a-z]+)-[A-Za-z0-9]{6}$/;

/** Only folders of this user, made by a process that could be seen from here and is gone. */
export function removeLeftFolders(folder = tmpdir()): void {
  for (const name of namesIn(folder)) {
    const [space, pid, start] = (pattern.exec(name)?.slice(1) ?? []).map((word) =>
      parseInt(word, 36),
    );
    if (space !== namespace() || !isGone(pid!, start!) || !isOurFolder(join(folder, name)))
      continue;
    removeTree(join(folder, name));
  }
}

/**
 * A number that comes again after the process's end belongs to one that started later. Where starts
 * are not known, the number alone decides.
 */
function isGone(pid: number, start: number): boolean {
  if (start !== 0) return startOf(pid) !== start;
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function isOurFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

/** Containers may share a temporary folder and not see each other's processes. */
function namespace(): number {
  try {
    return Number(/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? 0);
  } catch {
    return 0;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
