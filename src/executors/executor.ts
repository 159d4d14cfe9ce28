// The seam between deciding that something runs and running it: here, or later on another machine.
import type { Listener } from "../events/event.ts";
import type { RunOutcome } from "../events/outcome.ts";
import type { RunSpec } from "../events/run-spec.ts";

export type Watch = {
  signal: AbortSignal;
  onEvent?: Listener;
  /** How long the run has waited for people: it gets this time back. */
  askedMs?: () => number;
};

/** Runs one spec and returns its outcome. */
export type Executor = {
  /** Runs the spec to its end. Never rejects: what goes wrong is in the outcome. */
  execute(spec: RunSpec, watch: Watch): Promise<RunOutcome>;
};
