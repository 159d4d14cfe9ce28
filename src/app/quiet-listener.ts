// Wraps a listener of the caller: if it throws or rejects, the run does not change, and one warning
// is printed.
import { errorText } from "../base/errors.ts";
import type { Listener } from "../events/event.ts";

export function quietListener(listener: (event: Parameters<Listener>[0]) => unknown): Listener {
  let isTold = false;
  const tell = (error: unknown): void => {
    if (!isTold)
      process.emitWarning(
        `onEvent failed, and the run goes on: ${errorText(error)}`,
        "RetinueWarning",
      );
    isTold = true;
  };
  return (event) => {
    try {
      const returned = listener(event);
      if (returned instanceof Promise) returned.catch(tell);
    } catch (error) {
      tell(error);
    }
  };
}
