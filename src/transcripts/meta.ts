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

/**
 * Files that viewers may wait for: written when nothing new has come for a second, ten seconds
 * after the first at the latest, and when the process ends. Until then, and after a crash, the
 * transcript's first line says the same.
 */
const waiting = new Map<string, AgentMeta>();
const quietMs = 1_000;
const longestMs = 10_000;
const atOnce = 32;
let timer: NodeJS.Timeout | undefined;
let changedAt = 0;
let firstAt = 0;
let isWatchingExit = false;

export function writeMetaLater(path: string, meta: AgentMeta): void {
  changedAt = performance.now();
  if (waiting.size === 0) firstAt = changedAt;
  waiting.set(path, meta);
  if (!isWatchingExit) process.once("exit", () => writeMetasNow());
  isWatchingExit = true;
  timer ??= setInterval(whenQuiet, quietMs).unref();
}

function whenQuiet(): void {
  const now = performance.now();
  if (now - changedAt < quietMs && now - firstAt < longestMs) return;
  writeSome(atOnce);
  if (waiting.size > 0) setImmediate(whenQuiet).unref();
}

/** All that are still waiting, or those whose path begins so. */
export function writeMetasNow(folder = ""): void {
  writeSome(waiting.size, folder);
}

function writeSome(most: number, folder = ""): void {
  let left = most;
  for (const [path, meta] of waiting) {
    if (left-- === 0) return;
    if (!path.startsWith(folder)) continue;
    waiting.delete(path);
    try {
      writeMeta(path, meta);
    } catch {
      // A label beside the transcript; the transcript itself says everything that counts.
    }
  }
  if (waiting.size > 0) return;
  clearInterval(timer);
  timer = undefined;
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
