// Makes the names in a folder durable, what was created, renamed or removed there, without holding up the process.
import { close, fsync, open } from "node:fs";

type Sync = { running: Promise<void>; /** Begins when the running one ends, for all who came meanwhile. */ next?: Promise<void> };

const syncs = new Map<string, Sync>();

/** What was done before the call is durable when it resolves. Many at once share one sync that begins after them all. */
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

function syncNow(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    open(path, "r", (failure, fd) => {
      if (failure) {
        reject(failure);
        return;
      }
      fsync(fd, (error) => {
        close(fd, (later) => {
          const cause = error ?? later;
          if (cause) reject(cause);
          else resolve();
        });
      });
    });
  });
}
