// Whether what a command added to git's own files is plain data. A new repository, working tree or
// rebase may stay only when nothing in it makes git run a program; what is not known counts as one.
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isRepository, linkedTree, nestedFolders } from "./git-folder.ts";
import { isPlainConfig } from "./plain-config.ts";

/** All but `exec`, in full and as one letter. */
const plainSteps = new Set(
  `pick p reword r edit e squash s fixup f drop d label l reset t merge m noop break b update-ref
  u`.split(/\s+/),
);

/** `path` is new: a git folder, a part of one, or the `.git` file of a working tree. */
export function runsNothing(path: string): boolean {
  try {
    const name = basename(path);
    if (name === "rebase-merge") return isPlainTodo(join(path, "git-rebase-todo"));
    const kind = lstatSync(path);
    if (name === ".git" && kind.isFile()) {
      const own = linkedTree(dirname(path))?.writable[0] ?? submoduleFolder(path);
      return own !== undefined && isPlainFolder(own);
    }
    return kind.isDirectory() && isPlainFolder(path) && nestedFolders(path).every(isPlainFolder);
  } catch {
    return false;
  }
}

function isPlainFolder(folder: string): boolean {
  const isTree = readText(join(folder, "commondir"))?.trim() === "../..";
  if (!isTree && (!isRepository(folder) || lstat(join(folder, "commondir")))) return false;
  const config = readText(join(folder, "config"));
  return (
    (config === undefined
      ? isTree && !lstat(join(folder, "config"))
      : isPlainConfig(config, (tree) => isSubmoduleTree(folder, tree))) &&
    !["config.worktree", "rebase-apply"].some((name) => lstat(join(folder, name))) &&
    namesIn(join(folder, "hooks")).every((name) => name.endsWith(".sample")) &&
    [...namesIn(join(folder, "branches")), ...namesIn(join(folder, "remotes"))].length === 0 &&
    (!lstat(join(folder, "rebase-merge")) || runsNothing(join(folder, "rebase-merge")))
  );
}

/** The repository that keeps this submodule's git folder, with the submodule's name. */
const submodulePlace = /^(.+)\/\.git\/modules\/(.+)$/;

/** A submodule's working folder lies in its repository. */
function isSubmoduleTree(folder: string, tree: string): boolean {
  const owner = submodulePlace.exec(folder)?.[1];
  return owner !== undefined && resolve(folder, tree).startsWith(`${owner}/`);
}

/** For the `.git` file of a submodule: the git folder that names this working folder in return. */
function submoduleFolder(link: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(readText(link) ?? "")?.[1];
  if (named === undefined) return undefined;
  const folder = realpathSync(resolve(dirname(link), named));
  const tree = /^\s*worktree = (.+)$/m.exec(readText(join(folder, "config")) ?? "")?.[1];
  const isReturned = tree !== undefined && resolve(folder, tree) === realpathSync(dirname(link));
  return isReturned && isSubmoduleTree(folder, tree) ? folder : undefined;
}

const isPlainTodo = (path: string): boolean =>
  (readText(path) ?? "")
    .split("\n")
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .every((line) => plainSteps.has(line.trim().split(/\s/)[0]!));

const lstat = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Of a regular file alone: a link would show what it leads to now, and git what it leads to later.
 */
function readText(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile()
    ? readFileSync(path, "utf8")
    : undefined;
}

/** A link in place of a folder has a name that nobody knows. */
function namesIn(folder: string): string[] {
  const kind = lstatSync(folder, { throwIfNoEntry: false });
  if (!kind) return [];
  return kind.isDirectory() ? readdirSync(folder) : ["unknown"];
}
