// `retinue hook stop` and `retinue hook subagent-stop`: the verifier inside Claude Code. It never
// crashes its host: on its own errors it says so and lets the agent go.
import { errorText } from "../../../base/errors.ts";
import { toJson } from "../../../base/data/jsonl.ts";
import { answerStopHook } from "../../../verify/stop-hook.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import type { Io } from "../../io.ts";
import { readReport } from "../../reports/read-report.ts";

const events = [
  ["stop", "Stop", "main thread"],
  ["subagent-stop", "SubagentStop", "sub-agent"],
] as const;

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("hook", io).description(
    "check final messages as a hook of Claude Code",
  );
  for (const [name, event, who] of events)
    command
      .command(name)
      .description(
        `read a ${event} hook's JSON from standard input; block once if the ${who}'s final ` +
          "message is wrong",
      )
      .addHelpText("after", `\nIn ~/.claude/settings.json:\n  ${settingsFor(event, name)}`)
      .action(async () => {
        await answer(event, io);
        finish(0);
      });
  return command;
};

const settingsFor = (event: string, name: string): string =>
  toJson({
    hooks: { [event]: [{ hooks: [{ type: "command", command: `retinue hook ${name}` }] }] },
  }).trim();

async function answer(event: string, io: Io): Promise<void> {
  try {
    const given: unknown = JSON.parse(await readReport("-", io));
    const input =
      typeof given === "object" && given !== null && !Array.isArray(given)
        ? { hook_event_name: event, ...given }
        : given;
    const judged = await answerStopHook(input, { cwd: io.cwd });
    for (const note of judged.notes) io.err(`retinue: ${note}`);
    if (judged.answer) io.out(toJson(judged.answer));
  } catch (error) {
    io.err(`retinue: the report was not checked: ${errorText(error)}`);
  }
}
