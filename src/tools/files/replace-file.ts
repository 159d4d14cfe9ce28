// Replaces or creates one file in one step: a temporary file in the checked folder, synced, then
// renamed. On failure the original is unchanged.
import { randomBytes } from "node:crypto";
import { accessSync, constants, lstatSync, renameSync, type BigIntStats } from "node:fs";
import { lstat, open, unlink, type FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { errorText } from "../../base/errors.ts";
import { anchorFolder, type Anchor } from "./anchor-folder.ts";

export type Replacement = {
  /** A path without links. */
  real: string;
  shown: string;
  content: Buffer;
  /** The file's state when its content was compared; absent for a new file. */
  before?: BigIntStats;
  /** Asked at the last moment, with the real path. */
  mayWrite: (real: string) => boolean;
};

export type Replaced = { ok: true; warnings: string[] } | { ok: false; problem: string };

export async function replaceFile(replacement: Replacement): Promise<Replaced> {
  let anchor: Anchor | undefined;
  try {
    if (replacement.before) accessSync(replacement.real, constants.W_OK);
    const folder = dirname(replacement.real);
    anchor = await anchorFolder(folder, await deepestExisting(folder));
    return await replaceIn(anchor, replacement);
  } catch (error) {
    return { ok: false, problem: failure(error as NodeJS.ErrnoException, replacement.shown) };
  } finally {
    await anchor?.close();
  }
}

async function replaceIn(anchor: Anchor, replacement: Replacement): Promise<Replaced> {
  const name = basename(replacement.real);
  const temporary = anchor.at(`.${name.slice(0, 60)}.${randomBytes(8).toString("hex")}.tmp`);
  const warnings: string[] = [];
  const handle = await open(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    replacement.before ? 0o600 : 0o666,
  );
  let renamed = false;
  try {
    await fill(handle, replacement, warnings);
    const { ino, size } = await handle.stat({ bigint: true });
    if (size !== BigInt(replacement.content.length))
      return {
        ok: false,
        problem:
          `${replacement.shown} was not written: the file system kept ${size} of ` +
          `${replacement.content.length} bytes.`,
      };
    // Nothing waits from here to the rename: no other run of this process can interfere.
    const problem = lastLook(anchor, replacement);
    if (problem !== undefined) return { ok: false, problem };
    renameSync(temporary, anchor.at(name));
    renamed = true;
    const landed = lstatSync(anchor.at(name), { bigint: true });
    if (landed.ino !== ino || landed.size !== size || !anchor.inPlace())
      warnings.push(
        "the file was changed by somebody else right after it was written; read it again",
      );
    await anchor.sync().catch(() => {});
    return { ok: true, warnings };
  } finally {
    await handle.close().catch(() => {});
    if (!renamed) await unlink(temporary).catch(() => {});
  }
}

async function fill(
  handle: FileHandle,
  { content, before }: Replacement,
  warnings: string[],
): Promise<void> {
  await handle.writeFile(content);
  if (before) {
    const own = await handle.stat({ bigint: true });
    if (own.uid !== before.uid || own.gid !== before.gid)
      await handle.chown(Number(before.uid), Number(before.gid)).catch(() => {});
    await handle.chmod(Number(before.mode & 0o777n));
  }
  await handle.sync().catch((error: NodeJS.ErrnoException) => {
    if (!["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(error.code ?? "")) throw error;
    warnings.push("this file system cannot confirm that the file reached the disk");
  });
}

function lastLook(
  anchor: Anchor,
  { real, shown, before, mayWrite }: Replacement,
): string | undefined {
  if (!anchor.inPlace())
    return `${shown} was not written: its folder was moved or replaced by a link meanwhile.`;
  if (!mayWrite(real)) return `${shown} may not be written in this run.`;
  const now = lstatSync(anchor.at(basename(real)), { bigint: true, throwIfNoEntry: false });
  if (!before)
    return now === undefined
      ? undefined
      : `${shown} was created by somebody else meanwhile. Read it before writing it.`;
  const same =
    now?.isFile() &&
    now.ino === before.ino &&
    now.size === before.size &&
    now.mtimeNs === before.mtimeNs;
  return same ? undefined : changedSinceRead(shown);
}

export const changedSinceRead = (shown: string): string =>
  `${shown} has changed since it was read in this run. Read it again, then repeat the change on what is there now.`;

async function deepestExisting(folder: string): Promise<string> {
  for (let path = folder; ; path = dirname(path)) {
    const found = await lstat(path).then(
      () => true,
      (error: NodeJS.ErrnoException) => !["ENOENT"].includes(error.code ?? ""),
    );
    if (found || path === dirname(path)) return path;
  }
}

function failure(error: NodeJS.ErrnoException, shown: string): string {
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
      return `${shown} was not written: the disk is full. The file is as it was.`;
    case "EACCES":
    case "EPERM":
      return `${shown} was not written: permission denied.`;
    case "EROFS":
      return `${shown} was not written: the file system is read-only.`;
    case "ELOOP":
      return `${shown} was not written: a folder on its path was replaced by a link meanwhile.`;
    case "ENOTDIR":
      return `${shown} was not written: a part of its path is a file, not a folder.`;
    default:
      return `${shown} was not written: ${errorText(error)}`;
  }
}
