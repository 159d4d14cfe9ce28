// Which parts of a repository a command may write: commits need objects, refs and the index; what
// makes git run programs stays read-only.
import { lstatSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Written by nobody in the sandbox: settings, programs that git runs, and other working trees and
 * repositories kept inside.
 */
const fixed = [
  "config",
  "config.worktree",
  "hooks",
  "commondir",
  "gitdir",
  "worktrees",
  "modules",
  "info",
];

export type GitParts = {
  /** There already, and held fast. */
  fixed: string[];
  /** Not there, and not to come into being: any of them would lead git elsewhere. */
  absent: string[];
};

/** `hooks` is made where it is missing, because what does not exist cannot be held fast. */
export function gitParts(gitFolder: string): GitParts {
  try {
    mkdirSync(join(gitFolder, "hooks"));
  } catch {
    // There already, or not ours to make.
  }
  return partsOf(gitFolder);
}

function partsOf(gitFolder: string): GitParts {
  const paths = fixed.map((name) => join(gitFolder, name));
  return {
    fixed: paths.filter(exists),
    absent: paths.filter((path) => !exists(path) && !path.endsWith("/info")),
  };
}

/**
 * For a linked working tree, the folders of the main repository that a commit writes. Only where
 * the repository itself names this tree: the link alone is the project's own word.
 */
export function linkedTree(folder: string): ({ writable: string[] } & GitParts) | undefined {
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

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
