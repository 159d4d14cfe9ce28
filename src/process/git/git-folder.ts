// Which parts of a repository a command may write: commits need objects, refs and the index; what
// makes git run programs stays read-only. Retinue decides afterwards whether a new part may stay.
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * What git reads settings, programs or commands from. Read-only where it is, set aside where it is
 * new.
 */
const steering = [
  "config",
  "config.worktree",
  "hooks",
  "commondir",
  "gitdir",
  "info/attributes",
  "info/exclude",
  "info/grafts",
  "branches",
  "remotes",
  "rebase-merge",
  "rebase-apply",
];
/** Folders of further git folders: of linked working trees and of submodules. */
const nests = ["worktrees", "modules"];
/** A new one names no program, and git makes it when it makes a repository. */
const mayCome = new Set(["exclude"]);

export type GitParts = {
  /** Git folders that commits write to: they stay where they are. */
  folders: string[];
  /** There already, and read-only. */
  fixed: string[];
  /** Not there. Where a command makes one of them, it is looked at. */
  absent: string[];
};

/** `hooks` is made where it is missing, because what does not exist cannot be mounted. */
export function gitFolderParts(gitFolder: string): GitParts {
  try {
    mkdirSync(join(gitFolder, "hooks"));
  } catch {
    // There already, or not ours to make.
  }
  return partsOf(gitFolder);
}

function partsOf(gitFolder: string): GitParts {
  const paths = steering.map((name) => join(gitFolder, name));
  const below = nestedFolders(gitFolder).map(partsOf);
  return {
    folders: [gitFolder, ...below.flatMap(({ folders }) => folders)],
    fixed: [...paths.filter(exists), ...below.flatMap(({ fixed }) => fixed)],
    absent: [
      ...paths.filter((path) => !exists(path) && !mayCome.has(basename(path))),
      ...below.flatMap(({ absent }) => absent),
    ],
  };
}

/** The git folders that a repository keeps inside itself; a submodule's name may hold slashes. */
export function nestedFolders(gitFolder: string): string[] {
  const found: string[] = [];
  const open = nests.map((name) => join(gitFolder, name)).filter(isFolder);
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const path of entriesOf(folder).map((name) => join(folder, name)))
      if (isFolder(path)) (exists(join(path, "HEAD")) ? found : open).push(path);
  return found;
}

/**
 * For a linked working tree, the folders of the main repository that a commit writes. Only where the
 * repository itself names this tree: the link alone is the project's own word.
 */
export type LinkedTree = GitParts & { common: string; writable: string[] };

export function linkedTree(folder: string): LinkedTree | undefined {
  try {
    const link = join(folder, ".git");
    if (!lstatSync(link).isFile()) return undefined;
    const own = realpathSync(/^gitdir: (.+)$/m.exec(readFileSync(link, "utf8"))?.[1] ?? "");
    const common = dirname(dirname(own));
    const isNamed =
      realpathSync(readFileSync(join(own, "gitdir"), "utf8").trim()) === realpathSync(link);
    if (!isNamed || basename(dirname(own)) !== "worktrees" || basename(common) !== ".git")
      return undefined;
    return {
      common,
      writable: [
        own,
        ...["objects", "refs", "logs"].map((name) => join(common, name)).filter(exists),
      ],
      ...partsOf(own),
    };
  } catch {
    return undefined;
  }
}

/**
 * Whether git would find a repository from this folder on upwards: where it is no use to ask git,
 * which takes a process for each question.
 */
export function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (exists(join(at, ".git")) || isRepository(at)) return true;
    if (dirname(at) === at) return false;
  }
}

/** True for a folder that git takes for a repository. */
export const isRepository = (folder: string): boolean =>
  lstatSync(join(folder, "HEAD"), { throwIfNoEntry: false })?.isFile() === true &&
  isFolder(join(folder, "objects")) &&
  isFolder(join(folder, "refs"));

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
