// Watching is not deciding: a listener of the program that throws, or whose promise is rejected,
// changes nothing, and is told of once.
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
