// Lists the runs on disk by names, first lines and last lines; no transcript is read completely.
import { closeSync, constants, lstatSync, openSync, readdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { errorText } from "../../base/errors.ts";
import { isAgentId, isUuid } from "../../base/ids.ts";
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import type { RunOutcome, RunState, StateReason } from "../../events/outcome.ts";
import { readRunSpec } from "../../events/read-run-spec.ts";
import { formatVersion } from "../fact-line.ts";
import { lockHolder, lockPathOf, type LockHolder } from "../lock/lock.ts";
import { registeredRuns, type RegisteredRuns } from "../lock/run-register.ts";
import { readMeta, type AgentMeta } from "../meta.ts";
import { parseLine } from "./parse-line.ts";
import { sessionPaths, spillDirOf } from "../paths.ts";
import { readHead } from "./read-head.ts";
import { readSpawn, readSpawnLine } from "./read-spawn.ts";
import { readLast } from "./read-tail.ts";
import { restoreSpilled } from "../spill.ts";

export type RunOnDisk = {
  agentId: string;
  sessionId: string;
  isMain: boolean;
  transcript: string;
  header: Record<string, unknown>;
  meta: Partial<AgentMeta> | undefined;
  /** `failed` with the reason `lost` if no live process can end it any more. */
  state: "running" | RunState;
  reason?: StateReason;
  outcome?: RunOutcome;
  /** Its newest life. */ runId?: string;
  holder: LockHolder | undefined;
  changedAtMs: number;
};

export type RunQuery = {
  project?: string;
  sessionId?: string;
  agentId?: string;
  /**
   * Leaves out runs without a lock that have not changed since; names and times tell which, so no
   * file is opened.
   */
  liveOrSinceMs?: number;
};

const firstBytes = 64 * 1024;

/**
 * Every run that Retinue wrote below `projects` (one folder per project), filtered by the query,
 * newest first.
 */
export function listRuns(projects: string, query: RunQuery = {}): RunOnDisk[] {
  const runs: RunOnDisk[] = [];
  for (const project of query.project ? [query.project] : foldersIn(projects)) {
    for (const sessionId of sessionsIn(join(projects, project), query.sessionId)) {
      for (const run of runsOfSession(join(projects, project), sessionId, query))
        if (!query.agentId || run.agentId === query.agentId) runs.push(run);
    }
  }
  return runs.sort((a, b) => b.changedAtMs - a.changedAtMs);
}

function runsOfSession(project: string, sessionId: string, query: RunQuery): RunOnDisk[] {
  const registered = registeredRuns(join(sessionPaths(project, sessionId).dir, "subagents"));
  return transcriptsOf(project, sessionId, query.agentId).flatMap(({ path, isMain }) => {
    if (query.liveOrSinceMs !== undefined && isQuietSince(path, query.liveOrSinceMs, registered))
      return [];
    return describe(path, { sessionId, isMain, registered }) ?? [];
  });
}

/** The first line of a file that Retinue wrote, else undefined. */
export function readHeader(path: string): Record<string, unknown> | undefined {
  const { head } = readHead(path, firstBytes) ?? { head: Buffer.alloc(0) };
  const end = head.indexOf(0x0a);
  const line = end < 0 ? undefined : parseLine(head.toString("utf8", 0, end));
  return line?.["type"] === "system" && line["subtype"] === "retinue_session" ? line : undefined;
}

/** The sessions of a project, by file or folder; symbolic links do not count. */
export function sessionsIn(project: string, only?: string): string[] {
  if (only !== undefined) return isUuid(only) && hasSession(project, only) ? [only] : [];
  const found = new Set<string>();
  for (const entry of entriesOf(project)) {
    const id = entry.isFile() ? entry.name.replace(/\.jsonl$/, "") : entry.name;
    if ((entry.isFile() ? entry.name.endsWith(".jsonl") : entry.isDirectory()) && isUuid(id))
      found.add(id);
  }
  return [...found];
}

function hasSession(project: string, sessionId: string): boolean {
  const { main, dir } = sessionPaths(project, sessionId);
  return Boolean(factsOf(main)?.isFile() || factsOf(dir)?.isDirectory());
}

/**
 * The transcripts of a session: that of the main thread if it exists, then those of the sub-agents.
 */
export function transcriptsOf(
  project: string,
  sessionId: string,
  agentId?: string,
): { path: string; isMain: boolean }[] {
  const paths = sessionPaths(project, sessionId);
  const names = entriesOf(join(paths.dir, "subagents"))
    .filter((entry) => entry.isFile())
    .map((entry) => /^agent-(.*)\.jsonl$/.exec(entry.name)?.[1]);
  const agents = names
    .filter((id): id is string => isAgentId(id) && (!agentId || id === agentId))
    .map((id) => ({ path: paths.agent(id), isMain: false }));
  // Asks for the file itself: listing the project's folder for each session would take quadratic
  // time.
  return factsOf(paths.main)?.isFile() ? [{ path: paths.main, isMain: true }, ...agents] : agents;
}

export const foldersIn = (path: string): string[] =>
  entriesOf(path)
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Empty if the folder does not exist or must not be read. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isQuietSince(transcript: string, sinceMs: number, registered: RegisteredRuns): boolean {
  const facts = factsOf(transcript);
  if (facts === undefined || facts.mtimeMs >= sinceMs || factsOf(lockPathOf(transcript)))
    return false;
  const agentId = idInName(transcript);
  return agentId === undefined || !registered.holderOf(agentId);
}

/** What its place says, and the register of its session. */
type KnownRun = { sessionId: string; isMain: boolean; registered: RegisteredRuns };

/**
 * Undefined also for a run that is removed meanwhile: one run must not keep the others from being
 * listed.
 */
function describe(transcript: string, known: KnownRun): RunOnDisk | undefined {
  try {
    return readRun(transcript, known);
  } catch {
    return undefined;
  }
}

function readRun(transcript: string, { registered, ...known }: KnownRun): RunOnDisk | undefined {
  const header = readHeader(transcript) ?? headerFromSpawn(transcript);
  const agentId = known.isMain ? header?.["agentId"] : idInName(transcript);
  if (!header || !isAgentId(agentId)) return undefined;
  const holder = lockHolder(transcript, registered);
  const ending = lastRunLine(transcript);
  // The recorded outcome, also if its answer was too long for a line.
  if (ending?.["spill"])
    restoreSpilled(ending, spillDirOf(transcript), { bytes: limits.transcript.spillBytes });
  const outcome =
    ending?.["subtype"] === "run_end" && isObject(ending["outcome"])
      ? (ending["outcome"] as unknown as RunOutcome)
      : undefined;
  return {
    agentId,
    ...known,
    transcript,
    header,
    meta: known.isMain ? undefined : metaOf(transcript),
    ...stateOf(outcome, holder),
    ...(typeof ending?.["runId"] === "string" ? { runId: ending["runId"] } : {}),
    holder,
    changedAtMs: lstatSync(transcript).mtimeMs,
  };
}

/** The file is written when a run ends; before that its first line says the same. */
function metaOf(transcript: string): Partial<AgentMeta> | undefined {
  const written = readMeta(transcript.replace(/\.jsonl$/, ".meta.json"));
  if (written) return written;
  const { agentType, description = "", name, toolUseId, background } = readSpawn(transcript) ?? {};
  if (typeof agentType !== "string" || typeof description !== "string") return undefined;
  return {
    agentType,
    description,
    spawnDepth: 1,
    finished: false,
    // One that was moved to the background has an output file.
    background: background === true || factsOf(outputOf(transcript))?.isFile() === true,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof toolUseId === "string" ? { toolUseId } : {}),
  };
}

const outputOf = (transcript: string): string =>
  join(dirname(dirname(transcript)), "tasks", `${idInName(transcript)}.output`);

const idInName = (transcript: string): string | undefined =>
  /agent-(a[0-9a-f]{16})\.jsonl$/.exec(transcript)?.[1];

/** What a damaged first line said, as far as the line after it says the same. */
function headerFromSpawn(transcript: string): Record<string, unknown> | undefined {
  const line = readSpawnLine(transcript);
  const spec = line?.["spec"];
  if (!line || !isObject(spec)) return undefined;
  const { cwd, sessionId, timestamp, gitBranch, isSidechain } = line;
  return {
    type: "system",
    subtype: "retinue_session",
    version: readRunSpec(spec).ok ? formatVersion : undefined,
    isSidechain,
    agentId: spec["agentId"],
    cwd,
    sessionId,
    gitBranch,
    timestamp,
  };
}

/**
 * Why the transcript with this id cannot be read, where there is one; undefined where there is none,
 * or it can.
 */
export function unreadableTranscript(projects: string, query: RunQuery): string | undefined {
  for (const project of query.project ? [query.project] : foldersIn(projects))
    for (const sessionId of sessionsIn(join(projects, project), query.sessionId))
      for (const { path } of transcriptsOf(join(projects, project), sessionId, query.agentId)) {
        if (query.agentId !== undefined && idInName(path) !== query.agentId) continue;
        try {
          closeSync(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
        } catch (error) {
          return `${path}: ${errorText(error)}`;
        }
      }
  return undefined;
}

function stateOf(
  outcome: RunOutcome | undefined,
  holder: LockHolder | undefined,
): Pick<RunOnDisk, "state" | "reason" | "outcome"> {
  if (outcome)
    return { state: outcome.state, ...(outcome.reason ? { reason: outcome.reason } : {}), outcome };
  return holder ? { state: "running" } : { state: "failed", reason: "lost" };
}

/** The newest line that tells the state of a run. */
const lastRunLine = (transcript: string): Record<string, unknown> | undefined =>
  readLast(
    transcript,
    ['"run_end"', '"spawn"'],
    ({ type, subtype }) => type === "system" && (subtype === "run_end" || subtype === "spawn"),
  );
