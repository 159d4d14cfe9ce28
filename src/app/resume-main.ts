// Finds an earlier main thread and what it ran with, so that going on means the same agent, model, folder and no more permissions.
import { RetinueError } from "../base/errors.ts";
import type { Environment } from "../manager/session.ts";
import { isPermissionMode, isWider } from "../permissions/mode.ts";
import { loadTranscript } from "../transcripts/load-transcript.ts";
import { findRun } from "./find-run.ts";

export type EarlierMain = { sessionId: string; agentId: string; agent: string; model: string; cwd: string; mode: string };

/** Throws for an unknown id, a running one, and a sub-agent. */
export async function earlierMain(id: string, env: Environment): Promise<EarlierMain> {
  const run = findRun(id, env);
  if (run.state === "running") throw new RetinueError("running", `${id} is still running; stop it first, or wait for it.`);
  if (!run.isMain) throw new RetinueError("usage", `${id} is a sub-agent; \`retinue resume ${id} PROMPT\` continues it.`);
  const { spec } = await loadTranscript(run.transcript);
  const { agentType, model, cwd, policy } = (spec ?? {}) as { agentType?: unknown; model?: unknown; cwd?: unknown; policy?: { mode?: unknown } };
  if (typeof agentType !== "string" || typeof model !== "string" || typeof cwd !== "string") throw new RetinueError("usage", `${id} cannot be continued: its transcript does not say what it ran with (${run.transcript}).`);
  return { sessionId: run.sessionId, agentId: run.agentId, agent: agentType, model, cwd, mode: isPermissionMode(policy?.mode) ? policy.mode : "default" };
}

/** The earlier mode, or a narrower one; a resume never widens. */
export function resumedMode(earlier: string, asked: string | undefined): string {
  if (asked === undefined) return earlier;
  if (isPermissionMode(asked) && isPermissionMode(earlier) && isWider(asked, earlier)) throw new RetinueError("denied", `a resumed run keeps its permissions: ${asked} is wider than ${earlier}. Start a new run for that.`);
  return asked;
}
