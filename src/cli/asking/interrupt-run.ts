// A question takes Ctrl+C from the terminal, where it would have stopped the run: this gives it
// back.
import { once } from "node:events";

const longestWaitMs = 1000;

/** Returns when the run has heard of it, so that nothing more is asked of the model in between. */
export async function interruptRun(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const heard = once(signal, "abort", { signal: AbortSignal.timeout(longestWaitMs) }).catch(
    () => undefined,
  );
  process.kill(process.pid, "SIGINT");
  await heard;
}
