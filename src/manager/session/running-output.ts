// The output of a run that has not ended, in the form of a result.
import type { RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { writeWaitingLines } from "../../transcripts/waiting-lines.ts";
import { shortened, type AgentOutput, type RunningOutput } from "./agent-result.ts";
import { findEarlier, resultOnDisk } from "./earlier-run.ts";
import type { Session } from "./session.ts";
import type { RunHandle } from "../run/run-handle.ts";

export function runningOutput(run: RunHandle, transcript: string): RunningOutput {
  writeWaitingLines();
  const { tokens_used, tool_uses } = run.progress;
  return {
    agent_id: run.spec.agentId,
    agent_type: run.spec.agentType,
    state: "running",
    content: shortened(run.text, transcript),
    report: null,
    verification: null,
    metrics: {
      tokens_used,
      tool_uses,
      duration_ms: Math.round(performance.now() - run.startedAtMs),
      cost_usd: null,
    },
    permission_denials: [],
    transcript,
    ...(run.outputFile === undefined ? {} : { output_file: run.outputFile }),
    ...(run.notes.length > 0 ? { notes: [...run.notes] } : {}),
  };
}

/** One that another process runs: only that one knows more. */
function runningElsewhere({ agentId, meta, transcript, holder }: RunOnDisk): RunningOutput {
  return {
    agent_id: agentId,
    agent_type: meta?.agentType ?? "unknown",
    state: "running",
    content: "",
    report: null,
    verification: null,
    metrics: { tokens_used: 0, tool_uses: 0, duration_ms: 0, cost_usd: null },
    permission_denials: [],
    transcript,
    notes: [`it runs in process ${holder?.pid ?? "?"}`],
  };
}

/** What stands on disk of an agent that does not run in this process. Throws `unknown_task`. */
export function outputOnDisk(session: Session, id: string): AgentOutput {
  const found = findEarlier(session, id);
  if (found.state === "running") return runningElsewhere(found);
  return resultOnDisk(found, session.paths.output(found.agentId));
}
