// Stopping a run from another process: a file named after the run appears in a folder that every
// process with runs watches.
import { existsSync, readdirSync, rmSync, watch, writeFileSync, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { isAgentId, newUuid } from "../../base/ids.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { fileMode } from "../../transcripts/paths.ts";

const pollMs = 250;

export const stopFolder = (configDir: string): string => join(configDir, "retinue", "stop");

export type StopRequest = { /** Somebody has seen to it. */ isTaken(): boolean; withdraw(): void };

/**
 * Asks whoever runs the agent to stop it. Each request is a file of its own, so an old one stops
 * nothing.
 */
export function requestStop(folder: string, agentId: string): StopRequest {
  makePrivateDir(folder);
  const path = join(folder, `${agentId}.${newUuid()}`);
  writeFileSync(path, "", { flag: "wx", mode: fileMode });
  return { isTaken: () => !existsSync(path), withdraw: () => rmSync(path, { force: true }) };
}

/**
 * Calls `onStop` for every request made from now on; it says whether the agent is one of its own.
 * Returns what ends the watching. Where the folder cannot be watched it is looked at now and then,
 * and where it cannot be made nobody can ask.
 */
export function watchStopRequests(
  folder: string,
  onStop: (agentId: string) => boolean,
): () => void {
  let known = new Set<string>();
  const look = (): void => {
    const names = namesIn(folder);
    const fresh = names.filter((name) => !known.has(name));
    known = new Set(names);
    for (const name of fresh) {
      const agentId = name.split(".")[0];
      if (isAgentId(agentId) && onStop(agentId)) rmSync(join(folder, name), { force: true });
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
