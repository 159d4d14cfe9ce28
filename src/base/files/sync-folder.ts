// Makes the names in a folder durable, what was created, renamed or removed there, without holding
// up the process.
import { open } from "node:fs/promises";

type Sync = {
  running: Promise<void>;
  /** Begins when the running one ends, for all who came meanwhile. */ next?: Promise<void>;
};

const syncs = new Map<string, Sync>();

/**
 * What was done before the call is durable when it resolves. Many at once share one sync that
 * begins after them all.
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
