// A watchdog that is started by the first process that needs one, so that a run without processes costs nothing.
import { startWatchdog, type Watchdog } from "./watchdog.ts";

export function lazyWatchdog(mark: string): Pick<Watchdog, "add" | "remove" | "close"> {
  let started: Watchdog | undefined;
  return {
    add(pgid) {
      started ??= startWatchdog(mark);
      started.add(pgid);
    },
    remove: (pgid) => started?.remove(pgid),
    close: () => started?.close(),
  };
}
