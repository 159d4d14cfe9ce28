// Tells what a path really points to, as the kernel resolves it: follows symbolic links and "..",
// also where the last part does not exist yet.
import {
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Dirent,
  type Stats,
} from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { readGitIndex } from "../data/git-index.ts";
import { startsPrograms } from "../data/starts-programs.ts";
import { isWild, linkedMatches } from "./linked-matches.ts";

export type PathKind =
  | "file"
  | "directory"
  | "symlink-broken"
  | "fifo"
  | "socket"
  | "device"
  | "absent";

export type PathFacts = {
  /**
   * The real path. If the end does not exist: the real path of the deepest existing folder plus the
   * rest. For a broken link: its target.
   */
  real: string;
  exists: boolean;
  kind: PathKind;
  /**
   * For a path with wildcards that is not a file: what it matches through links, if anything; "too
   * many" if that cannot be told.
   */
  linked?: string[] | "too many";
  /** Where a file named `.git` says that the repository lies. */
  gitdir?: string;
  /** The settings of a repository, and they hold what may make git start a program. */
  programs?: true;
  /** The index of a repository: the paths that it lists, where it can be read. */
  tracked?: () => readonly string[] | undefined;
  /** The system would start it as a program. */
  runs?: true;
  /** How many names the file has, where it has more than one. */
  names?: number;
  /** For a folder: the links and folders that lie directly in it. */
  list?: () => { name: string; isLink: boolean }[];
  /** For a folder: what lies anywhere below it. */
  findBelow?: (below: Below) => Found;
  /** A name that its first wildcard matches begins with a dash: a command may take it for an option. */
  dashed?: true;
  /** A name that it matches falls apart where the shell splits words, or is a wildcard itself. */
  splits?: true;
};

const maxLinks = 40;
/** Bytes of a file that names a folder. */
const maxPointer = 8_192;

/**
 * Facts about `path` as a tool or a command wrote it: relative to `cwd`, with `~` for `home`. Never
 * throws.
 */
export const pathFacts = (path: string, cwd: string, home: string): PathFacts =>
  factsNear(path, { cwd, home });

/** `folder`: what is known already of the folder in which the last name of `path` lies. */
type Place = { cwd: string; home: string; folder?: PathFacts | undefined };

/** The same, where facts about the folder around it are at hand. */
export function factsNear(path: string, { cwd, home, folder }: Place): PathFacts {
  const written = absolutePath(path, cwd, home);
  if (written.includes("\0")) return { real: resolve(written), exists: false, kind: "absent" };
  const near = folder && nameIn(folder, written);
  const isMissing = near !== undefined && folder?.exists === false;
  const stats = isMissing ? undefined : statsAt(near ?? written);
  const found = stats ? presentAt(written, stats, near) : absentAt(written, near);
  return isWild(written) && !found.exists ? withLinked(found, written) : found;
}

/** The path in that folder, where it leads nowhere else. */
const nameIn = ({ kind, real }: PathFacts, written: string): string | undefined =>
  kind === "directory" || (kind === "absent" && !isWild(written))
    ? join(real, basename(written))
    : undefined;

function presentAt(written: string, stats: Stats, near: string | undefined): PathFacts {
  const isLink = stats.isSymbolicLink();
  if (near !== undefined && !isLink) return existing(near, stats);
  try {
    const real = realpathSync.native(written);
    return existing(real, isLink ? statSync(real) : stats);
  } catch {
    // A link that leads nowhere, or what changed in between: it is followed step by step.
    return walk(written);
  }
}

/** Of the entry itself, a link not followed. Undefined where there is none, or none can be reached. */
function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function absentAt(written: string, near: string | undefined): PathFacts {
  if (near !== undefined) return { real: near, exists: false, kind: "absent" };
  return absentBelow(written) ?? walk(written);
}

/** So many missing folders are looked for one by one from the end; the rest is walked. */
const maxMissing = 4;

/**
 * A path that is not there, below the deepest folder that is: the way that most missing files need,
 * without a look at every folder above. Undefined where links or `..` may lead elsewhere.
 */
function absentBelow(written: string): PathFacts | undefined {
  const parts = segments(written);
  if (parts.includes("..") || /\/\.?$/.test(written)) return undefined;
  for (let count = 1; count <= Math.min(maxMissing, parts.length); count += 1) {
    const folder = `/${parts.slice(0, -count).join("/")}`;
    try {
      const base = realpathSync.native(folder);
      const rest = parts.slice(-count).join("/");
      return { real: `${base === "/" ? "" : base}/${rest}`, exists: false, kind: "absent" };
    } catch {
      if (statsAt(folder)) return undefined;
    }
  }
  return undefined;
}

function existing(real: string, stats: Stats): PathFacts {
  const kind = kindOf(stats);
  if (kind === "directory")
    return {
      real,
      exists: true,
      kind,
      list: () => linksAndFolders(real),
      findBelow: (below) => findBelow(real, below),
    };
  if (kind !== "file") return { real, exists: true, kind };
  const gitdir = basename(real) === ".git" && stats.size < maxPointer ? gitdirOf(real) : undefined;
  const isSettings = /\/\.git\/config(?:\.worktree)?$/.test(real);
  return {
    real,
    exists: true,
    kind,
    ...(stats.nlink > 1 ? { names: stats.nlink } : {}),
    ...((stats.mode & 0o111) === 0 ? {} : { runs: true as const }),
    ...(basename(real) === "index" ? { tracked: () => trackedBy(real, stats) } : {}),
    ...(isSettings && mayStart(real, stats.size) ? { programs: true as const } : {}),
    ...(gitdir === undefined ? {} : { gitdir }),
  };
}

/** The last index that was read: a session asks for the same one again and again. */
let lastIndex: { key: string; paths: readonly string[] | undefined } | undefined;

function trackedBy(file: string, { ino, size, mtimeMs, ctimeMs }: Stats) {
  const key = [file, ino, size, mtimeMs, ctimeMs].join("\0");
  if (lastIndex?.key !== key) lastIndex = { key, paths: readGitIndex(readFileSync(file)) };
  return lastIndex.paths;
}

const maxSettings = 65_536;
const mayStart = (file: string, size: number): boolean =>
  size > maxSettings || startsPrograms(readFileSync(file, "utf8"));

/** The real path that the line `gitdir: PATH` names. */
function gitdirOf(file: string): string {
  const written = /^gitdir: (.*?)\n*$/s.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return walk(isAbsolute(written) ? written : `${dirname(file)}/${written}`).real;
}

function withLinked(found: PathFacts, written: string): PathFacts {
  const { found: names = "too many", dashed, splits } = linkedMatches(written);
  return {
    ...found,
    ...(names.length === 0 ? {} : { linked: names }),
    ...(dashed ? { dashed: true } : {}),
    ...(splits ? { splits: true } : {}),
  };
}

/**
 * The absolute path as written. It is not normalised, because the kernel resolves `link/../x`
 * differently.
 */
export function absolutePath(path: string, cwd: string, home: string): string {
  if (path === "~" || path.startsWith("~/")) return `${home}${path.slice(1)}`;
  return isAbsolute(path) ? path : `${resolve(cwd)}/${path}`;
}

function walk(written: string): PathFacts {
  const rest = segments(written);
  let real = "/";
  let links = 0;
  let viaLink = false;
  while (rest.length > 0) {
    const segment = rest.shift()!;
    if (segment === "..") {
      real = dirname(real);
      continue;
    }
    const next = join(real, segment);
    const target = linkTarget(next);
    if (target === undefined || links >= maxLinks) {
      viaLink ||= target !== undefined;
      real = next;
      continue;
    }
    links += 1;
    viaLink = rest.length === 0 || viaLink;
    if (isAbsolute(target)) real = "/";
    rest.unshift(...segments(target));
  }
  return facts(real, viaLink);
}

function segments(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function facts(real: string, viaLink: boolean): PathFacts {
  try {
    const stats = lstatSync(real);
    if (!stats.isSymbolicLink()) return { real, exists: true, kind: kindOf(stats) };
    return { real, exists: false, kind: "symlink-broken" };
  } catch {
    return { real, exists: false, kind: viaLink ? "symlink-broken" : "absent" };
  }
}

function kindOf(stats: Stats): PathKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  if (stats.isFIFO()) return "fifo";
  return stats.isSocket() ? "socket" : "device";
}

/** After this many folders the search gives up. */
const maxFolders = 2_000;
/** Folders of packages: what lies in them belongs to others, and there is no end to it. */
const stores: ReadonlySet<string> = new Set(["node_modules", ".venv", "site-packages"]);

type Found = { path: string } | "too many" | undefined;

type Below = {
  /** The path is what is looked for. */
  isWanted: (path: string) => boolean;
  /** Which names directly in the folder count; all of them where it is left out. */
  enters?: (name: string) => boolean;
};

/** The first path below the folder that is wanted. Links are not followed. */
function findBelow(folder: string, { isWanted, enters }: Below): Found {
  const open = [folder];
  for (let seen = 0; open.length > 0; seen += 1) {
    if (seen >= maxFolders) return "too many";
    const place = open.shift()!;
    for (const entry of entriesOf(place)) {
      if (place === folder && enters?.(entry.name) === false) continue;
      const path = `${place === "/" ? "" : place}/${entry.name}`;
      if (isWanted(path)) return { path };
      if (entry.isDirectory() && !stores.has(entry.name)) open.push(path);
    }
  }
  return undefined;
}

const linksAndFolders = (folder: string): { name: string; isLink: boolean }[] =>
  entriesOf(folder)
    .filter((entry) => entry.isSymbolicLink() || entry.isDirectory())
    .map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() }));

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
