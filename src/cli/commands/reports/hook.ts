// `retinue hook stop` and `retinue hook subagent-stop`: the verifier inside Claude Code. It never
// crashes its host: on its own errors it says so and lets the agent go.
import { errorText } from "../../../base/errors.ts";
import { toJson } from "../../../base/data/jsonl.ts";
import { answerStopHook } from "../../../verify/stop-hook.ts";
import { binds, checkedClasses } from "../../../contract/trust/verdict-classes.ts";
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
        `read a ${event} hook's JSON from standard input; check the ${who}'s final message`,
      )
      .addHelpText(
        "after",
        () => `\n${consequences()}\n\nIn ~/.claude/settings.json:\n  ${settingsFor(event, name)}`,
      )
      .action(async () => {
        await answer(event, io);
        finish(0);
      });
  return command;
};

/** From the table of classes, so that it says what is so today. */
function consequences(): string {
  const [blocking, warning] = [true, false].map((does) =>
    checkedClasses.filter((name) => binds(name) === does).join(", "),
  );
  return (
    `Blocks once, with what is really there: ${blocking || "nothing today"}.\n` +
    `Warns the person (a message in Claude Code), and the agent stops: ${warning || "nothing"}.\n` +
    "What was sent back once and is still wrong is a warning. The exit code is always 0. Why a class\n" +
    "blocks or warns: docs/trust.md."
  );
}

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
    const judged = await answerStopHook(input, {
      cwd: io.cwd,
      runnersOf: async (root) =>
        (await import("../../../app/project/named-runners.ts")).namedRunners(root, io.env),
    });
    for (const note of judged.notes) io.err(`retinue: ${note}`);
    const message = judged.warning === null ? {} : { systemMessage: judged.warning };
    if (judged.answer ?? judged.warning) io.out(toJson({ ...judged.answer, ...message }));
  } catch (error) {
    io.err(`retinue: the report was not checked: ${errorText(error)}`);
  }
}
