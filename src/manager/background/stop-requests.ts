// Stopping a run from another process: a file named after the run appears in a folder that every process with runs watches.
import { readdirSync, unlinkSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAgentId, newUuid } from "../../base/ids.ts";
import { fileMode, makePrivateDir } from "../../transcripts/paths.ts";

const pollMs = 250;

export const stopFolder = (configDir: string): string => join(configDir, "retinue", "stop");

/** Asks whoever runs the agent to stop it; returns what takes the request back. Each request is a file of its own, so an old one stops nothing. */
export function requestStop(folder: string, agentId: string): () => void {
  makePrivateDir(folder);
  const path = join(folder, `${agentId}.${newUuid()}`);
  writeFileSync(path, "", { flag: "wx", mode: fileMode });
  return () => {
    try {
      unlinkSync(path);
    } catch {
      // Gone already.
    }
  };
}

/** Calls `onStop` for every request made from now on, whoever it is for; returns what ends the watching. Keeps no process alive. */
export function watchStopRequests(folder: string, onStop: (agentId: string) => void): () => void {
  makePrivateDir(folder);
  let known = new Set(readdirSync(folder));
  const look = (): void => {
    const names = namesIn(folder);
    const fresh = names.filter((name) => !known.has(name));
    known = new Set(names);
    for (const name of fresh) {
      const agentId = name.split(".")[0];
      if (isAgentId(agentId)) onStop(agentId);
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
