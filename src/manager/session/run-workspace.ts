// The folders that runs work in: on this machine here; where runs are driven on other machines, a
// checkout that follows them.
import type { RunPlace } from "../../events/run-spec.ts";
import type { Snapshot } from "../../verify/evidence/snapshot.ts";

export type OpenPlace = {
  path: string;
  /** Removes it where nothing is new; returns its path where it was kept, with the reason. */
  finish(): Promise<{ kept: string; because: string } | undefined>;
};

export type RunWorkspace = {
  /** Makes a run's folder ready; undefined where it works in the session's own. */
  open(session: { root: string }, place: RunPlace): Promise<OpenPlace | undefined>;
  /** The tree as it is now; undefined where it cannot be read, and claims about it stay unproven. */
  look(place: RunPlace): Promise<Snapshot | undefined>;
};
