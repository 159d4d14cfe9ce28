// A git worktree for one run: made from the present commit, removed only when nothing in it is new.
// It lies outside of the records of runs and of `.claude`, which no tool may write.
import { limits } from "../../base/limits.ts";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { realPath } from "../../base/files/project-folders.ts";
import { errorText } from "../../base/errors.ts";
import { isAgentId, isUuid } from "../../base/ids.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { ownGitEnvironment } from "../../process/git/own-git.ts";
import type { OpenPlace, RunWorkspace } from "../session/run-workspace.ts";
import type { Session } from "../session/session.ts";

/** Ids are the only parts of the path that come from outside, and both are generated. */
export function worktreePath(
  session: Pick<Session, "home" | "env" | "id">,
  agentId: string,
): string {
  if (!isAgentId(agentId) || !isUuid(session.id)) throw new Error("a worktree needs generated ids");
  const state = session.env["XDG_STATE_HOME"]
    ? realPath(session.env["XDG_STATE_HOME"])
    : join(realPath(session.home), ".local", "state");
  return join(state, "retinue", "worktrees", session.id, agentId);
}

/**
 * Opens the worktree of a run, a new one unless an earlier life left it there. Rejects with git's
 * own words.
 */
export async function openWorktree(
  session: Pick<Session, "root">,
  path: string,
): Promise<OpenPlace> {
  const git = (args: string[], cwd = session.root): Promise<string> => runGit(args, cwd);
  if (!existsSync(path)) {
    makePrivateDir(dirname(path));
    await git(["worktree", "prune"]);
    await git(["worktree", "add", "--detach", path, "HEAD"]);
  }
  return { path, finish: () => finish(path, git) };
}

async function finish(
  path: string,
  git: (args: string[], cwd?: string) => Promise<string>,
): Promise<{ kept: string; because: string } | undefined> {
  try {
    const because = await whatIsNew(path, git);
    if (because !== undefined) return { kept: path, because };
    // Without --force: where git sees something that this did not, it refuses, and the folder
    // stays.
    await git(["worktree", "remove", path]);
    return undefined;
  } catch (error) {
    return existsSync(path) ? { kept: path, because: errorText(error) } : undefined;
  }
}

/**
 * Files of any kind, ignored ones too, and commits: a HEAD that ever moved has more than the one
 * line with which it was made.
 */
async function whatIsNew(
  path: string,
  git: (args: string[], cwd?: string) => Promise<string>,
): Promise<string | undefined> {
  const changed = (
    await git(["status", "--porcelain", "--ignored", "--untracked-files=all"], path)
  ).trim();
  if (changed !== "")
    return changed.includes("\n")
      ? `${changed.split("\n").length} files are new or changed`
      : "1 file is new or changed";
  const log = join((await git(["rev-parse", "--absolute-git-dir"], path)).trim(), "logs", "HEAD");
  const moves = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;
  return moves > 1 ? "its HEAD has moved" : undefined;
}

/**
 * Nothing of the repository's choosing runs, nothing of the caller's environment redirects git; and
 * git's words are English.
 */
function runGit(args: string[], cwd: string): Promise<string> {
  const env = { ...ownGitEnvironment(cwd), LC_ALL: "C" };
  return new Promise((resolve, reject) => {
    execFile(
      "git",
      args,
      { cwd, env, timeout: limits.worktree.gitTimeoutMs, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error)
          reject(
            new Error(
              `git ${args.slice(0, 2).join(" ")}: ${stderr.trim().slice(0, 500) || errorText(error)}`,
            ),
          );
        else resolve(stdout);
      },
    );
  });
}

/** The folders of this machine. */
export const localWorkspace: RunWorkspace = {
  open: async (session, { cwd, isolation }) => (isolation ? openWorktree(session, cwd) : undefined),
  async look({ cwd }) {
    // Loaded by runs that owe a report and may write.
    const { takeSnapshot } = await import("../../verify/evidence/snapshot.ts");
    try {
      return takeSnapshot(cwd);
    } catch {
      return undefined;
    }
  },
};
