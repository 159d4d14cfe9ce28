// Finds runs of this session on disk by id or name, with what their first run was started with.
// Runs of other sessions are never found.
import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { isAgentId } from "../../base/ids.ts";
import { isObject } from "../../base/data/json.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import { readRunSpec } from "../../events/read-run-spec.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import {
  listRuns,
  unreadableTranscript,
  type RunOnDisk,
} from "../../transcripts/reading/list-runs.ts";
import { readSpawn } from "../../transcripts/reading/read-spawn.ts";
import { refuseOtherFormat } from "../../transcripts/reading/refuse-other-format.ts";
import { isPermissionMode } from "../../permissions/mode.ts";
import { agentResult, outcomeWithout, type AgentOutput, type AgentResult } from "./agent-result.ts";
import { verificationOnDisk } from "./verification-on-disk.ts";
import type { Session } from "./session.ts";

export const unknownTask = (id: unknown): RetinueError =>
  new RetinueError(
    "unknown_task",
    `unknown task_id: ${String(id).slice(0, 100)}. Give the id of an agent of this session ` +
      `("a" and 16 hex digits), or its name.`,
  );

export const notReadable = (id: string, why: string): RetinueError =>
  new RetinueError(
    "storage",
    `the transcript of ${id} cannot be read (${why}). Give it back its permissions, or look at the disk.`,
  );

/** The sub-agents of this session, newest first. */
export function earlierRuns(session: Session, agentId?: string): RunOnDisk[] {
  const project = dirname(session.paths.dir);
  return listRuns(dirname(project), {
    project: basename(project),
    sessionId: session.id,
    ...(agentId === undefined ? {} : { agentId }),
  }).filter((run) => !run.isMain);
}

/** Throws `unknown_task` for everything that names no run of this session. */
export function findEarlier(session: Session, idOrName: string): RunOnDisk {
  // An id that is missing in a JavaScript caller's hand would match every run without a name.
  const isName = typeof idOrName === "string" && idOrName !== "";
  const found = isAgentId(idOrName)
    ? earlierRuns(session, idOrName)[0]
    : !isName
      ? undefined
      : earlierRuns(session).find((run) => run.meta?.["name"] === idOrName);
  if (found) return found;
  const project = dirname(session.paths.dir);
  const unreadable = isAgentId(idOrName)
    ? unreadableTranscript(dirname(project), {
        project: basename(project),
        sessionId: session.id,
        agentId: idOrName,
      })
    : undefined;
  throw unreadable === undefined ? unknownTask(idOrName) : notReadable(idOrName, unreadable);
}

/**
 * An earlier agent that may go on. Throws `running` for one that somebody else runs: whoever holds
 * its lock is about to go on with it, even where the last line on disk is the end of its life before.
 */
export function findResumable(session: Session, idOrName: string): RunOnDisk {
  const found = findEarlier(session, idOrName);
  if (found.state === "running" || found.holder) throw alreadyRunning(idOrName, found.holder?.pid);
  return found;
}

export function alreadyRunning(id: string, pid?: number): RetinueError {
  const where = pid === undefined ? "" : ` in process ${pid}`;
  return new RetinueError(
    "running",
    `${id} is already running${where}. Wait for it, stop it, or send it a message.`,
  );
}

/** `what` cannot be done where nothing is written. */
export const notKept = (what: string, lacking: string): RetinueError =>
  new RetinueError(
    "disabled",
    `${what}: this manager was made with persist: false, so there is no ${lacking}. Leave persist ` +
      "out, or start a new agent with what it needs to know.",
  );

export const notRunning = ({
  agent_id,
  state,
}: Pick<AgentOutput, "agent_id" | "state">): RetinueError =>
  new RetinueError(
    "usage",
    state === "running"
      ? `${agent_id} runs in another process.`
      : `${agent_id} has already ended (${state}).`,
  );

export type LostAgent = {
  agent_id: string;
  agent_type: string;
  description: string;
  toolUseId: string | undefined;
};

/** Agents of this session whose process died under them. */
export const lostAgents = (session: Session): LostAgent[] =>
  earlierRuns(session)
    .filter(({ reason }) => reason === "lost")
    .map(({ agentId, meta }) => ({
      agent_id: agentId,
      agent_type: meta?.agentType ?? "unknown",
      description: meta?.description ?? "",
      toolUseId: meta?.toolUseId,
    }));

/** The result of a run that is no longer in memory, as its transcript tells it. */
export function resultOnDisk(run: RunOnDisk, outputFile: string): AgentResult {
  const recorded = run.meta?.agentType ?? readSpawn(run.transcript)?.["agentType"];
  const agentType = typeof recorded === "string" ? recorded : "unknown";
  const outcome = isWhole(run.outcome)
    ? run.outcome
    : outcomeWithout("failed", "lost", "the process that ran it is gone; resume it to go on");
  const { content = outcome.content, ...found } =
    outcome.state === "completed"
      ? verificationOnDisk(run.transcript)
      : { report: null, verification: null };
  return {
    ...agentResult(
      { agentId: run.agentId, agentType },
      { ...outcome, content },
      { transcript: run.transcript, outputFile: isFile(outputFile) ? outputFile : undefined },
    ),
    ...found,
  };
}

function isWhole(outcome: RunOutcome | undefined): outcome is RunOutcome {
  return (
    isObject(outcome?.metrics) &&
    typeof outcome.content === "string" &&
    Array.isArray(outcome.permission_denials)
  );
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What the first life ran with: the spawn line right after the header. */
export function firstSpec(run: RunOnDisk): RunSpec {
  refuseOtherFormat(run);
  const read = readRunSpec(readSpawn(run.transcript));
  if (read.ok && isUsable(read.spec) && read.spec.agentId === run.agentId) return read.spec;
  const problem = read.ok ? "it does not say what it ran with" : read.problem;
  throw new RetinueError(
    "usage",
    `${run.agentId} cannot be resumed by its transcript: ${problem} (${run.transcript}).`,
  );
}

/** A transcript is a file that anybody may have changed: what a resume relies on is checked. */
function isUsable(spec: unknown): spec is RunSpec {
  if (!isObject(spec) || !isObject(spec["policy"]) || !isObject(spec["limits"])) return false;
  if (!isObject(spec["place"]) || typeof spec["place"]["cwd"] !== "string") return false;
  const texts = ["agentId", "agentType", "model"].every((key) => typeof spec[key] === "string");
  const { maxTurns, timeoutMs } = spec["limits"] as { maxTurns?: unknown; timeoutMs?: unknown };
  return (
    texts &&
    isPermissionMode(spec["policy"]["mode"]) &&
    Array.isArray(spec["tools"]) &&
    Number(maxTurns) > 0 &&
    Number(timeoutMs) > 0
  );
}
