// A run that was answered and whose process is gone: in the background it goes on in a new one.
import type { PlacedQuestion } from "../../app/runs/open-questions.ts";
import type { RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { readSpawn } from "../../transcripts/reading/read-spawn.ts";
import type { ExitCode } from "../command.ts";
import type { Io } from "../io.ts";

const prompt = "[retinue] A person has answered; go on with the task.";

export async function goOnAnswered(
  run: RunOnDisk,
  { place }: PlacedQuestion,
  io: Io,
): Promise<ExitCode> {
  const { agentId, isMain, transcript } = run;
  if (readSpawn(transcript)?.["background"] !== true) {
    io.err(
      `its process is gone; \`retinue resume ${agentId} PROMPT\` goes on with it and with this answer`,
    );
    return 0;
  }
  const flags = { outputFormat: "text" as const, background: true };
  io.err(`its process is gone: it goes on in a new one (session ${place.sessionId})`);
  if (isMain)
    return (await import("../commands/run.ts")).run(prompt, { ...flags, resume: agentId }, io);
  const { resumeSubAgent } = await import("./resume-sub-agent.ts");
  return resumeSubAgent(run, prompt, { flags, io });
}
