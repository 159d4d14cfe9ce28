// Makes new, renamed and removed names of a folder durable without blocking the process.
import { open } from "node:fs/promises";

type Sync = {
  running: Promise<void>;
  /** Starts when the running sync ends, for all callers that came in the meantime. */ next?: Promise<void>;
};

const syncs = new Map<string, Sync>();

/**
 * Resolves when everything done before the call is durable. Simultaneous callers share one sync
 * that starts after all of them.
 */
export function syncFolder(path: string): Promise<void> {
  const sync = syncs.get(path);
  if (!sync) return begin(path);
  const again = (): Promise<void> => begin(path);
  return (sync.next ??= sync.running.then(again, again));
}

function begin(path: string): Promise<void> {
  const sync: Sync = { running: syncNow(path) };
  syncs.set(path, sync);
  const end = (): void => {
    if (!sync.next) syncs.delete(path);
  };
  sync.running.then(end, end);
  return sync.running;
}

async function syncNow(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
