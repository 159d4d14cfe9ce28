// Sending a run that is shown in another terminal to the background: a file named after the run
// appears in a folder that every process with a run in the foreground watches.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { newUuid } from "../../base/ids.ts";
import { fileMode } from "../../transcripts/paths.ts";
import { watchNewFiles } from "./watch-new-files.ts";

const backgroundFolder = (configDir: string): string => join(configDir, "retinue", "background");

export type BackgroundRequest = {
  /** The process that shows the run has heard it. */ isTaken(): boolean;
  withdraw(): void;
};

export function requestBackground(configDir: string, agentId: string): BackgroundRequest {
  const folder = backgroundFolder(configDir);
  makePrivateDir(folder);
  const path = join(folder, `${agentId}.${newUuid()}`);
  writeFileSync(path, "", { flag: "wx", mode: fileMode });
  return { isTaken: () => !existsSync(path), withdraw: () => rmSync(path, { force: true }) };
}

/** `onRequest` says whether the agent is one of its own. Returns what ends the watching. */
export function watchBackgroundRequests(
  configDir: string,
  onRequest: (agentId: string) => boolean,
): () => void {
  return watchNewFiles(backgroundFolder(configDir), (path, agentId) => {
    if (onRequest(agentId)) rmSync(path, { force: true });
  });
}
