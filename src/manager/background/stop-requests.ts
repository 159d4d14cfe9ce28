// Stopping a run from another process: a file named after the run appears in a folder that every process with runs watches.
import { existsSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAgentId, newUuid } from "../../base/ids.ts";
import { fileMode, makePrivateDir } from "../../transcripts/paths.ts";

const pollMs = 250;

export const stopFolder = (configDir: string): string => join(configDir, "retinue", "stop");

export type StopRequest = { /** Somebody has seen to it. */ isTaken(): boolean; withdraw(): void };

/** Asks whoever runs the agent to stop it. Each request is a file of its own, so an old one stops nothing. */
export function requestStop(folder: string, agentId: string): StopRequest {
  makePrivateDir(folder);
  const path = join(folder, `${agentId}.${newUuid()}`);
  writeFileSync(path, "", { flag: "wx", mode: fileMode });
  return { isTaken: () => !existsSync(path), withdraw: () => rmSync(path, { force: true }) };
}

/** Calls `onStop` for every request made from now on; it says whether the agent is one of its own. Returns what ends the watching. */
export function watchStopRequests(folder: string, onStop: (agentId: string) => boolean): () => void {
  makePrivateDir(folder);
  let known = new Set(readdirSync(folder));
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
  try {
    const watcher = watch(folder, { persistent: false }, look);
    watcher.on("error", poll);
    return () => {
      clearInterval(timer);
      watcher.close();
    };
  } catch {
    // No watches left on this machine, or none on this file system.
    poll();
    return () => clearInterval(timer);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
