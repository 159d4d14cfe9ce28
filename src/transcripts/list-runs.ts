// The runs that stand on disk, found by names, first lines and last lines; no transcript is read whole.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAgentId, isUuid } from "../base/ids.ts";
import { isObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { RunOutcome, RunState, StateReason } from "../events/outcome.ts";
import { lockHolder, type LockHolder } from "./lock.ts";
import { readMeta, type AgentMeta } from "./meta.ts";
import { parseLine } from "./parse-line.ts";
import { sessionPaths, spillDirOf } from "./paths.ts";
import { readHead } from "./read-head.ts";
import { readTail } from "./read-tail.ts";
import { restoreSpilled } from "./spill.ts";

export type RunOnDisk = {
  agentId: string;
  sessionId: string;
  isMain: boolean;
  transcript: string;
  header: Record<string, unknown>;
  meta: Partial<AgentMeta> | undefined;
  /** `failed` with the reason `lost` when nothing lives that could still end it. */
  state: "running" | RunState;
  reason?: StateReason;
  outcome?: RunOutcome;
  holder: LockHolder | undefined;
  changedAtMs: number;
};

export type RunQuery = { project?: string; sessionId?: string; agentId?: string };

const firstBytes = 64 * 1024;

/** Every run that Retinue wrote below `projects` (one folder a project), narrowed by the query, newest first. */
export function listRuns(projects: string, query: RunQuery = {}): RunOnDisk[] {
  const runs: RunOnDisk[] = [];
  for (const project of query.project ? [query.project] : foldersIn(projects)) {
    for (const sessionId of sessionsIn(join(projects, project), query.sessionId)) {
      for (const transcript of transcriptsOf(join(projects, project), sessionId, query.agentId)) {
        const run = describe(transcript.path, { sessionId, isMain: transcript.isMain });
        if (run && (!query.agentId || run.agentId === query.agentId)) runs.push(run);
      }
    }
  }
  return runs.sort((a, b) => b.changedAtMs - a.changedAtMs);
}

/** The first line of a file when Retinue wrote it, else undefined. */
export function readHeader(path: string): Record<string, unknown> | undefined {
  const { head } = readHead(path, firstBytes) ?? { head: Buffer.alloc(0) };
  const end = head.indexOf(0x0a);
  const line = end < 0 ? undefined : parseLine(head.toString("utf8", 0, end));
  return line?.["type"] === "system" && line["subtype"] === "retinue_session" ? line : undefined;
}

/** The sessions of a project, by file or folder; symbolic links are none. */
export function sessionsIn(project: string, only?: string): string[] {
  const found = new Set<string>();
  for (const entry of entriesOf(project)) {
    const id = entry.isFile() ? entry.name.replace(/\.jsonl$/, "") : entry.name;
    if ((entry.isFile() ? entry.name.endsWith(".jsonl") : entry.isDirectory()) && isUuid(id) && (!only || id === only)) found.add(id);
  }
  return [...found];
}

/** The transcripts of a session: the main thread's where it exists, then the sub-agents'. */
export function transcriptsOf(project: string, sessionId: string, agentId?: string): { path: string; isMain: boolean }[] {
  const paths = sessionPaths(project, sessionId);
  const names = entriesOf(join(paths.dir, "subagents")).filter((entry) => entry.isFile()).map((entry) => /^agent-(.*)\.jsonl$/.exec(entry.name)?.[1]);
  const agents = names.filter((id): id is string => isAgentId(id) && (!agentId || id === agentId)).map((id) => ({ path: paths.agent(id), isMain: false }));
  const main = entriesOf(project).some((entry) => entry.isFile() && entry.name === `${sessionId}.jsonl`);
  return main ? [{ path: paths.main, isMain: true }, ...agents] : agents;
}

export const foldersIn = (path: string): string[] => entriesOf(path).filter((entry) => entry.isDirectory()).map((entry) => entry.name);

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function describe(transcript: string, known: { sessionId: string; isMain: boolean }): RunOnDisk | undefined {
  const header = readHeader(transcript);
  if (!header || !isAgentId(header["agentId"])) return undefined;
  const holder = lockHolder(transcript);
  const ending = lastRunLine(transcript);
  // The outcome as it was told, also where its answer was too long for a line.
  if (ending?.["spill"]) restoreSpilled(ending, spillDirOf(transcript), { bytes: limits.transcript.spillBytes });
  const outcome = ending?.["subtype"] === "run_end" && isObject(ending["outcome"]) ? (ending["outcome"] as unknown as RunOutcome) : undefined;
  return {
    agentId: header["agentId"],
    ...known,
    transcript,
    header,
    meta: known.isMain ? undefined : readMeta(transcript.replace(/\.jsonl$/, ".meta.json")),
    ...stateOf(outcome, holder),
    holder,
    changedAtMs: statSync(transcript).mtimeMs,
  };
}

function stateOf(outcome: RunOutcome | undefined, holder: LockHolder | undefined): Pick<RunOnDisk, "state" | "reason" | "outcome"> {
  if (outcome) return { state: outcome.state, ...(outcome.reason ? { reason: outcome.reason } : {}), outcome };
  return holder ? { state: "running" } : { state: "failed", reason: "lost" };
}

/** The newest line that says how a run stands; a short look first, since most runs have ended. */
function lastRunLine(transcript: string): Record<string, unknown> | undefined {
  for (const bytes of [16 * 1024, undefined]) {
    const found = readTail(transcript, bytes).findLast((line) => line["type"] === "system" && (line["subtype"] === "run_end" || line["subtype"] === "spawn"));
    if (found) return found;
  }
  return undefined;
}
