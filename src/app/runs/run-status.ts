// The runs of this user as a list for people and programs: what runs, what was lost, and on demand
// everything that stands on disk.
import { limits } from "../../base/limits.ts";
import { statSync } from "node:fs";
import type { RunState, StateReason } from "../../events/outcome.ts";
import { isObject } from "../../base/data/json.ts";
import { noUsage, totalTokens, type Usage } from "../../model/model.ts";
import { costUsd, priceOf } from "../../model/prices.ts";
import { windowOf } from "../../model/windows.ts";
import { readProgress, type ProgressOnDisk } from "../../manager/background/read-progress.ts";
import type { Environment } from "../../manager/session/session.ts";
import { listRuns, type RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { sessionPaths } from "../../transcripts/paths.ts";
import { readLast } from "../../transcripts/reading/read-tail.ts";
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

/** Besides its status: what people look for in a list, and programs find elsewhere. */
export type RunRow = {
  status: RunStatus;
  run: RunOnDisk;
  /** What it was told to do. */ task: string;
  cwd: string;
  model: string;
  cost_usd: number | null;
  /** How much of the model's window the last reply filled, in percent. */
  context: number | null;
};

/** Running and newly lost ones; with `all` every run on disk. Newest first. */
export async function runRows(
  env: Environment,
  { all = false, now = Date.now() } = {},
): Promise<RunRow[]> {
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
  const rows = await Promise.all(shown.map(rowOf));
  return rows.map((row) =>
    asking.has(row.status.agent_id) ? { ...row, status: asAsking(row.status) } : row,
  );
}

function asAsking({ reason: _lost, ...status }: RunStatus): RunStatus {
  return { ...status, state: "asking" };
}

export function outputPathOf(run: RunOnDisk): string {
  return sessionPaths(projectOf(run), run.sessionId).output(run.agentId);
}

/** One run as it stands on disk. */
export async function rowOf(run: RunOnDisk): Promise<RunRow> {
  const spec = readSpawn(run.transcript) ?? {};
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const model = text(spec["model"]);
  const [provider, id = ""] = model.split(/:(.*)/s);
  const progress = run.outcome ? undefined : await readProgress(run.transcript);
  return {
    status: statusOf(run, spec, progress),
    run,
    task: text(run.meta?.description) || text(spec["description"]) || text(spec["prompt"]),
    cwd: text(run.header["cwd"]),
    model,
    cost_usd: progress
      ? costUsd(progress.usage, priceOf(id, provider))
      : (run.outcome?.metrics.cost_usd ?? null),
    context: contextShare(run.transcript, id),
  };
}

function contextShare(transcript: string, model: string): number | null {
  const isReply = ({ type }: Record<string, unknown>): boolean => type === "assistant";
  const last = readLast(transcript, ['"assistant"'], isReply)?.["message"];
  const usage = isObject(last) && isObject(last["usage"]) ? last["usage"] : undefined;
  if (!usage || model === "") return null;
  const tokens = totalTokens({ ...noUsage, ...(usage as Partial<Usage>) });
  return Math.min(100, Math.round((100 * tokens) / windowOf(model).contextWindow));
}

function statusOf(
  run: RunOnDisk,
  spec: Record<string, unknown>,
  progress: ProgressOnDisk | undefined,
): RunStatus {
  const name = run.meta?.["name"] ?? spec["name"];
  const type = run.meta?.agentType ?? spec["agentType"];
  const started = run.header["timestamp"];
  const { turns, tool_uses, tokens_used } = run.outcome?.metrics ?? progress!;
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
