// Folders that follow a run from machine to machine. Git checkpoints are one way; a container for
// each session can be another one behind the same port: whoever keeps these promises will do.
import type { TreeState } from "../../events/run-spec.ts";

/** Whose folder it is. Both ids are generated ones. */
export type TreeOwner = { sessionId: string; agentId: string };

/**
 * Which of two machines goes on, where both believe that they do: the later life, and of one life
 * the later attempt.
 */
export type TreeOrder = { startedAt: number; attempt: number };

export type TreeMerge =
  | { isMerged: true; state: TreeState }
  /** Nothing was changed. `branch` has the other side's work. */
  | { isMerged: false; conflicts: string[]; branch: string };

/** One run's folder on this machine. */
export type RunTree = {
  /** The same on all machines. */
  readonly path: string;
  /** Has the run's work, for people and for other programs. */
  readonly branch: string;
  /** The newest state that is known. */
  readonly state: TreeState;
  /**
   * A state that a kept step names. Nothing is done yet: a replay names many of them. Once something
   * was kept from here, it changes nothing any more.
   */
  note(state: TreeState): void;
  /** The files become exactly the newest state. While that is the same, it costs nothing again. */
  arrive(): Promise<void>;
  /**
   * Keeps what is new in the folder where every machine finds it. Rejects with TreeOvertaken where
   * another machine goes on with the run.
   */
  checkpoint(why: string): Promise<TreeState>;
  /**
   * A checkpoint after which the branch has exactly these files, also where a machine that others
   * took for dead has written to it.
   */
  settle(): Promise<TreeState>;
  /** Brings the work of another run of this session into this folder, as one step. */
  merge(other: { agentId: string; state: TreeState }): Promise<TreeMerge>;
  /** The run is over: the last state is kept elsewhere, and the folder here is removed. */
  finish(): Promise<void>;
};

export type Workspaces = {
  /** Where a new session begins: the branch, tag or commit, by default what the remote's HEAD is. */
  begin(ref?: string): Promise<TreeState>;
  /** Where an earlier life of the agent left its folder; undefined where it kept nothing. */
  last(owner: TreeOwner): Promise<TreeState | undefined>;
  /** Where the folder of a run is, whether it is there or not. */
  pathOf(owner: TreeOwner): string;
  tree(owner: TreeOwner, state: TreeState, order: TreeOrder): RunTree;
};

/** Another machine goes on with the run: what this one does no longer counts. */
export class TreeOvertaken extends Error {
  constructor(branch: string) {
    super(`another machine goes on with this run: it has written to ${branch}`);
    this.name = "TreeOvertaken";
  }
}
