// What a run keeps of its steps while it is driven. A local run keeps nothing: if its process dies,
// a resume is a new life. `durable` keeps every step.
import type { LoopPorts, RunStep } from "../loop/ports.ts";
import { unkept } from "../loop/whole-gate.ts";
import type { RunHooks, RunLog, RunStore } from "./catalog.ts";

export type Keeping = {
  step: RunStep;
  /** The time that facts bear. */
  now(): number;
  /** What earlier lives left is read by the first process; no fact is written twice. */
  open(store: RunStore): RunStore | Promise<RunStore>;
  /** The log for hooks and gate: what they record belongs to the step that they are part of. */
  log(log: RunLog): RunLog;
  /** Called once, when the hooks are there and before anything else is done. */
  begin(hooks: RunHooks | undefined): void;
  /** The signal by which the run is told to end. */
  signal(outer: AbortSignal): AbortSignal;
  ports(ports: LoopPorts): LoopPorts;
  close(how: "over" | "goes on"): void | Promise<void>;
};

const nothing = (): undefined => undefined;
const same = <T>(given: T): T => given;

export const keepNothing: Keeping = {
  step: unkept,
  now: Date.now,
  open: same,
  log: same,
  begin: nothing,
  signal: same,
  ports: same,
  close: nothing,
};
