// The runs of this user as a list for people and programs: what runs, what was lost, and on demand
// everything that stands on disk.
import { limits } from "../../base/limits.ts";
import { statSync } from "node:fs";
import type { RunState, StateReason } from "../../events/outcome.ts";
import { readProgress } from "../../manager/background/run-progress.ts";
import type { Environment } from "../../manager/session/session.ts";
import { listRuns, type RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { sessionPaths } from "../../transcripts/paths.ts";
import { readSpawn } from "../../transcripts/reading/read-spawn.ts";
import { openQuestions } from "./open-questions.ts";
import { projectOf, projectsDir } from "./find-run.ts";

export type RunStatus = {
  agent_id: string;
  agent_type: string;
  name: string | null;
  /** `asking`: it waits for a person, with or without a process. */
  state: "running" | "asking" | RunState;
  reason?: StateReason;
  started_at: string | null;
  background: boolean;
  host_pid: number | null;
  metrics: { turns: number; tool_uses: number; tokens_used: number };
};

/** Running and newly lost ones; with `all` every run on disk. Newest first. */
export async function runStatuses(
  env: Environment,
  { all = false, now = Date.now() } = {},
): Promise<RunStatus[]> {
  const shown = listRuns(
    projectsDir(env),
    all ? {} : { liveOrSinceMs: now - limits.task.lostShownMs },
  ).filter(
    (run) =>
      all ||
      run.state === "running" ||
      (run.reason === "lost" && now - run.changedAtMs < limits.task.lostShownMs),
  );
  const asking = new Set(openQuestions(env).map(({ agent_id }) => agent_id));
  const statuses = await Promise.all(shown.map(statusOf));
  return statuses.map((status) => (asking.has(status.agent_id) ? asAsking(status) : status));
}

function asAsking({ reason: _lost, ...status }: RunStatus): RunStatus {
  return { ...status, state: "asking" };
}

export function outputPathOf(run: RunOnDisk): string {
  return sessionPaths(projectOf(run), run.sessionId).output(run.agentId);
}

async function statusOf(run: RunOnDisk): Promise<RunStatus> {
  const spec = readSpawn(run.transcript) ?? {};
  const name = run.meta?.["name"] ?? spec["name"];
  const type = run.meta?.agentType ?? spec["agentType"];
  const started = run.header["timestamp"];
  const { turns, tool_uses, tokens_used } =
    run.outcome?.metrics ?? (await readProgress(run.transcript));
  return {
    agent_id: run.agentId,
    agent_type: typeof type === "string" ? type : "unknown",
    name: typeof name === "string" ? name : null,
    state: run.state,
    ...(run.reason === undefined ? {} : { reason: run.reason }),
    started_at: typeof started === "string" ? started : null,
    background: spec["background"] === true || hasOutput(run),
    host_pid: run.holder?.pid ?? null,
    metrics: { turns, tool_uses, tokens_used },
  };
}

/** One that was moved to the background later has an output file from then on. */
function hasOutput(run: RunOnDisk): boolean {
  return statSync(outputPathOf(run), { throwIfNoEntry: false })?.isFile() ?? false;
}
