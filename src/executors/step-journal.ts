// A journal of a run's steps: what was done once is never done again, whichever process goes on.
import type { JsonObject } from "../base/data/json.ts";
import type { Fact } from "../events/event.ts";
import type { TreeState } from "../events/run-spec.ts";

/** A step as it is kept. All of it is plain data. */
export type KeptStep<T = unknown> = {
  value: T;
  /** When it was done (epoch milliseconds): facts that follow from it bear this time. */
  at: number;
  /** The process that did it. */
  attempt: string;
  /** The facts that belong to it, recorded once it is kept. */
  facts?: Fact[];
  /** What the hooks have in mind after it. */
  memory?: { count: number; kept: JsonObject };
  /** The run was told to end while it was done: the abort's reason. */
  aborted?: string;
  /** The run's folder after it, where the folder follows the run from machine to machine. */
  tree?: TreeState;
  /** Secrets were taken out of it: calls that stand in it cannot be made from it. */
  isMasked?: true;
};

/** Does the work the first time a key is seen and keeps the step; afterwards returns what was kept. */
export type Once = <T>(key: string, work: () => Promise<KeptStep<T>>) => Promise<KeptStep<T>>;

/** Where the steps of one run are kept: a file, or a database of your own. */
export type StepJournal = {
  /** Names this try at the run: no two processes have the same. */
  readonly attempt: string;
  readonly once: Once;
  /** `over`: the run has its end on record, and nobody goes on with it. */
  close(how: "over" | "goes on"): void | Promise<void>;
  /**
   * It is so long that the run goes on in a new one from its next turn on. By what is kept alone:
   * whoever replays it comes to the same answer at the same turn.
   */
  isFull?(): boolean;
};
