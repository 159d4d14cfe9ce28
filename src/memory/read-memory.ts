// Reads the part of MEMORY.md that an agent is shown, and tells whether the agent itself wrote it
// last.
import { createHash } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newUuid } from "../base/ids.ts";
import { isObject } from "../base/data/json.ts";
import { limits } from "../base/limits.ts";
import { makePrivateDir } from "../base/files/make-private-dir.ts";
import { readTextFile } from "../base/files/read-text-file.ts";

export type MemoryText = {
  dir: string;
  /** The first 200 lines or 25 KB; empty if there is no file yet. */
  text: string;
  truncated: boolean;
  /**
   * `own`: unchanged since this agent wrote it. `changed`: something else has written it.
   * `unknown`: nothing is recorded about the writer.
   */
  origin: "own" | "changed" | "unknown" | "none";
  warning?: string;
};

/** `dir` comes from `openMemoryDir`. An unreadable file gives a warning and never ends a run. */
export function readMemory(dir: string, configDir: string): MemoryText {
  const path = join(dir, "MEMORY.md");
  const file = readTextFile(path, limits.memory.bytes, { cut: true, noLink: true });
  if (!file.ok)
    return {
      dir,
      text: "",
      truncated: false,
      origin: "none",
      ...(file.absent ? {} : { warning: `${path} is not used: ${file.reason}` }),
    };
  const sealed = readSeal(dir, configDir);
  const origin =
    sealed === undefined ? "unknown" : sealed === hashOf(file.text) ? "own" : "changed";
  const warning = `${path} was changed by something other than this agent; it is shown to the agent as unchecked`;
  const { text, truncated } = firstLines(file.text);
  return {
    dir,
    text,
    truncated: truncated || file.truncated,
    origin,
    ...(origin === "changed" ? { warning } : {}),
  };
}

/**
 * Records that the agent itself wrote MEMORY.md as it is now; to be called after each of its writes
 * in the folder.
 */
export function sealMemory(dir: string, configDir: string): void {
  const file = readTextFile(join(dir, "MEMORY.md"), limits.memory.bytes, {
    cut: true,
    noLink: true,
  });
  if (!file.ok) return;
  const path = sealPath(dir, configDir);
  const temporary = `${path}.${newUuid()}`;
  makePrivateDir(join(configDir, "retinue", "memory-seals"));
  writeFileSync(temporary, `${JSON.stringify({ version: 1, dir, hash: hashOf(file.text) })}\n`, {
    mode: 0o600,
    flag: "wx",
  });
  renameSync(temporary, path);
}

function readSeal(dir: string, configDir: string): string | undefined {
  const file = readTextFile(sealPath(dir, configDir), 64 * 1024, { noLink: true });
  if (!file.ok) return undefined;
  try {
    const seal: unknown = JSON.parse(file.text);
    return isObject(seal) &&
      seal["version"] === 1 &&
      seal["dir"] === dir &&
      typeof seal["hash"] === "string"
      ? seal["hash"]
      : undefined;
  } catch {
    return undefined;
  }
}

const sealPath = (dir: string, configDir: string): string =>
  join(configDir, "retinue", "memory-seals", `${hashOf(dir)}.json`);

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function firstLines(text: string): { text: string; truncated: boolean } {
  const lines = text.split("\n");
  const isOver = lines.length > limits.memory.lines + (text.endsWith("\n") ? 1 : 0);
  return isOver
    ? { text: lines.slice(0, limits.memory.lines).join("\n"), truncated: true }
    : { text, truncated: false };
}
