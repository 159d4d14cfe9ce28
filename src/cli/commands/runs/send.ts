// `retinue send ID TEXT`: a message to an agent in whichever process it runs; one that has ended goes
// on with it.
import { findRun } from "../../../app/runs/find-run.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { addOutputFormat } from "../../output-format.ts";
import { sendToAgent } from "../../running/send-to-agent.ts";
import { readPrompt } from "../../running/read-prompt.ts";
import { addSessionFlags, resumeFlagNames } from "../../session-flags.ts";
import type { RunFlags } from "../run.ts";

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("send", io)
    .description("send a message to an agent: a running one reads it at its next turn")
    .argument("<id>", "an agent id, a session id for its main thread, or a name")
    .argument("[message]", 'the message; "-" reads it from standard input')
    .option("--background", "let an agent that has ended go on in a process of its own");
  return addOutputFormat(addSessionFlags(command, resumeFlagNames)).action(
    async (id: string, words: string | undefined, flags: RunFlags) => {
      const run = findRun(id, io.env);
      finish(await sendToAgent(run, await readPrompt(words, io, flags), { flags, io }));
    },
  );
};
