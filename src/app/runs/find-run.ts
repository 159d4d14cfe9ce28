// Finds a run on disk by what a person typed: an agent id, the id of a session for its main thread,
// or a name.
import { basename, dirname, join } from "node:path";
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import { RetinueError } from "../../base/errors.ts";
import { isAgentId, isUuid } from "../../base/ids.ts";
import { oneLine } from "../../base/text/printable.ts";
import { notReadable } from "../../manager/session/earlier-run.ts";
import {
  listRuns,
  unreadableTranscript,
  type RunOnDisk,
} from "../../transcripts/reading/list-runs.ts";
import { readSpawn } from "../../transcripts/reading/read-spawn.ts";
import type { Environment } from "../../manager/session/session.ts";

export const projectsDir = (env: Environment): string => join(claudeConfigDir(env), "projects");

/**
 * Throws `unknown_task` for everything that names no run, and `usage` for a name that several
 * running ones share.
 */
export function findRun(id: string, env: Environment): RunOnDisk {
  const found = isAgentId(id) || isUuid(id) ? byId(id, env) : byName(id, env);
  if (found) return found;
  const unreadable = isAgentId(id)
    ? unreadableTranscript(projectsDir(env), { agentId: id })
    : undefined;
  if (unreadable !== undefined) throw notReadable(id, unreadable);
  throw new RetinueError(
    "unknown_task",
    `unknown task_id: ${oneLine(id, 100)}. \`retinue ps --all\` lists the ids; an agent id ` +
      `is "a" and 16 hex digits, a session id is a UUID.`,
  );
}

function byId(id: string, env: Environment): RunOnDisk | undefined {
  const runs = listRuns(projectsDir(env), isAgentId(id) ? { agentId: id } : { sessionId: id });
  return runs.find((run) => (isAgentId(id) ? run.agentId === id : run.isMain));
}

/**
 * Whoever holds its lock is about to go on with it, even where the last line on disk is still the
 * end of its life before.
 */
export function refuseRunningAgent({ agentId, state, holder }: RunOnDisk): void {
  if (state === "running" || holder)
    throw new RetinueError(
      "running",
      `${agentId} is already running${holder ? ` in process ${holder.pid}` : ""}. Wait for ` +
        `it, or stop it first: retinue stop ${agentId}`,
    );
}

/** The same run as it stands now. */
export function lookAgain(run: RunOnDisk): RunOnDisk {
  const project = projectOf(run);
  return (
    listRuns(dirname(project), {
      project: basename(project),
      sessionId: run.sessionId,
      ...(run.isMain ? {} : { agentId: run.agentId }),
    }).find(({ agentId }) => agentId === run.agentId) ?? { ...run, state: "failed", reason: "lost" }
  );
}

/** The folder of the project that the run belongs to. */
export const projectOf = (run: RunOnDisk): string =>
  run.isMain ? dirname(run.transcript) : dirname(dirname(dirname(run.transcript)));

/** A running one before one that is over, then the newest. */
function byName(name: string, env: Environment): RunOnDisk | undefined {
  if (name === "") return undefined;
  const runs = listRuns(projectsDir(env)).filter((run) => nameOfRun(run) === name);
  const running = runs.filter((run) => run.state === "running");
  if (running.length > 1)
    throw new RetinueError(
      "usage",
      `${running.length} running agents are named ${oneLine(name, 100)}: ` +
        `${running.map((run) => run.agentId).join(", ")}. Give the id of one.`,
    );
  return running[0] ?? runs[0];
}

export function nameOfRun(run: RunOnDisk): string | undefined {
  const name = run.meta?.["name"] ?? readSpawn(run.transcript)?.["name"];
  return typeof name === "string" ? name : undefined;
}
