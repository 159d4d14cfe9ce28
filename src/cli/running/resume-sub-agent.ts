// A sub-agent that goes on by itself, without the main thread that started it: shown here, or in a
// host.
import type { HostSession } from "../../app/host/host-job.ts";
import { refuseRunningAgent } from "../../app/runs/find-run.ts";
import { openSession } from "../../app/session/open-session.ts";
import { resumeAgent, sessionFolder } from "../../app/main/resume-agent.ts";
import { grouped } from "../../base/text/grouped.ts";
import { printable } from "../../base/text/printable.ts";
import type { AgentResult } from "../../manager/session/agent-result.ts";
import {
  backgroundDisabled,
  backgroundDisabledText,
} from "../../manager/background/background-disabled.ts";
import { watchMessages } from "../../manager/background/leave-message.ts";
import { stopFolder, watchStopRequests } from "../../manager/background/stop-requests.ts";
import type { Manager } from "../../manager/agents/manager.ts";
import type { RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { askTerminal } from "../asking/ask-terminal.ts";
import type { ExitCode } from "../command.ts";
import type { RunFlags } from "../commands/run.ts";
import type { Io } from "../io.ts";
import { denialLines } from "../render/denial-lines.ts";
import { liveText } from "../../terminal/live/live-text.ts";
import { answerText } from "../../terminal/markdown/render-markdown.ts";
import { streamJson } from "../render/stream-json.ts";
import { sessionOptionsFromFlags } from "../session-flags.ts";
import { startInHost } from "./run-background.ts";

export async function resumeSubAgent(
  run: RunOnDisk,
  prompt: string,
  { flags, io }: { flags: RunFlags; io: Io },
): Promise<ExitCode> {
  refuseRunningAgent(run);
  const session: HostSession = {
    ...sessionOptionsFromFlags(flags, io),
    cwd: sessionFolder(run),
    sessionId: run.sessionId,
  };
  const isDisabled = flags.background === true && backgroundDisabled(io.env);
  if (isDisabled) io.err(`${io.paintErr("yellow", "!")} ${backgroundDisabledText}`);
  if (flags.background && !isDisabled)
    return startInHost(
      session,
      { resume: { agentId: run.agentId, prompt } },
      { io, format: flags.outputFormat, agentId: run.agentId },
    );
  return report(await shown(session, { agentId: run.agentId, prompt }, { flags, io }), {
    flags,
    io,
  });
}

async function shown(
  options: HostSession,
  agent: { agentId: string; prompt: string },
  { flags, io }: { flags: RunFlags; io: Io },
): Promise<AgentResult> {
  const live = flags.outputFormat === "text" ? liveText(io, io.status) : undefined;
  const opened = openSession({
    ...options,
    ...(io.interactive && live ? { ask: askTerminal(io, live.pause) } : {}),
  });
  let manager: Manager | undefined;
  const unwatch = watchStopRequests(
    stopFolder(opened.session.configDir),
    (id) => manager?.stopIfRunning(id) === true,
  );
  const stopWatchingMessages = watchMessages(opened.session.configDir, (id) => manager?.runOf(id));
  try {
    const onEvent =
      live?.onEvent ??
      (flags.outputFormat === "stream-json"
        ? streamJson(io, { sessionId: opened.session.id })
        : undefined);
    return await resumeAgent(
      opened,
      { ...agent, background: false },
      {
        signal: io.signal,
        ...(onEvent ? { onEvent } : {}),
        onManager: (found) => (manager = found),
      },
    );
  } finally {
    unwatch();
    stopWatchingMessages();
    live?.close();
    await opened.close();
  }
}

function report(result: AgentResult, { flags, io }: { flags: RunFlags; io: Io }): ExitCode {
  if (flags.outputFormat !== "text") io.out(JSON.stringify({ type: "result", ...result }));
  else {
    if (result.content) io.out(answerText(result.content, io));
    if (result.error) io.err(`${io.paintErr("red", result.state)} ${printable(result.error)}`);
    for (const line of denialLines(result.permission_denials, io)) io.err(line);
    io.err(
      io.paintErr(
        "dim",
        `${result.agent_id} · ${grouped(result.metrics.tokens_used)} tokens · ${result.transcript}`,
      ),
    );
  }
  return result.state === "completed" ? 0 : 1;
}
