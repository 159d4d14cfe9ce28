// Watches a folder in which processes leave files for each other, each named after the agent that it
// is about.
import { readdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { isAgentId } from "../../base/ids.ts";

const pollMs = 250;

/**
 * Calls `onFile` for every `{agentId}.…` that appears from now on. Returns what ends the watching.
 * Where the folder cannot be watched it is looked at now and then, and where it cannot be made
 * nobody can leave anything.
 */
export function watchNewFiles(
  folder: string,
  onFile: (path: string, agentId: string) => void,
): () => void {
  let known = new Set<string>();
  const look = (): void => {
    const names = namesIn(folder);
    const fresh = names.filter((name) => !known.has(name));
    known = new Set(names);
    for (const name of fresh) {
      const agentId = name.split(".")[0];
      if (isAgentId(agentId)) onFile(join(folder, name), agentId);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const poll = (): void => void (timer ??= setInterval(look, pollMs).unref());
  let watcher: FSWatcher | undefined;
  try {
    makePrivateDir(folder);
    watcher = watch(folder, { persistent: false }, look);
    watcher.on("error", poll);
  } catch {
    poll();
  }
  known = new Set(namesIn(folder));
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
