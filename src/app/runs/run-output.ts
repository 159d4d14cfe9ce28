// Reads the output of a run of any process: its result if it has ended, its text so far if it runs.
import { setTimeout as sleep } from "node:timers/promises";
import type { PermissionDenial, RunState, StateReason } from "../../events/outcome.ts";
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import type { Report } from "../../contract/report/report.ts";
import { oneLine } from "../../base/text/printable.ts";
import type { RunVerification } from "../../manager/session/agent-result.ts";
import { verificationOnDisk } from "../../manager/session/verification-on-disk.ts";
import { readProgress } from "../../manager/background/read-progress.ts";
import type { Environment } from "../../manager/session/session.ts";
import type { RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { existsSync } from "node:fs";
import { readTail } from "../../transcripts/reading/read-tail.ts";
import { readSpawn } from "../../transcripts/reading/read-spawn.ts";
import { findRun, lookAgain } from "./find-run.ts";
import { outputPathOf } from "./run-status.ts";

/** What `readOutput` returns: a run's result, or the text so far while it runs. */
export type RunOutput = {
  agent_id: string;
  agent_type: string;
  state: "running" | RunState;
  reason?: StateReason;
  error?: string;
  content: string;
  report: Report | null;
  verification: RunVerification | null;
  metrics: {
    tokens_used: number;
    tool_uses: number;
    duration_ms: number | null;
    cost_usd: number | null;
  };
  permission_denials: PermissionDenial[];
  transcript: string;
  output_file?: string;
  /** The wait was over before the run was. */
  timed_out?: true;
};

const pollMs = 100;

/**
 * With `block` it waits until the run is over, `timeoutMs` at most; a run that still goes on then
 * is no error.
 */
export async function runOutput(
  id: string,
  env: Environment,
  wait: { block: boolean; timeoutMs: number; signal: AbortSignal },
): Promise<RunOutput> {
  const until = performance.now() + wait.timeoutMs;
  let run = findRun(id, env);
  while (
    wait.block &&
    run.state === "running" &&
    performance.now() < until &&
    !wait.signal.aborted
  ) {
    await sleep(Math.min(pollMs, Math.max(1, until - performance.now())), undefined, {
      signal: wait.signal,
    }).catch(() => undefined);
    run = lookAgain(run);
  }
  const output = run.state === "running" || hasNoEnd(run) ? await soFar(run) : ended(run);
  return wait.block && run.state === "running" ? { ...output, timed_out: true } : output;
}

/** Its last words could not be written: what it had said before stands in the lines. */
const hasNoEnd = ({ reason }: RunOnDisk): boolean => reason === "lost" || reason === "storage";

async function soFar(run: RunOnDisk): Promise<RunOutput> {
  const { text, tokens_used, tool_uses } = await readProgress(run.transcript);
  const error =
    run.reason === "lost"
      ? { error: `the process that ran it is gone${lastLine(run.transcript)}` }
      : run.outcome?.error === undefined
        ? {}
        : { error: run.outcome.error };
  return {
    ...places(run),
    ...error,
    content: shortened(text, run.transcript, "newest"),
    report: null,
    verification: null,
    metrics: { tokens_used, tool_uses, duration_ms: null, cost_usd: null },
    permission_denials: [],
  };
}

/** Where it stood: often the only hint at what became of it. */
function lastLine(transcript: string): string {
  const { type, subtype, timestamp, message } = readTail(transcript).at(-1) ?? {};
  const content =
    isObject(message) && Array.isArray(message["content"])
      ? (message["content"] as unknown[]).filter(isObject)
      : [];
  const calls = content
    .filter((block) => block["type"] === "tool_use")
    .map((block) => String(block["name"]));
  const results = content.some((block) => block["type"] === "tool_result");
  const what =
    type === "assistant"
      ? calls.length > 0
        ? `a reply that calls ${calls.slice(0, 5).join(", ")}`
        : "a reply"
      : type === "user"
        ? results
          ? "the results of its calls"
          : "what it was told"
        : String(subtype ?? type);
  return typeof timestamp === "string"
    ? oneLine(`; its last line is of ${timestamp}: ${what}`, 300)
    : "";
}

function ended(run: RunOnDisk): RunOutput {
  const { outcome } = run;
  const {
    content = outcome?.content ?? "",
    report,
    verification,
  } = verificationOnDisk(run.transcript);
  const {
    tokens_used = 0,
    tool_uses = 0,
    duration_ms = null,
    cost_usd = null,
  } = outcome?.metrics ?? {};
  return {
    ...places(run),
    ...(outcome?.error === undefined ? {} : { error: outcome.error }),
    content: shortened(content, run.transcript, "oldest"),
    report,
    verification,
    metrics: { tokens_used, tool_uses, duration_ms, cost_usd },
    permission_denials: outcome?.permission_denials ?? [],
  };
}

function places(
  run: RunOnDisk,
): Pick<RunOutput, "agent_id" | "agent_type" | "state" | "reason" | "transcript" | "output_file"> {
  const output = outputPathOf(run);
  const type = run.meta?.agentType ?? readSpawn(run.transcript)?.["agentType"];
  return {
    agent_id: run.agentId,
    agent_type: typeof type === "string" ? type : "unknown",
    state: run.state,
    ...(run.reason === undefined ? {} : { reason: run.reason }),
    transcript: run.transcript,
    ...(existsSync(output) ? { output_file: output } : {}),
  };
}

function shortened(text: string, transcript: string, keep: "oldest" | "newest"): string {
  const room = limits.output.resultCharacters;
  if (text.length <= room) return text;
  const note = `[${text.length - room} more characters: ${transcript}]`;
  return keep === "oldest" ? `${text.slice(0, room)}\n${note}` : `${note}\n${text.slice(-room)}`;
}
