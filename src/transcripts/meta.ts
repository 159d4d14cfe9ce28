// agent-{id}.meta.json beside a sub-agent's transcript: what lists show without opening the
// transcript.
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { isObject } from "../base/data/json.ts";
import { fileMode } from "./paths.ts";
import { readHead } from "./reading/read-head.ts";

export type AgentMeta = {
  agentType: string;
  description: string;
  toolUseId?: string;
  spawnDepth: number;
  finished: boolean;
  [key: string]: unknown;
};

const largestMeta = 1024 * 1024;

/**
 * Its folder is that of the transcript. Not in one step and not made safe against power loss: the
 * transcript has everything in it too, and a torn file counts as none.
 */
export function writeMeta(path: string, meta: AgentMeta): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, fileMode);
  try {
    writeSync(fd, `${JSON.stringify(meta, null, 2)}\n`);
  } finally {
    closeSync(fd);
  }
}

/** The file's object, also if another program wrote it; undefined if it cannot be read. */
export function readMeta(path: string): Partial<AgentMeta> | undefined {
  const file = readHead(path, largestMeta);
  if (!file || file.size > largestMeta) return undefined;
  try {
    const value: unknown = JSON.parse(file.head.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
