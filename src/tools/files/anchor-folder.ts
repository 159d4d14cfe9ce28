// Holds a folder open while a file in it is replaced: whatever is renamed or linked around it meanwhile, the file lands in the folder that was checked.
import { constants } from "node:fs";
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pathOfHandle } from "./open-regular.ts";

export type Anchor = {
  /** A path for `name` in the held folder, good for any system call. */
  at(name: string): string;
  /** False once the folder no longer stands where it was checked. */
  inPlace(): boolean;
  sync(): Promise<void>;
  close(): Promise<void>;
};

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens `real`, making what is missing of it below `existing`, link by link checked; throws the file system's error, or ELOOP when a link got in between. */
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
