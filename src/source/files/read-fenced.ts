// Reads a file below a root, by its real path and never past a link that leads out. A small text is kept
// as long as the file's own times, size and number say that it is the same.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from "node:fs";
import type { Stats } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isSecretPath, readLimit, textResult, type ReadResult } from "../reader.ts";

type Fenced = { real: string } | { why: "outside" | "none" };

export function fenced(root: string, path: string, realOf: (path: string) => string): Fenced {
  try {
    const real = realOf(isEven(path) ? `${root}/${path}` : join(root, path));
    return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
      ? { real }
      : { why: "outside" };
  } catch {
    return { why: "none" };
  }
}

/** Without a part that says nothing or leads back: nothing has to be worked out to join it. */
const isEven = (path: string): boolean =>
  path !== "" &&
  !path.startsWith(".") &&
  !path.startsWith("/") &&
  !path.endsWith("/") &&
  !path.includes("//") &&
  !path.includes("/.");

let realFolders: Map<string, string> | undefined;

/**
 * The real path of what is no link itself, by that of its folder. A folder is looked up once in a
 * stretch of work that nothing interrupts: later it may lead elsewhere.
 */
function realByFolder(path: string): string {
  if (!realFolders) {
    realFolders = new Map();
    queueMicrotask(() => (realFolders = undefined));
  }
  const cut = path.lastIndexOf("/");
  const isPlain = cut > 0 && cut < path.length - 1;
  const folder = isPlain ? path.slice(0, cut) : dirname(path);
  let real = realFolders.get(folder);
  if (real === undefined) realFolders.set(folder, (real = realpathSync.native(folder)));
  return isPlain && real !== "/" ? real + path.slice(cut) : join(real, basename(path));
}

export function readFenced(root: string, path: string): ReadResult {
  const near = fenced(root, path, realByFolder);
  const read = "why" in near ? undefined : readAt(root, path, near.real);
  if (read) return read;
  const at = fenced(root, path, realpathSync.native);
  if ("why" in at) return { ok: false, why: at.why === "outside" ? "outside" : "gone" };
  return readAt(root, path, at.real) ?? { ok: false, why: "gone" };
}

/** Undefined where a link stands at what should be the real path. */
function readAt(root: string, path: string, real: string): ReadResult | undefined {
  // A link, or a file in a linked folder, has another name of its own.
  const isSame = real.endsWith(path) && real.length === root.length + 1 + path.length;
  if (isSecretPath(path) || (!isSame && isSecretPath(relative(root, real).split(sep).join("/"))))
    return { ok: false, why: "secret" };
  const known = keptAt(real);
  if (known) return known;
  let handle: number | undefined;
  try {
    handle = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stat = fstatSync(handle);
    if (!stat.isFile()) return { ok: false, why: "special" };
    if (stat.size > readLimit) return { ok: false, why: "too_large" };
    return kept(real, stat, textResult(path, readAll(handle, stat.size)));
  } catch (error) {
    const isLink = (error as NodeJS.ErrnoException).code === "ELOOP";
    return isLink ? undefined : { ok: false, why: "gone" };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** One byte more than the limit at most: a file that grows while it is read stays bounded. */
function readAll(handle: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.min(size + 1, readLimit + 1));
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(handle, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

type Kept = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs"> & { result: ReadResult };

const texts = new Map<string, Kept>();
let keptCharacters = 0;
const [mostCharacters, longestText] = [4_000_000, 100_000];
/** A change within one step of a file system's clock leaves no trace: such a file is not kept. */
const quietMs = 3_000;

/** The same result as before, for a file that nobody has touched since. */
function keptAt(real: string): ReadResult | undefined {
  const known = texts.get(real);
  if (!known) return undefined;
  if (isSame(known, lstatSync(real, { throwIfNoEntry: false }))) return known.result;
  forget(real, known);
  return undefined;
}

const isSame = (one: Kept, now: Stats | undefined): boolean =>
  now !== undefined &&
  one.ino === now.ino &&
  one.dev === now.dev &&
  one.size === now.size &&
  one.mtimeMs === now.mtimeMs &&
  one.ctimeMs === now.ctimeMs;

/** `stat`: taken before the file was read. */
function kept(real: string, stat: Stats, result: ReadResult): ReadResult {
  const { dev, ino, size, mtimeMs, ctimeMs } = stat;
  const now = performance.timeOrigin + performance.now();
  if (!result.ok || size > longestText || Math.max(mtimeMs, ctimeMs) > now - quietMs) return result;
  if (keptCharacters + size > mostCharacters) {
    texts.clear();
    keptCharacters = 0;
  }
  texts.set(real, { dev, ino, size, mtimeMs, ctimeMs, result });
  keptCharacters += size;
  return result;
}

function forget(real: string, { size }: Kept): void {
  texts.delete(real);
  keptCharacters -= size;
}
