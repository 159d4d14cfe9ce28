// The repository's state in a few words for the system prompt, read from files where possible so
// that a run starts without delay.
import { limits } from "../../base/limits.ts";
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readTextFile } from "../../base/files/read-text-file.ts";
import { ownGitEnvironment } from "../../process/git/own-git.ts";

export type GitState = { branch: string; dirty: boolean };

/** The branch, from .git/HEAD; undefined outside a repository. */
export function gitBranch(root: string): string | undefined {
  try {
    const head = textOf(join(gitFolder(root), "HEAD"));
    // `.git` may lead to any file: what is no branch and no commit is not shown to anyone.
    return (
      /^ref: refs\/heads\/([^\s~^:?*[\\\p{Cc}\p{Cf}]{1,250})$/u.exec(head)?.[1] ??
      /^[0-9a-f]{40,64}$/.exec(head)?.[0].slice(0, 12)
    );
  } catch {
    return undefined;
  }
}

/** In a worktree `.git` is a file that names the folder. */
function gitFolder(root: string): string {
  const path = join(root, ".git");
  if (!statSync(path).isFile()) return path;
  const named = /^gitdir: (.+)$/m.exec(textOf(path))?.[1];
  return named ? resolve(dirname(path), named.trim()) : path;
}

function textOf(path: string): string {
  const file = readTextFile(path, 64 * 1024);
  return file.ok ? file.text.trim() : "";
}

/** Asks git whether tracked files have changed; silence or delay counts as clean. */
export async function gitState(root: string): Promise<GitState | undefined> {
  if (!existsSync(join(root, ".git"))) return undefined;
  const branch = gitBranch(root) ?? "unknown";
  const args = ["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all"];
  return new Promise((done) => {
    execFile(
      "git",
      args,
      { cwd: root, timeout: limits.prompt.gitStatusMs, env: ownGitEnvironment(root) },
      (_error, stdout) => done({ branch, dirty: stdout.trim() !== "" }),
    );
  });
}
