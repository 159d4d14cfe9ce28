// Stopping a run from another process: a file named after the run appears in a folder that every
// process with runs watches.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newUuid } from "../../base/ids.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { fileMode } from "../../transcripts/paths.ts";
import { watchNewFiles } from "./watch-new-files.ts";

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
 * Returns what ends the watching.
 */
export function watchStopRequests(
  folder: string,
  onStop: (agentId: string) => boolean,
): () => void {
  return watchNewFiles(folder, (path, agentId) => {
    if (onStop(agentId)) rmSync(path, { force: true });
  });
}
