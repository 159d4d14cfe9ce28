// The folder of one run, kept by commits: after a call that changed something its files are a commit
// under the run's own name at the remote, and any other machine makes the same files from it.
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { limits } from "../../base/limits.ts";
import type { TreeState } from "../../events/run-spec.ts";
import { removeTree } from "../../process/remove-tree.ts";
import { GitRefusal } from "./mirror-git.ts";
import { isCommit, makeAgentRepository, type Mirror } from "./mirror.ts";
import {
  TreeOvertaken,
  type RunTree,
  type TreeMerge,
  type TreeOrder,
  type TreeOwner,
} from "./workspaces.ts";

export type GitTreeParts = {
  mirror: Mirror;
  owner: TreeOwner;
  order: TreeOrder;
  path: string;
  /** What belongs to the folder and does not lie in it. */
  stateFolder: string;
  /** Adds what git ignores to a new folder. */
  setUp: (path: string, base: string) => Promise<void>;
  onTrouble: (message: string) => void;
};

export const branchOf = ({ sessionId, agentId }: TreeOwner): string =>
  `refs/retinue/${sessionId}/${agentId}`;

const orderPattern = /^Retinue-Order: (\d{1,16}) (\d{1,9})$/m;

export class GitTree implements RunTree {
  readonly path: string;
  readonly branch: string;
  readonly #parts: GitTreeParts;
  readonly #index: string;
  #state: TreeState;
  /** The commit on which the next one stands. */
  #last: string;
  /** The files of that commit, once they were asked for. */
  #lastTree: { commit: string; tree: string } | undefined;
  /** What the branch is believed to be at the remote; empty where it is believed not to be there. */
  #pushed: string;
  #arrival: Promise<void> | undefined;
  /** Calls of one reply may end side by side; commits come one after another. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: GitTreeParts, state: TreeState) {
    this.#parts = parts;
    this.path = parts.path;
    this.branch = branchOf(parts.owner);
    this.#index = join(parts.stateFolder, "index");
    this.#state = checkedState(state);
    this.#last = state.commit;
    this.#pushed = "";
  }

  get state(): TreeState {
    return this.#state;
  }

  note(state: TreeState): void {
    if (this.#arrival) throw new Error("the folder is in use: no step of before can change it");
    this.#state = checkedState(state);
    this.#last = state.commit;
    this.#pushed = state.commit;
  }

  arrive(): Promise<void> {
    return (this.#arrival ??= this.#arrive().catch((error: unknown) => {
      this.#arrival = undefined;
      throw error;
    }));
  }

  checkpoint(why: string): Promise<TreeState> {
    return this.#inTurn(async () => {
      await this.arrive();
      const tree = await this.#treeNow();
      if (tree !== (await this.#treeOf(this.#last))) await this.#keep(tree, [this.#last], why);
      return this.#state;
    });
  }

  merge({ agentId, state }: { agentId: string; state: TreeState }): Promise<TreeMerge> {
    const branch = branchOf({ ...this.#parts.owner, agentId });
    return this.#inTurn(async () => {
      await this.arrive();
      const mine = await this.#treeNow();
      if (mine !== (await this.#treeOf(this.#last)))
        await this.#keep(mine, [this.#last], `before merging ${agentId}`);
      const theirs = checkedState(state).commit;
      await this.#bring(theirs, branch);
      const merged = await this.#mergedTree(theirs);
      if (typeof merged !== "string") return { isMerged: false, branch, ...merged };
      if (merged !== mine) {
        await this.#git(["read-tree", "--reset", "-u", merged]);
        await this.#keep(merged, [this.#last, theirs], `merge ${agentId}`);
      }
      return { isMerged: true, state: this.#state };
    });
  }

  async finish(): Promise<void> {
    if (this.#arrival) await this.checkpoint("the run is over");
    removeTree(this.path);
    removeTree(this.#parts.stateFolder);
  }

  async #arrive(): Promise<void> {
    const { stateFolder, setUp } = this.#parts;
    const { base, commit } = this.#state;
    await this.#bring(commit, this.branch);
    await this.#bring(base, this.branch);
    // Without its index nobody knows what a folder holds.
    const isThere = existsSync(this.#index) && existsSync(join(this.path, ".git", "HEAD"));
    if (!isThere) {
      removeTree(this.path);
      rmSync(this.#index, { force: true });
      makePrivateDir(stateFolder);
      makePrivateDir(this.path);
    }
    rmSync(`${this.#index}.lock`, { force: true });
    await this.#git(["read-tree", "--reset", "-u", commit]);
    await this.#git(["clean", "-ffdq"]);
    if (isThere) return;
    await setUp(this.path, base);
    await makeAgentRepository(this.#parts.mirror, this.path, base);
  }

  /** The commit is on this machine afterwards. */
  async #bring(commit: string, branch: string): Promise<void> {
    const { mirror, owner } = this.#parts;
    if (await mirror.has(commit)) return;
    // A sub-agent begins at a commit of its parent: all branches of the session come along.
    await mirror.fetch(`${dirname(branchOf(owner))}/*`, "refs/heads/*");
    if (!(await mirror.has(commit)))
      throw new Error(`the commit ${commit} of ${branch} is not at ${mirror.remote}`);
  }

  async #treeNow(): Promise<string> {
    await this.#addAll();
    return this.#git(["write-tree"]);
  }

  /** Repositories inside of the folder are left out: git knows of no files in them. */
  async #addAll(): Promise<void> {
    const left = new Set<string>();
    for (;;) {
      const without = [...left].map((name) => `:(exclude,literal)${name}`);
      try {
        await this.#git(["add", "--all", "--ignore-errors", "--", ".", ...without]);
        return;
      } catch (error) {
        const name = error instanceof GitRefusal && embedded.exec(error.stderr)?.[1];
        if (!name || left.has(name)) {
          if (!(error instanceof GitRefusal) || !/^error: /m.test(error.stderr)) throw error;
          this.#parts.onTrouble(`some files of ${this.path} are in no commit: ${error.message}`);
          return;
        }
        left.add(name);
        this.#parts.onTrouble(
          `${join(this.path, name)} is a repository of its own: it stays on this machine`,
        );
      }
    }
  }

  async #keep(tree: string, parents: readonly string[], why: string): Promise<void> {
    const { startedAt, attempt } = this.#parts.order;
    const message = `${why.replace(/\s+/g, " ").slice(0, 200)}\n\nRetinue-Order: ${startedAt} ${attempt}\n`;
    const commit = await this.#git([
      "commit-tree",
      tree,
      ...parents.flatMap((parent) => ["-p", parent]),
      "-m",
      message,
    ]);
    await this.#push(commit);
    this.#last = commit;
    this.#lastTree = { commit, tree };
    this.#state = { base: this.#state.base, commit };
  }

  /** Waits a while for a remote that is not there: the call has been made, and its files count. */
  async #push(commit: string): Promise<void> {
    const until = performance.now() + limits.workspace.remoteWaitMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#pushLeased(commit);
      } catch (error) {
        if (!(error instanceof GitRefusal) || performance.now() > until) throw error;
        if (tries === 1)
          this.#parts.onTrouble(`the workspace waits for its remote: ${error.message}`);
        await sleep(Math.min(5_000, 100 * 2 ** tries) * (0.5 + Math.random() / 2));
      }
    }
  }

  /** With the lease of what this machine wrote last: whoever wrote since then is looked at. */
  async #pushLeased(commit: string): Promise<void> {
    const { mirror } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      try {
        const lease = `--force-with-lease=${this.branch}:${this.#pushed}`;
        const target = `${commit}:${this.branch}`;
        await mirror.git(["push", "--quiet", "--no-verify", lease, mirror.remote, target], {
          isTransfer: true,
        });
        this.#pushed = commit;
        return;
      } catch (error) {
        const isRefused = error instanceof GitRefusal && /stale info|rejected/.test(error.stderr);
        if (!isRefused || tries >= limits.workspace.pushes) throw error;
        this.#pushed = await this.#whatIsThere();
      }
    }
  }

  /** The commit at the remote, if its writer comes before this machine; TreeOvertaken otherwise. */
  async #whatIsThere(): Promise<string> {
    const { mirror, order } = this.#parts;
    const there = await mirror.remoteCommit(this.branch);
    if (there === undefined) return "";
    if (!(await mirror.has(there))) await mirror.fetch(this.branch);
    const told = orderPattern.exec(await mirror.git(["cat-file", "commit", there]));
    const startedAt = Number(told?.[1] ?? 0);
    const isLater =
      startedAt > order.startedAt ||
      (startedAt === order.startedAt && Number(told?.[2] ?? 0) > order.attempt);
    if (isLater) throw new TreeOvertaken(this.branch);
    return there;
  }

  async #mergedTree(theirs: string): Promise<string | { conflicts: string[] }> {
    try {
      return await this.#parts.mirror.git(["merge-tree", "--write-tree", this.#last, theirs]);
    } catch (error) {
      if (!(error instanceof GitRefusal) || error.code !== 1) throw error;
      const [, names = ""] = /^[0-9a-f]+\n([^]*?)(?:\n\n|$)/.exec(error.stdout) ?? [];
      const conflicts = names.split("\n").map((line) => line.slice(line.indexOf("\t") + 1));
      return { conflicts: [...new Set(conflicts.filter((name) => name !== ""))] };
    }
  }

  async #treeOf(commit: string): Promise<string> {
    if (this.#lastTree?.commit !== commit) {
      const tree = await this.#parts.mirror.git(["rev-parse", "--verify", `${commit}^{tree}`]);
      this.#lastTree = { commit, tree };
    }
    return this.#lastTree.tree;
  }

  #git(args: readonly string[]): Promise<string> {
    return this.#parts.mirror.git(args, { tree: { path: this.path, index: this.#index } });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

const embedded = /^error: '(.+?)\/?' does not have a commit checked out$/m;

/** It comes from a journal or a spec: what is no commit never becomes an argument of git. */
function checkedState(state: TreeState): TreeState {
  if (!isCommit(state.base) || !isCommit(state.commit))
    throw new Error("the state of a workspace names two commits, and this one does not");
  return state;
}
