// `retinue hook subagent-stop`: the verifier inside Claude Code. It never crashes its host: on its own errors it says so and lets the agent go.
import { errorText } from "../../../base/errors.ts";
import { toJson } from "../../../base/data/jsonl.ts";
import { answerStopHook } from "../../../verify/stop-hook.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { readReport } from "../../reports/read-report.ts";

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("hook", io).description("Retinue as a hook of Claude Code");
  command
    .command("subagent-stop")
    .description(
      "read a SubagentStop hook's JSON on standard input; block once when references of the final report do not hold",
    )
    .addHelpText(
      "after",
      '\nIn ~/.claude/settings.json:\n  {"hooks": {"SubagentStop": [{"hooks": [{"type": "command", "command": "retinue hook subagent-stop"}]}]}}',
    )
    .action(async () => {
      try {
        const { answer, notes } = await answerStopHook(JSON.parse(await readReport("-", io)), {
          cwd: io.cwd,
        });
        for (const note of notes) io.err(`retinue: ${note}`);
        if (answer) io.out(toJson(answer));
      } catch (error) {
        io.err(`retinue: the report was not checked: ${errorText(error)}`);
      }
      finish(0);
    });
  return command;
};
