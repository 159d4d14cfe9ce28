// Files that are opened with promises are read at once instead of on a thread: the order of what happens in a world must not depend
// on how busy the machine is. For the same reason no process is started: the world's project is in no repository.
import childProcess from "node:child_process";
import fs from "node:fs";
import fsPromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/** Takes the place of `open` of node:fs/promises and of `spawnSync` until the returned function is called. */
export function readFilesAtOnce(): () => void {
  const { open } = fsPromises;
  const { spawnSync } = childProcess;
  const { fsync } = fs;
  const replace = (opens: unknown, spawns: unknown, syncs: unknown): void => {
    Object.assign(fsPromises, { open: opens });
    Object.assign(fs, { fsync: syncs });
    Object.assign(childProcess, { spawnSync: spawns });
    syncBuiltinESMExports();
  };
  const notThere = (): unknown => ({ status: 128, stdout: "", stderr: "not a git repository" });
  const opensAtOnce = async (path: string, flags: number, mode?: number) => {
    const fd = fs.openSync(path, flags, mode);
    return {
      fd,
      stat: async () => fs.fstatSync(fd),
      read: async (buffer: Buffer, offset: number, length: number, position: number) => ({
        bytesRead: fs.readSync(fd, buffer, offset, length, position),
        buffer,
      }),
      sync: async () => fs.fsyncSync(fd),
      close: async () => fs.closeSync(fd),
    };
  };
  const syncsAtOnce = (fd: number, done: (error: unknown) => void): void => {
    let failure: unknown = null;
    try {
      fs.fsyncSync(fd);
    } catch (error) {
      failure = error;
    }
    queueMicrotask(() => done(failure));
  };
  replace(opensAtOnce, notThere, syncsAtOnce);
  return () => replace(open, spawnSync, fsync);
}
