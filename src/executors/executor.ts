// The seam between deciding that something runs and running it: in this process, or on another
// machine. A run is addressed by its spec; whoever holds it in this process is reached by its watch.
import type { Listener } from "../events/event.ts";
import type { RunOutcome } from "../events/outcome.ts";
import type { RunSpec } from "../events/run-spec.ts";
import type { LeftRun } from "./file-journal.ts";

/** A run as this process holds it: where a stop and a message for it arrive. */
export type HeldRun = {
  abort(): void;
  /** For its next turn. */
  receive(message: string): void;
  /** Messages that it has not read yet. */
  takeMessages(): string[];
};

export type Watch = {
  signal: AbortSignal;
  onEvent?: Listener;
  /**
   * Whether an event reaches anybody beyond the process's own count of the run: a listener, an output
   * file, a hook. Without it every event counts as heard.
   */
  isHeard?: () => boolean;
  /** How long the run has waited for people: it gets this time back. */
  askedMs?: () => number;
  /** Without it nothing but the signal reaches the run. */
  held?: HeldRun;
};

/** One life of an agent. */
export type RunAddress = Pick<RunSpec, "agentId" | "runId">;

/** Runs specs: `execute` starts a life, the others reach one that was started. */
export type Executor = {
  /** Agents run on other machines: what they need is made there. */
  readonly isElsewhere?: true;
  /** Runs the spec to its end. Never rejects: what goes wrong is in the outcome. */
  execute(spec: RunSpec, watch: Watch): Promise<RunOutcome>;
  /**
   * The life of an agent that has no end and that no process of this machine holds, where this
   * executor can go on with it. Undefined: a resume is a new life.
   */
  status(agent: Pick<RunSpec, "agentId" | "isMain">): LeftRun | undefined;
  /** Goes on with the life that `status` told of, to its end. Never rejects. */
  attach(spec: RunSpec, watch: Watch): Promise<RunOutcome>;
  /** Tells a run to end. False: this executor runs no such life. */
  stop(run: RunAddress): boolean;
  /** A message for the run's next turn. False: this executor runs no such life. */
  send(run: RunAddress, message: string): boolean;
};
