// A message to an agent that runs in another process: a file in a folder that every process with
// runs watches. It is gone once somebody has taken it.
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { writeFileAtomic } from "../../base/files/write-file-atomic.ts";
import { newUuid } from "../../base/ids.ts";
import { fileMode } from "../../transcripts/paths.ts";
import { watchNewFiles } from "./watch-new-files.ts";

const mailFolder = (configDir: string): string => join(configDir, "retinue", "mail");

/** `withdraw` is true where nobody has taken it, and nobody will. */
export type LeftMessage = { isTaken(): boolean; withdraw(): boolean };

export function leaveMessage(configDir: string, agentId: string, text: string): LeftMessage {
  const folder = mailFolder(configDir);
  makePrivateDir(folder);
  const path = join(folder, `${agentId}.${newUuid()}`);
  // Under another name first: it appears with its whole text.
  const hidden = join(folder, `.${newUuid()}`);
  writeFileAtomic(hidden, text, { mode: fileMode });
  renameSync(hidden, path);
  return { isTaken: () => !existsSync(path), withdraw: () => taken(path) !== undefined };
}

/**
 * Delivers every message that is left from now on for a run of this process, which `runOf` finds.
 * Returns what ends the watching.
 */
export function watchMessages(
  configDir: string,
  runOf: (agentId: string) => { send(text: string): void } | undefined,
): () => void {
  return watchNewFiles(mailFolder(configDir), (path, agentId) => {
    const run = runOf(agentId);
    const text = run && taken(path);
    if (text !== undefined) run?.send(text);
  });
}

/** Of several that want a message one gets it: whoever can rename its file. */
function taken(path: string): string | undefined {
  const own = `${path}.taken`;
  try {
    renameSync(path, own);
    return readFileSync(own, "utf8");
  } catch {
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}
