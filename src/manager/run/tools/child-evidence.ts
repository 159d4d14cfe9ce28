// What a run was shown of which files, as its transcript proves it: the orchestrator above it does
// not read that again.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { realPath } from "../../../base/files/project-folders.ts";
import { isObject } from "../../../base/data/json.ts";
import { limits } from "../../../base/limits.ts";
import { iterateLines } from "../../../transcripts/reading/iterate-lines.ts";
import { spillDirOf } from "../../../transcripts/paths.ts";
import { restoreSpilled } from "../../../transcripts/spill.ts";
import { callReader, type ToolCall } from "../../../verify/evidence/tool-calls.ts";

export type SeenFile = { ranges: [number, number][]; totalLines: number };

export type ChildEvidence = {
  agentId: string;
  agentType: string;
  /** When the run ended; a file that changed later is not covered. */ atMs: number;
  files: ReadonlyMap<string, SeenFile>;
  /** Real paths of its first key references. */ keys: ReadonlySet<string>;
};

/**
 * A sub-agent that has ended; of its report as the verifier parsed it only what is needed here,
 * since it is kept until it is read.
 */
export type EndedChild = {
  agentId: string;
  agentType: string;
  transcript: string;
  report: unknown;
};

const wholeFile = Number.MAX_SAFE_INTEGER;

/** A transcript that cannot be read proves nothing. */
export async function readEvidence(
  { agentId, agentType, transcript, report }: EndedChild,
  cwd: string,
): Promise<ChildEvidence> {
  const files = new Map<string, SeenFile>();
  let atMs = 0;
  try {
    for await (const call of callsOf(transcript)) addCall(call, files);
    atMs = statSync(transcript).mtimeMs;
  } catch {
    files.clear();
  }
  return {
    agentId,
    agentType,
    atMs,
    files,
    keys: new Set(keyFiles(report).map((path) => realPath(resolve(cwd, path)))),
  };
}

/** Finished calls of a transcript, in order. */
export async function* callsOf(transcript: string): AsyncGenerator<ToolCall> {
  const calls = callReader();
  const allowance = { bytes: limits.transcript.spillBytes };
  for await (const { value } of iterateLines(transcript)) {
    if (!value) continue;
    restoreSpilled(value, spillDirOf(transcript), allowance);
    yield* calls.take(value);
  }
}

function addCall({ tool, isError, facts }: ToolCall, files: Map<string, SeenFile>): void {
  const { path, lines, totalLines } = facts;
  if (isError || typeof path !== "string" || files.size >= limits.verify.ledgerEntries) return;
  const seen = files.get(path) ?? { ranges: [], totalLines: wholeFile };
  if (tool === "Write") files.set(path, { ranges: [[1, wholeFile]], totalLines: wholeFile });
  if (tool !== "Read" || typeof totalLines !== "number" || !isRange(lines)) return;
  files.set(path, { ranges: joined([...seen.ranges, [lines[0], lines[1]]]), totalLines });
}

const isRange = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((number) => typeof number === "number");

/** Ranges in order; those that touch are one. */
export function joined(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/**
 * Files of the report's key references: the first few, as many as an orchestrator may look at
 * itself.
 */
function keyFiles(report: unknown): string[] {
  const rows =
    isObject(report) && Array.isArray(report["key_references"]) ? report["key_references"] : [];
  const paths = rows.flatMap((row) => {
    const location =
      isObject(row) && typeof row["location"] === "string" ? row["location"].slice(0, 1_000) : "";
    const words = location.match(/[^\s`*"'()[\]:#,]+/g) ?? [];
    return words.find((word) => /[./]/.test(word)) ?? words[0] ?? [];
  });
  return [...new Set(paths)].slice(0, limits.orchestrator.keyReferences);
}
