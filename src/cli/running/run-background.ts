// `run --background`: asks once for what will be needed, starts a host, and says where to look.
import type { HostJob, HostSession } from "../../app/host/host-job.ts";
import { openSession } from "../../app/session/open-session.ts";
import { settleMain, type MainInput } from "../../app/main/run-main-thread.ts";
import { startHost } from "../../app/host/move-to-host.ts";
import { claudeConfigDir, realPath } from "../../base/files/project-folders.ts";
import { newAgentId, newUuid } from "../../base/ids.ts";
import { backgroundStarted } from "../../manager/background/background-started.ts";
import { neededRules } from "../../manager/background/ask-up-front.ts";
import { projectDir, sessionPaths } from "../../transcripts/paths.ts";
import type { ExitCode } from "../command.ts";
import { hostProgram } from "../host-program.ts";
import type { Io } from "../io.ts";

export async function runInBackground(
  session: HostSession,
  input: MainInput,
  { io, format }: { io: Io; format: string },
): Promise<ExitCode> {
  const approved = io.interactive && format === "text" ? await askUpFront(session, input, io) : [];
  if (approved === undefined) {
    io.err("not started");
    return 1;
  }
  const agentId = input.agentId ?? newAgentId();
  const allowedTools = [...(session.allowedTools ?? []), ...approved];
  return startInHost(
    { ...session, allowedTools },
    { start: { ...input, agentId } },
    { io, format, agentId },
  );
}

/** Starts a host with this task and says where to look, once the run has really begun. */
export async function startInHost(
  session: HostSession,
  task: Pick<HostJob, "start" | "resume">,
  { io, format, agentId }: { io: Io; format: string; agentId: string },
): Promise<ExitCode> {
  const sessionId = session.sessionId ?? newUuid();
  const host = startHost(
    hostProgram(),
    { version: 1, session: { ...session, sessionId }, ...task },
    io.cwd,
  );
  try {
    await host.answered(agentId);
  } finally {
    host.release();
  }
  const output = sessionPaths(
    projectDir(claudeConfigDir(session.env), realPath(session.cwd)),
    sessionId,
  ).output(agentId);
  io.out(
    format === "text"
      ? backgroundStarted(agentId, output)
      : JSON.stringify({
          type: "background",
          agent_id: agentId,
          session_id: sessionId,
          state: "running",
          output_file: output,
        }),
  );
  return 0;
}

/** One question for everything; undefined when the person would rather not start. */
async function askUpFront(
  options: HostSession,
  input: MainInput,
  io: Io,
): Promise<string[] | undefined> {
  const opened = openSession(options);
  try {
    const spec = await settleMain(opened, { ...input, background: true });
    const tools = neededRules(spec.tools, spec.policy, opened.session.home);
    if (tools.length === 0 || opened.session.background.ask !== "upfront") return [];
    const { choose, chooseSeveral } = await import("../asking/choose.ts");
    const answer = await choose(io, {
      message: `In the background nobody can be asked. May ${spec.agentType} use ${tools.join(", ")} without asking?`,
      choices: [
        {
          value: "all",
          key: "y",
          label: "Yes, all of them; deny rules and protected paths still hold",
        },
        { value: "some", key: "s", label: "Some of them …" },
        { value: "none", key: "n", label: "No, start it and deny what it would have to ask for" },
        { value: "leave", label: "Do not start", hint: "Esc" },
      ],
      initial: "none",
      onEscape: "leave",
    });
    if (answer === "leave") return undefined;
    if (answer === "all") return tools;
    if (answer === "none") return [];
    return chooseSeveral(io, {
      message: "Without asking, it may use:",
      choices: tools.map((rule) => ({ value: rule, label: rule })),
    });
  } finally {
    await opened.close();
  }
}
