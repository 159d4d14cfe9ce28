// A store in a folder: of one machine, or of a file system that all machines mount. An object is
// written beside its place, synced and moved there, so that nobody ever reads half of one.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorText } from "../../base/errors.ts";
import { syncFolder } from "../../base/files/sync-folder.ts";
import { limits } from "../../base/limits.ts";
import {
  checkedKey,
  checkedPrefix,
  isKey,
  StoreFailure,
  type ObjectStore,
  type StoredObject,
} from "./object-store.ts";

/**
 * The folder has to be there: one that is made anew hides that the right one is not mounted. What is
 * found says so; what is not found asks.
 */
export function folderStore(folder: string): ObjectStore {
  const within = <T>(work: () => Promise<T>): Promise<T> => inFolder(folder, work);
  return {
    name: folder,
    put: (key, bytes) => within(() => write(folder, checkedKey(key), bytes)),
    get: (key) =>
      within(async () => {
        const bytes = await read(join(folder, checkedKey(key)));
        if (!bytes) await mustBeThere(folder);
        return bytes;
      }),
    remove: (key) =>
      within(async () => {
        await mustBeThere(folder);
        await rm(join(folder, checkedKey(key)), { force: true });
      }),
    list: (prefix) =>
      within(async () => {
        const found: StoredObject[] = [];
        await collect(folder, checkedPrefix(prefix), found);
        if (found.length === 0) await mustBeThere(folder);
        return found.sort((a, b) => (a.key < b.key ? -1 : 1));
      }),
  };
}

async function mustBeThere(folder: string): Promise<void> {
  if (!(await stat(folder)).isDirectory()) throw new Error("it is no folder");
}

async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StoreFailure(`the store ${folder}: ${errorText(error)}`, {
      isPassing: true,
      cause: error,
    });
  }
}

async function write(folder: string, key: string, bytes: Uint8Array): Promise<void> {
  const path = join(folder, key);
  const parent = dirname(path);
  // No key begins with a dot: what a crash leaves here is in nobody's list.
  const temporary = join(parent, `.${randomUUID()}`);
  try {
    const file = await openNew(temporary).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      await makeFolders(folder, key);
      return openNew(temporary);
    });
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(parent);
}

const openNew = (path: string): Promise<FileHandle> => open(path, "wx", 0o600);

/**
 * One by one, so that the store's own folder is never made. Those that are new are synced side by
 * side: each takes as long as the disk does.
 */
async function makeFolders(folder: string, key: string): Promise<void> {
  const synced: Promise<void>[] = [];
  let parent = folder;
  for (const part of key.split("/").slice(0, -1)) {
    const above = parent;
    parent = join(parent, part);
    const isNew = await mkdir(parent, { mode: 0o700 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
        return false;
      },
    );
    if (isNew) synced.push(syncFolder(above));
  }
  await Promise.all(synced);
}

async function read(path: string): Promise<Buffer | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ifAbsent);
  if (!file) return undefined;
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new Error(`${path} is no regular file`);
    if (facts.size > limits.store.objectBytes)
      throw new Error(`${path} has ${facts.size} bytes, more than any object that is written here`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function collect(folder: string, prefix: string, found: StoredObject[]): Promise<void> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch(ifAbsent);
  for (const entry of entries ?? []) {
    const key = prefix + entry.name;
    if (!isKey(key)) continue;
    if (entry.isDirectory()) await collect(folder, `${key}/`, found);
    else if (entry.isFile()) {
      const facts = await stat(join(folder, key)).catch(ifAbsent);
      if (facts) found.push({ key, bytes: facts.size, modifiedAtMs: facts.mtimeMs });
    }
  }
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  return undefined;
}
