// `retinue resume ID PROMPT`: continues an agent that has ended or was lost, with the permissions
// that it had and no more.
import { findRun } from "../../../app/runs/find-run.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { wholeNumber } from "../../whole-number.ts";
import { addOutputFormat } from "../../output-format.ts";
import { addSessionFlags, resumeFlagNames } from "../../session-flags.ts";
import { readPrompt } from "../../running/read-prompt.ts";
import { resumeSubAgent } from "../../running/resume-sub-agent.ts";
import { run, type RunFlags } from "../run.ts";

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("resume", io)
    .description("continue an agent that has ended or was lost")
    .argument("<id>", "an agent id, a session id for its main thread, or a name")
    .argument("[prompt]", 'the next task; "-" reads it from standard input')
    .option("--background", "run it in its own process and return at once")
    .option(
      "--max-turns <n>",
      "stop after this many replies of the model (main threads)",
      wholeNumber,
    );
  return addOutputFormat(addSessionFlags(command, resumeFlagNames)).action(
    async (id: string, words: string | undefined, flags: RunFlags) => {
      const found = findRun(id, io.env);
      const prompt = await readPrompt(words, io, flags);
      finish(
        found.isMain
          ? await run(prompt, { ...flags, resume: found.agentId }, io)
          : await resumeSubAgent(found, prompt, { flags, io }),
      );
    },
  );
};
