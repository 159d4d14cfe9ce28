// The commits that git keeps of a project, read once.
import { spawnSync } from "node:child_process";
import { ownGitEnvironment } from "../../../process/git/own-git.ts";
import type { Repository } from "../../../source/repository.ts";

export type Commit = {
  id: string;
  author: string;
  email: string;
  date: string;
  subject: string;
  body: string;
};

const maxCommits = 5_000;
const histories = new WeakMap<Repository, Commit[]>();

export function gitText(root: string, args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", ["-C", root, "--literal-pathspecs", ...args], {
    maxBuffer: 16 * 1024 * 1024,
    timeout: 20_000,
    env: ownGitEnvironment(root),
    encoding: "utf8",
  });
  return status === 0 ? stdout : undefined;
}

/** Newest first; empty where there is no history or too much of it. */
export function historyOf(repo: Repository): Commit[] {
  const known = histories.get(repo);
  if (known) return known;
  const { root } = repo.reader;
  const text =
    root === undefined
      ? undefined
      : gitText(root, [
          "log",
          "--all",
          `-n${maxCommits}`,
          "--format=%H%x1f%an%x1f%ae%x1f%as%x1f%s%x1f%b%x1e",
        ]);
  const found = (text ?? "")
    .split("\x1e")
    .map((row) => row.trim().split("\x1f"))
    .filter((row) => row.length >= 5)
    .map(([id, author, email, date, subject, body]) => ({
      id: id!,
      author: author!,
      email: email!,
      date: date!,
      subject: subject!,
      body: body ?? "",
    }));
  const history = found.length >= maxCommits ? [] : found;
  histories.set(repo, history);
  return history;
}

/** A commit that no branch has any more, or not yet, is kept all the same. */
export const keepsCommit = ({ reader: { root } }: Repository, id: string): boolean =>
  root !== undefined && gitText(root, ["cat-file", "-e", `${id}^{commit}`]) !== undefined;
