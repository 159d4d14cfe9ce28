// An executor that gives every run a process of its own, the product's background host, and takes its end from the transcript: what a process that was killed left is `lost`.
import { join } from "node:path";
import type { HostSession } from "../../src/app/host/host-job.ts";
import { startHost } from "../../src/app/host/move-to-host.ts";
import { runOutput } from "../../src/app/runs/run-output.ts";
import { errorText } from "../../src/base/errors.ts";
import type { RunOutcome } from "../../src/events/outcome.ts";
import type { Executor } from "../../src/executors/executor.ts";
import type { RunSpec } from "../../src/events/run-spec.ts";
import { outcomeWithout } from "../../src/manager/session/agent-result.ts";

export type ProcessExecutor = Executor & {
  /** In the order of their start. */ hosts: { agentType: string; agentId: string; pid: number }[];
};

const program = [process.execPath, join(import.meta.dirname, "../../dist/cli/retinue.js"), "host"];

export function processExecutor(session: HostSession & { sessionId: string }): ProcessExecutor {
  const hosts: ProcessExecutor["hosts"] = [];
  const execute: Executor["execute"] = async (spec, { signal }) => {
    try {
      return await inProcess(spec, {
        session,
        signal,
        onPid: (pid) => void hosts.push({ agentType: spec.agentType, agentId: spec.agentId, pid }),
      });
    } catch (error) {
      return outcomeWithout("failed", "error", errorText(error));
    }
  };
  return {
    hosts,
    execute,
    attach: execute,
    status: () => undefined,
    stop: () => false,
    send: () => false,
  };
}

async function inProcess(
  spec: RunSpec,
  {
    session,
    signal,
    onPid,
  }: {
    session: HostSession & { sessionId: string };
    signal: AbortSignal;
    onPid: (pid: number) => void;
  },
): Promise<RunOutcome> {
  const host = startHost(program, { version: 1, session }, spec.place.cwd);
  try {
    await host.answered();
    onPid(host.pid);
    host.give({ take: spec });
    await host.answered(spec.agentId);
  } finally {
    host.release();
  }
  const { state, reason, error, content, metrics, permission_denials } = await runOutput(
    spec.agentId,
    session.env,
    { block: true, timeoutMs: 30_000, signal },
  );
  if (state === "running") return outcomeWithout("failed", "timeout", "it did not end");
  const { metrics: none } = outcomeWithout(state, "error", "");
  return {
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(error === undefined ? {} : { error }),
    content,
    permission_denials,
    metrics: { ...none, tokens_used: metrics.tokens_used, tool_uses: metrics.tool_uses },
  };
}
