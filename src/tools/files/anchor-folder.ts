// Keeps a folder open while a file in it is replaced: the file lands in the folder that was
// checked, whatever is renamed or linked meanwhile.
import { constants } from "node:fs";
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pathOfHandle } from "./open-regular.ts";

export type Anchor = {
  /** A path for `name` in the open folder, for any system call. */
  at(name: string): string;
  /** False if the folder is no longer at the place where it was checked. */
  inPlace(): boolean;
  sync(): Promise<void>;
  close(): Promise<void>;
};

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens `real` and creates missing folders below `existing`, checking each for links. Throws the
 * file system's error, or ELOOP if a link appeared.
 */
export async function anchorFolder(real: string, existing: string): Promise<Anchor> {
  let handle = await openChecked(existing, existing);
  let path = existing;
  for (const segment of relative(existing, real).split(sep).filter(Boolean)) {
    const parent = handle;
    path = join(path, segment);
    const child = at(parent, dirname(path), segment);
    try {
      await mkdir(child).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
      handle = await openChecked(child, path);
    } finally {
      await parent.close();
    }
  }
  return {
    at: (name) => at(handle, real, name),
    inPlace: () => pathOfHandle(handle, real) === real,
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

async function openChecked(path: string, real: string): Promise<FileHandle> {
  const handle = await open(path, flags);
  if (pathOfHandle(handle, real) === real) return handle;
  await handle.close();
  throw Object.assign(new Error("the folder was replaced by a link"), { code: "ELOOP" });
}

/** Linux resolves a path below /proc/self/fd/N from the open folder itself, as openat would. */
function at(handle: FileHandle, real: string, name: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${handle.fd}/${name}` : join(real, name);
}
