// The one writer of a run: stamps every event, stores facts before anyone hears of them, and shields the run from its listeners.
import type { Fact, Listener, RunEvent, Signal } from "../events/event.ts";
import type { RunStore } from "./catalog.ts";

export type RunLog = { record: (fact: Fact) => void; signal: (signal: Signal) => void };

export function openRunLog(run: { agentId: string; runId: string }, store: RunStore, watch: { onEvent?: Listener; now: () => number }): RunLog {
  const { agentId, runId } = run;
  let seq = store.lastSeq;
  const tell = (event: RunEvent): void => {
    try {
      watch.onEvent?.(event);
    } catch {
      // Watching is not deciding: a listener that throws changes nothing.
    }
  };
  return {
    record(fact) {
      const recorded = { ...fact, agentId, runId, seq: seq + 1, time: watch.now() };
      store.append(recorded);
      seq += 1;
      tell(recorded);
    },
    signal(signal) {
      if (watch.onEvent) tell({ ...signal, agentId, runId, seq, time: watch.now() });
    },
  };
}
