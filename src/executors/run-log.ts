// The one writer of a run: stamps every event, stores facts before anyone hears of them, and shields the run from its listeners.
import type { Listener, RecordedFact, RunEvent } from "../events/event.ts";
import type { RunLog, RunStore } from "./catalog.ts";

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
      // Stamped in place: a fact is made for this one call, and copying it was the largest cost of a turn.
      const recorded = fact as RecordedFact;
      recorded.agentId = agentId;
      recorded.runId = runId;
      recorded.seq = seq + 1;
      recorded.time = watch.now();
      store.append(recorded);
      seq += 1;
      tell(recorded);
    },
    signal(signal) {
      if (watch.onEvent) tell({ ...signal, agentId, runId, seq, time: watch.now() });
    },
  };
}
