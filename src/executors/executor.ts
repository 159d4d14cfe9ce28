// The seam between deciding that something runs and running it: here, or later on another machine.
import type { Listener } from "../events/event.ts";
import type { RunOutcome } from "../events/outcome.ts";
import type { RunSpec } from "../events/run-spec.ts";
import type { LeftRun } from "./file-journal.ts";

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
  /**
   * The life of an agent that ended with its process, where this executor can go on with it: a spec
   * with its `runId` does. Without it, or undefined: a resume is a new life.
   */
  left?(agent: Pick<RunSpec, "agentId" | "isMain">): LeftRun | undefined;
};
