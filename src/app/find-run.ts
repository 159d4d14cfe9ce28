// Finds a run on disk by the id that a person typed: an agent id, or the id of a session for its main thread.
import { join } from "node:path";
import { claudeConfigDir } from "../base/claude-paths.ts";
import { RetinueError } from "../base/errors.ts";
import { isAgentId, isUuid } from "../base/ids.ts";
import { listRuns, type RunOnDisk } from "../transcripts/list-runs.ts";
import type { Environment } from "../manager/session.ts";

export const projectsDir = (env: Environment): string => join(claudeConfigDir(env), "projects");

/** Throws `unknown_task` for everything that names no run. */
export function findRun(id: string, env: Environment): RunOnDisk {
  const unknown = new RetinueError("unknown_task", `unknown task_id: ${id.slice(0, 100)}. \`retinue ps --all\` lists the ids; an agent id is "a" and 16 hex digits, a session id is a UUID.`);
  if (!isAgentId(id) && !isUuid(id)) throw unknown;
  const runs = listRuns(projectsDir(env), isAgentId(id) ? { agentId: id } : { sessionId: id });
  const found = runs.find((run) => (isAgentId(id) ? run.agentId === id : run.isMain));
  if (!found) throw unknown;
  return found;
}
