// Whether what a command added to git's own files is plain data. A new repository, working tree or
// rebase may stay only when nothing in it makes git run a program; what is not known counts as one.
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isRepository, linkedTree, nestedFolders } from "./git-folder.ts";

/** What `git init`, `clone`, `remote add` and `branch --track` write. No value of these is run. */
const plainKeys = new Set(
  `core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase
  core.precomposeunicode core.symlinks remote.url remote.fetch remote.tagopt remote.promisor
  remote.partialclonefilter branch.remote branch.merge branch.rebase extensions.objectformat
  extensions.partialclone submodule.active submodule.url init.defaultbranch user.name user.email
  lfs.repositoryformatversion`.split(/\s+/),
);
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
      const tree = linkedTree(join(path, ".."));
      return tree !== undefined && isPlainFolder(tree.writable[0]!);
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
    (config === undefined ? isTree && !lstat(join(folder, "config")) : isPlainConfig(config)) &&
    !["config.worktree", "rebase-apply"].some((name) => lstat(join(folder, name))) &&
    namesIn(join(folder, "hooks")).every((name) => name.endsWith(".sample")) &&
    [...namesIn(join(folder, "branches")), ...namesIn(join(folder, "remotes"))].length === 0 &&
    (!lstat(join(folder, "rebase-merge")) || runsNothing(join(folder, "rebase-merge")))
  );
}

function isPlainConfig(text: string): boolean {
  let section = "";
  return text.split("\n").every((line) => {
    if (line.trim() === "" || /^\s*[#;]/.test(line)) return true;
    const header = /^\s*\[([a-z]+)(?: "[^"\\\]]*")?\]\s*$/i.exec(line);
    if (header) return ((section = header[1]!.toLowerCase()), true);
    const [, key = "", value = ""] = /^\s*([a-z]+)\s*=\s*([^\\]*)$/i.exec(line) ?? [];
    // `x::y` names a helper program.
    return plainKeys.has(`${section}.${key.toLowerCase()}`) && !value.includes("::");
  });
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
