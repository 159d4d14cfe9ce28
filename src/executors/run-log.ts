// The one writer of a run: stamps every event, stores facts before anyone hears of them, and
// shields the run from its listeners. Messages that nobody hears may wait for the next fact.
import type { Listener, RecordedFact, RunEvent, Signal, Stamp } from "../events/event.ts";
import { isDetached } from "../loop/ports.ts";
import type { RunLog, RunStore } from "./catalog.ts";
import type { Watch } from "./executor.ts";

export function openRunLog(
  { agentId, runId }: { agentId: string; runId: string },
  store: RunStore,
  { watch, now }: { watch: Watch; now: () => number },
): RunLog {
  const { onEvent, signal } = watch;
  let seq = store.lastSeq;
  let followsMessage = false;
  return {
    record(fact) {
      // Another process may have gone on with the run already.
      if (isDetached(signal)) throw new Error("this process has let go of the run");
      // Stamped in place: a fact is made for this one call, and copying it was the largest cost of
      // a turn.
      const recorded = fact as RecordedFact;
      recorded.agentId = agentId;
      recorded.runId = runId;
      recorded.seq = seq + 1;
      recorded.time = now();
      // A message waits behind messages alone: before a call that changes something stands its
      // decision, and the result of such a call is written at once, as the decision was.
      const isMessage = fact.type === "message";
      // What was found about an answer stands between its message and the end of the run.
      const waits = isMessage || fact.type === "verification";
      store.append(recorded, waits && followsMessage && !isHeard(watch));
      followsMessage = isMessage;
      seq += 1;
      if (onEvent) tell(onEvent, recorded);
    },
    signal: onEvent
      ? (told) => {
          const event = told as Signal & Stamp;
          event.agentId = agentId;
          event.runId = runId;
          event.seq = seq;
          event.time = now();
          tell(onEvent, event);
        }
      : unheard,
  };
}

/** Whether somebody learns of a fact as soon as it is recorded. */
const isHeard = ({ onEvent, isHeard: asked }: Watch): boolean =>
  onEvent !== undefined && (asked === undefined || asked());

const unheard = (): void => undefined;

function tell(onEvent: Listener, event: RunEvent): void {
  try {
    onEvent(event);
  } catch {
    // Watching is not deciding: a listener that throws changes nothing.
  }
}
