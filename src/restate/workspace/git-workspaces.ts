// Workspaces by git checkpoints: a mirror on every machine, a folder for every run at the same path
// on all of them, and the run's commits at the remote under a name that nobody else uses.
import { isAbsolute, join } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { isAgentId, isUuid } from "../../base/ids.ts";
import { GitTree, stateOfBranch } from "./git-tree.ts";
import { Mirror } from "./mirror.ts";
import { SetupFiles } from "./setup-files.ts";
import type { TreeOwner, Workspaces } from "./workspaces.ts";

export type GitWorkspaceOptions = {
  /** The same path on all machines. */
  folder: string;
  /** The repository: `https://…`, `ssh://…`, `user@host:path` or an absolute folder. */
  remote: string;
  /** Makes what git ignores, once for every commit at which sessions begin; null for nothing. */
  setup: string | null;
  /** A sentence for the worker's log: something in a folder cannot follow its run. */
  onTrouble: (message: string) => void;
  env?: Readonly<Record<string, string | undefined>>;
};

export function gitWorkspaces({
  folder,
  remote,
  setup,
  onTrouble,
  env = process.env,
}: GitWorkspaceOptions): Workspaces {
  // Git takes a colon for the end of a path.
  if (!isAbsolute(folder) || /[:\n"]/.test(folder))
    throw new RetinueError(
      "config",
      `workspaces ${JSON.stringify(folder)}: expected an absolute folder without ":", the same on all machines.`,
    );
  makePrivateDir(folder);
  const mirror = new Mirror({ folder, remote, env });
  const files =
    setup === null
      ? undefined
      : new SetupFiles({ mirror, folder: join(folder, "setups"), command: setup, env });
  const pathOf = (owner: TreeOwner): string => join(folder, "trees", ...partsOf(owner));
  return {
    async begin(ref) {
      const commit = await mirror.begin(ref);
      return { base: commit, commit };
    },
    last: (owner) => (partsOf(owner), stateOfBranch(mirror, owner)),
    pathOf,
    tree: (owner, state, order) =>
      new GitTree(
        {
          mirror,
          owner,
          order,
          path: pathOf(owner),
          stateFolder: join(folder, "states", ...partsOf(owner)),
          setUp: async (path, base) => files?.addTo(path, base),
          onTrouble,
        },
        state,
      ),
  };
}

/** Ids are the only parts of paths and branches that come from outside. */
function partsOf({ sessionId, agentId }: TreeOwner): [string, string] {
  if (!isUuid(sessionId) || !isAgentId(agentId)) throw new Error("a workspace needs generated ids");
  return [sessionId, agentId];
}
