// Walks files without ripgrep: regular files below a root in path order; .gitignore works as in
// ripgrep; no link is followed.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { readGitignore, type Gitignore } from "./gitignore.ts";

/** Folders of version control: never searched. */
export const skippedNames = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"] as const;
const skipped: ReadonlySet<string> = new Set(skippedNames);

type Level = {
  folder: string;
  ignore: Gitignore | undefined;
  /** Rules of folders above a repository do not apply inside it. */ isRepository: boolean;
};

export async function* walkFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walk(root, [...levelsAbove(root), levelOf(root)], { root, signal });
}

async function* walk(
  folder: string,
  levels: readonly Level[],
  walkPlan: { root: string; signal: AbortSignal },
): AsyncGenerator<string> {
  walkPlan.signal.throwIfAborted();
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (
      skipped.has(entry.name) ||
      !(entry.isFile() || entry.isDirectory()) ||
      isIgnored(levels, path, entry.isDirectory())
    )
      continue;
    if (entry.isFile()) yield relative(walkPlan.root, path);
    else yield* walk(path, [...levels, levelOf(path)], walkPlan);
  }
}

/**
 * The nearest file with a matching rule decides; files above the top of the repository are not
 * asked.
 */
function isIgnored(levels: readonly Level[], path: string, isFolder: boolean): boolean {
  for (const level of levels.toReversed()) {
    const verdict = level.ignore?.(relative(level.folder, path).split(sep).join("/"), isFolder);
    if (verdict !== undefined) return verdict;
    if (level.isRepository) return false;
  }
  return false;
}

function levelOf(folder: string): Level {
  return { folder, ignore: readGitignore(folder), isRepository: existsSync(join(folder, ".git")) };
}

/** Whether `folder` or a folder above it is the top of a repository. */
export function insideRepository(folder: string): boolean {
  return (
    existsSync(join(folder, ".git")) ||
    (folder !== dirname(folder) && insideRepository(dirname(folder)))
  );
}

function levelsAbove(root: string): Level[] {
  const levels: Level[] = [];
  for (let folder = root; folder !== dirname(folder);) {
    folder = dirname(folder);
    levels.unshift(levelOf(folder));
  }
  return levels;
}
