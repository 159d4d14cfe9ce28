// The repository's state in a few words for the system prompt, read from files where possible so that a run starts without delay.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ownGitEnvironment } from "../process/own-git.ts";

export type GitState = { branch: string; dirty: boolean };

const statusTimeoutMs = 500;

/** The branch, from .git/HEAD; undefined outside a repository. */
export function gitBranch(root: string): string | undefined {
  try {
    const head = readFileSync(join(gitFolder(root), "HEAD"), "utf8").trim();
    return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 12);
  } catch {
    return undefined;
  }
}

/** In a worktree `.git` is a file that names the folder. */
function gitFolder(root: string): string {
  const path = join(root, ".git");
  if (!statSync(path).isFile()) return path;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
  return named ? resolve(dirname(path), named.trim()) : path;
}

/** Asks git whether tracked files have changed; silence or delay counts as clean. */
export async function gitState(root: string): Promise<GitState | undefined> {
  if (!existsSync(join(root, ".git"))) return undefined;
  const branch = gitBranch(root) ?? "unknown";
  const args = ["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all"];
  return new Promise((done) => {
    execFile("git", args, { cwd: root, timeout: statusTimeoutMs, env: ownGitEnvironment(root) }, (_error, stdout) => done({ branch, dirty: stdout.trim() !== "" }));
  });
}
