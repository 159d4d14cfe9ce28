// What a folder holds, remembered from one look to the next: it is read anew unless its own times say
// that nothing was added to it, removed from it or renamed in it since.
import { readdirSync, statSync, type Dirent, type Stats } from "node:fs";

type Kept = Pick<Stats, "dev" | "ino" | "mtimeMs" | "ctimeMs"> & { entries: readonly Dirent[] };

const kept = new Map<string, Kept>();
const maxKept = 100_000;
let keptEntries = 0;

/** A change within one step of a file system's clock leaves no trace: such a folder is not kept. */
const quietMs = 3_000;

/** Of a folder that may never be asked about again: nothing is kept of it. */
export function entriesOnce(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Empty where the folder cannot be read. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    const now = Date.now();
    const stats = statSync(folder);
    const known = kept.get(folder);
    if (known && isSame(known, stats)) return known.entries;
    const entries = readdirSync(folder, { withFileTypes: true });
    forget(folder);
    if (Math.max(stats.mtimeMs, stats.ctimeMs) < now - quietMs) keep(folder, stats, entries);
    return entries;
  } catch {
    forget(folder);
    return [];
  }
}

const isSame = (one: Kept, { dev, ino, mtimeMs, ctimeMs }: Stats): boolean =>
  one.ino === ino && one.dev === dev && one.mtimeMs === mtimeMs && one.ctimeMs === ctimeMs;

function keep(folder: string, stats: Stats, entries: readonly Dirent[]): void {
  const { dev, ino, mtimeMs, ctimeMs } = stats;
  if (keptEntries + entries.length > maxKept) {
    kept.clear();
    keptEntries = 0;
  }
  kept.set(folder, { dev, ino, mtimeMs, ctimeMs, entries });
  keptEntries += entries.length;
}

function forget(folder: string): void {
  keptEntries -= kept.get(folder)?.entries.length ?? 0;
  kept.delete(folder);
}
