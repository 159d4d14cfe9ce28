// Undoes what could only be seen after a command: a planted file is renamed where it stands, so that
// nothing is lost; a link that was replaced and a folder that was moved away are put back.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const pathOnly = 0o10000000;

/** What was done, in words; undefined where nothing is left to be done. */
export function setAside(path: string): string | undefined {
  const name = `${basename(path).slice(0, 60)}.blocked-${randomBytes(3).toString("hex")}`;
  try {
    inFolderOf(path, (folder) => renameSync(join(folder, basename(path)), join(folder, name)));
    return `${path} is protected and was not there before: it was renamed to ${name}`;
  } catch (error) {
    return exists(path)
      ? `${path} is protected and was not there before, and could not be renamed: ${(error as Error).message}`
      : undefined;
  }
}

/** The link at `path` led to `target` before. */
export function restoreLink(path: string, target: string): string | undefined {
  if (linkTarget(path) === target) return undefined;
  const aside = exists(path) ? setAside(path) : undefined;
  try {
    inFolderOf(path, (folder) => symlinkSync(target, join(folder, basename(path))));
    return `${path} is protected: the link to ${target} was put back`;
  } catch {
    return aside;
  }
}

/**
 * Folders that are watched through open handles, because a mount point would come between them and
 * their neighbours.
 */
export type Watched = {
  /** Puts back what was moved, the outermost first, and says so. Closes the handles. */
  putBack(): string[];
};

/**
 * Folders that cannot be opened, or are reached through a link, are not watched: this user could
 * not move them by these names.
 */
export function watchPlaces(folders: readonly string[]): Watched {
  const watched = folders.flatMap((path) => {
    try {
      const handle = openSync(path, pathOnly | constants.O_NOFOLLOW | constants.O_DIRECTORY);
      return placeOf(handle) === path ? [{ path, handle }] : (closeSync(handle), []);
    } catch {
      return [];
    }
  });
  return {
    putBack: () =>
      watched.flatMap(({ path, handle }) => {
        const now = placeOf(handle);
        const said = now === path ? [] : moveBack(now, path);
        closeSync(handle);
        return said;
      }),
  };
}

function moveBack(now: string, path: string): string[] {
  // Removed, and perhaps made again: what stands there now is looked through like any other folder.
  if (!exists(now)) return exists(path) ? [] : [`${path} was removed`];
  const aside = exists(path) ? [setAside(path)] : [];
  try {
    renameSync(now, path);
    return [`${path} was moved to ${now}: it was put back`];
  } catch (error) {
    return [
      ...aside.filter((line) => line !== undefined),
      `${path} was moved to ${now} and could not be put back: ${(error as Error).message}`,
    ];
  }
}

const placeOf = (handle: number): string => readlinkSync(`/proc/self/fd/${handle}`);

/**
 * Through the open folder, so that no link that another command puts in between can lead elsewhere.
 */
function inFolderOf(path: string, act: (folder: string) => void): void {
  const handle = openSync(
    dirname(path),
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  try {
    if (placeOf(handle) !== dirname(path)) throw new Error(`${dirname(path)} leads elsewhere now`);
    act(`/proc/self/fd/${handle}`);
  } finally {
    closeSync(handle);
  }
}

export function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
