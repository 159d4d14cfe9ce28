// The life of one sub-agent: its hooks come and go with it, its facts are kept, and whatever happens it ends with exactly one result.
import { errorText } from "../base/errors.ts";
import type { AgentDefinition } from "../definitions/agent-definition.ts";
import type { RunOutcome } from "../events/outcome.ts";
import type { Executor } from "../executors/executor.ts";
import { readScopedHooks } from "../hooks/read-hooks.ts";
import { noUsage } from "../model/model.ts";
import { writeMeta } from "../transcripts/meta.ts";
import { dirname } from "node:path";
import { makePrivateDir } from "../transcripts/paths.ts";
import { agentResult, type AgentResult } from "./agent-result.ts";
import type { LiveRun } from "./live-run.ts";
import { transcriptPath } from "./run-store.ts";
import type { Session } from "./session.ts";

export type LifeParts = { session: Session; executor: Executor };

/** Never rejects. */
export async function lifeOf(run: LiveRun, definition: AgentDefinition, { session, executor }: LifeParts): Promise<AgentResult> {
  const { spec } = run;
  const transcript = transcriptPath(session, spec);
  let unregister: (() => void) | undefined;
  let outcome: RunOutcome;
  try {
    unregister = session.hooks.registerScoped(spec.agentId, readScopedHooks(definition.hooks, `agent ${definition.name}`).hooks);
    keepMeta(session, spec, false);
    outcome = await executor.execute(spec, { signal: run.signal, onEvent: (event) => run.hear(event) });
  } catch (error) {
    outcome = broken(error);
  } finally {
    unregister?.();
  }
  keepMeta(session, spec, true);
  return agentResult(spec, outcome, { transcript, outputFile: run.outputFile });
}

function keepMeta(session: Session, spec: LiveRun["spec"], finished: boolean): void {
  try {
    const path = session.paths.meta(spec.agentId);
    makePrivateDir(dirname(path));
    writeMeta(path, { agentType: spec.agentType, description: spec.description ?? "", spawnDepth: 1, finished, ...(spec.toolUseId === undefined ? {} : { toolUseId: spec.toolUseId }), ...(spec.name === undefined ? {} : { name: spec.name }) });
  } catch {
    // A label beside the transcript; the transcript itself says everything that counts.
  }
}

function broken(error: unknown): RunOutcome {
  return { state: "failed", reason: "error", error: errorText(error), content: "", metrics: { turns: 0, tool_uses: 0, tokens_used: 0, duration_ms: 0, cost_usd: null, usage: noUsage }, permission_denials: [] };
}
