// agent-{id}.meta.json beside a sub-agent's transcript: what listings show without opening the
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
 * Replaces the file in one step. It survives a power loss only where asked for: everything in it
 * also stands in the transcript.
 */
export function writeMeta(
  path: string,
  meta: AgentMeta,
  { durable = false }: { durable?: boolean } = {},
): void {
  makePrivateDir(dirname(path));
  writeFileAtomic(path, `${JSON.stringify(meta, null, 2)}\n`, { mode: fileMode, durable });
}

/**
 * The file's object, also one that another program wrote; undefined when there is none to be read.
 */
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
