// A message to an agent in whichever process it runs; one that has ended goes on with it.
import { setTimeout as sleep } from "node:timers/promises";
import { lookAgain } from "../../app/runs/find-run.ts";
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import { RetinueError } from "../../base/errors.ts";
import { leaveMessage } from "../../manager/background/leave-message.ts";
import type { RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import type { ExitCode } from "../command.ts";
import type { RunFlags } from "../commands/run.ts";
import type { Io } from "../io.ts";

/** Within this time the process of a running agent takes the message. */
const takenMs = 5_000;
const pollMs = 30;

export async function sendToAgent(
  run: RunOnDisk,
  text: string,
  { flags, io }: { flags: RunFlags; io: Io },
): Promise<ExitCode> {
  if (run.state === "running" && (await isDelivered(run, text, io))) {
    io.out(
      flags.outputFormat === "text"
        ? `${run.agentId} gets the message at its next turn`
        : JSON.stringify({ type: "delivered", agent_id: run.agentId }),
    );
    return 0;
  }
  const { run: resume } = await import("../commands/run.ts");
  if (run.isMain) return resume(text, { ...flags, resume: run.agentId }, io);
  const { resumeSubAgent } = await import("./resume-sub-agent.ts");
  return resumeSubAgent(lookAgain(run), text, { flags, io });
}

/** False when the run ended first: nobody has the message then. */
async function isDelivered(run: RunOnDisk, text: string, io: Io): Promise<boolean> {
  const message = leaveMessage(claudeConfigDir(io.env), run.agentId, text);
  const started = performance.now();
  while (!message.isTaken() && !io.signal.aborted && performance.now() - started < takenMs) {
    await sleep(pollMs);
    if (lookAgain(run).state !== "running") break;
  }
  if (!message.withdraw()) return true;
  if (lookAgain(run).state !== "running") return false;
  throw new RetinueError(
    "running",
    `${run.agentId} runs in process ${run.holder?.pid ?? "?"}, which did not take the message.`,
  );
}
