// The folder of one run, kept by commits: after a call that changed something its files are a commit
// under the run's own name at the remote, and any other machine makes the same files from it.
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorText } from "../../base/errors.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import type { TreeState } from "../../events/run-spec.ts";
import { removeTree } from "../../process/remove-tree.ts";
import { GitRefusal } from "./mirror-git.ts";
import {
  headIn,
  headLine,
  readAgentHead,
  settleAgentRepository,
  takeAgentCommits,
  type AgentHead,
} from "./agent-repository.ts";
import { LeasedBranch, orderLine } from "./leased-branch.ts";
import { isCommit, type Mirror } from "./mirror.ts";
import type { RunTree, TreeMerge, TreeOrder, TreeOwner } from "./workspaces.ts";

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

export class GitTree implements RunTree {
  readonly path: string;
  readonly branch: string;
  readonly #parts: GitTreeParts;
  readonly #index: string;
  readonly #remote: LeasedBranch;
  #state: TreeState;
  /** The commit on which the next one stands. */
  #last: string;
  /** The files of that commit, once they were asked for. */
  #lastTree: { commit: string; tree: string } | undefined;
  /** Where the agent's own repository stands by that commit. */
  #head: AgentHead;
  #arrival: Promise<void> | undefined;
  /** Something was kept from here: the past is over. */
  #isUsed = false;
  /** Calls of one reply may end side by side; commits come one after another. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: GitTreeParts, state: TreeState) {
    this.#parts = parts;
    this.path = parts.path;
    this.branch = branchOf(parts.owner);
    this.#index = join(parts.stateFolder, "index");
    this.#state = checkedState(state);
    this.#last = state.commit;
    this.#head = { commit: state.base };
    const { mirror, order, onTrouble } = parts;
    this.#remote = new LeasedBranch({ mirror, branch: this.branch, order, onTrouble });
  }

  get state(): TreeState {
    return this.#state;
  }

  note(state: TreeState): void {
    // What was kept before is behind what is here.
    if (this.#isUsed) return;
    if (state.commit !== this.#state.commit) this.#arrival = undefined;
    this.#state = checkedState(state);
    this.#last = state.commit;
    this.#remote.believed = state.commit;
  }

  arrive(): Promise<void> {
    return (this.#arrival ??= this.#arrive().catch((error: unknown) => {
      this.#arrival = undefined;
      throw error;
    }));
  }

  checkpoint(why: string): Promise<TreeState> {
    return this.#inTurn(async () => {
      await this.#begin();
      await this.#keepNow(why);
      return this.#state;
    });
  }

  settle(): Promise<TreeState> {
    return this.#inTurn(async () => {
      await this.#begin();
      const tree = await this.#keepNow("the run is over");
      const there = await this.#parts.mirror.remoteCommit(this.branch);
      // A commit of its own: one of the earlier attempt's would not keep that attempt out.
      if (there !== undefined && there !== this.#last)
        await this.#keep(tree, [this.#last], "the run goes on from here");
      return this.#state;
    });
  }

  merge({ agentId, state }: { agentId: string; state: TreeState }): Promise<TreeMerge> {
    const branch = branchOf({ ...this.#parts.owner, agentId });
    return this.#inTurn(async () => {
      await this.#begin();
      const mine = await this.#keepNow(`before merging ${agentId}`);
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
    if (this.#arrival) await this.settle();
    removeTree(this.path);
    removeTree(this.#parts.stateFolder);
  }

  async #begin(): Promise<void> {
    await this.arrive();
    this.#isUsed = true;
  }

  async #arrive(): Promise<void> {
    const { mirror, stateFolder, setUp } = this.#parts;
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
    if (!isThere) await setUp(this.path, base);
    const told = headIn(await mirror.git(["cat-file", "commit", commit]), base);
    // Where the session began, the line is anybody's.
    this.#head = (await mirror.has(told.commit)) ? told : { commit: base };
    await settleAgentRepository(mirror, this.path, this.#head);
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

  /** Keeps files and commits of the agent where either is new; returns the files' tree. */
  async #keepNow(why: string): Promise<string> {
    await this.#addAll();
    const tree = await this.#git(["write-tree"]);
    const head = await this.#headNow();
    const isNewHead = headLine(head) !== headLine(this.#head);
    this.#head = head;
    if (isNewHead || tree !== (await this.#treeOf(this.#last)))
      await this.#keep(tree, isNewHead ? [this.#last, head.commit] : [this.#last], why);
    return tree;
  }

  /** What cannot be read, or is not whole, stays with the agent: its files are kept all the same. */
  async #headNow(): Promise<AgentHead> {
    const { mirror, stateFolder, onTrouble } = this.#parts;
    const { base } = this.#state;
    const head = readAgentHead(this.path);
    if (!head || headLine(head) === headLine(this.#head)) return this.#head;
    try {
      const { commit } = head;
      await takeAgentCommits(mirror, { path: this.path, scratch: stateFolder }, { commit, base });
      return head;
    } catch (error) {
      onTrouble(`commits in ${this.path} stay on this machine: ${errorText(error)}`);
      return this.#head;
    }
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
    const title = why.replace(/\s+/g, " ").slice(0, 200);
    const told = [orderLine(this.#parts.order), headLine(this.#head), baseLine(this.#state.base)];
    const message = `${title}\n\n${told.join("\n")}\n`;
    const commit = await this.#git([
      "commit-tree",
      tree,
      ...parents.flatMap((parent) => ["-p", parent]),
      "-m",
      message,
    ]);
    await this.#remote.push(commit);
    this.#last = commit;
    this.#lastTree = { commit, tree };
    this.#state = { base: this.#state.base, commit };
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

const basePattern = /^Retinue-Base: ([0-9a-f]{40,64})$/m;
const baseLine = (base: string): string => `Retinue-Base: ${base}`;

/** The state that the run's branch has at the remote; undefined where it has none. */
export async function stateOfBranch(
  mirror: Mirror,
  owner: TreeOwner,
): Promise<TreeState | undefined> {
  const branch = branchOf(owner);
  const commit = await mirror.remoteCommit(branch);
  if (commit === undefined) return undefined;
  if (!(await mirror.has(commit))) await mirror.fetch(branch);
  const base = basePattern.exec(await mirror.git(["cat-file", "commit", commit]))?.[1];
  return isCommit(base) ? { base, commit } : undefined;
}

const embedded = /^error: '(.+?)\/?' does not have a commit checked out$/m;

/** It comes from a journal or a spec: what is no commit never becomes an argument of git. */
function checkedState(state: TreeState): TreeState {
  if (!isCommit(state.base) || !isCommit(state.commit))
    throw new Error("the state of a workspace names two commits, and this one does not");
  return state;
}
