// agent-{id}.meta.json beside a sub-agent's transcript: what lists show without opening the
// transcript.
import { dirname } from "node:path";
import { isObject } from "../base/data/json.ts";
import { writeFileAtomic } from "../base/files/write-file-atomic.ts";
import { makePrivateDir } from "../base/files/make-private-dir.ts";
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
 * Replaces the file in one step. It is made safe against power loss only on request: the transcript
 * has everything in it too.
 */
export function writeMeta(
  path: string,
  meta: AgentMeta,
  { durable = false }: { durable?: boolean } = {},
): void {
  makePrivateDir(dirname(path));
  writeFileAtomic(path, `${JSON.stringify(meta, null, 2)}\n`, { mode: fileMode, durable });
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
