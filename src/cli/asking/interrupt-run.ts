// While a question is open, Ctrl+C does not reach the run: this passes it on.
import { once } from "node:events";

const longestWaitMs = 1000;

/** Returns when the run has stopped, so that the model is not asked again in between. */
export async function interruptRun(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const heard = once(signal, "abort", { signal: AbortSignal.timeout(longestWaitMs) }).catch(
    () => undefined,
  );
  process.kill(process.pid, "SIGINT");
  await heard;
}
