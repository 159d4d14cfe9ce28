// `retinue answer ID yes|no|always`: answers a question of any run; one whose process is gone goes
// on in a new one.
import { answerQuestion, type PlacedQuestion } from "../../../app/runs/open-questions.ts";
import { RetinueError } from "../../../base/errors.ts";
import { escaped } from "../../../base/text/printable.ts";
import type { RecordedAnswer } from "../../../manager/asking/open-question.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { goOnAnswered } from "../../running/go-on-answered.ts";

type Flags = { because?: string; rule?: string[]; local?: boolean };

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("answer", io)
    .description("answer an agent's question from any terminal")
    .argument("<id>", "the question's id, from `retinue asks`")
    .argument(
      "<answer...>",
      "yes, no or always; for an agent's own questions one text for each of them",
    )
    .option("--because <reason>", "with no: what the agent is told")
    .option("--rule <rules...>", "with always: other rules than the first that are offered")
    .option("--local", "with always: for all sessions, in .claude/settings.local.json")
    .addHelpText(
      "after",
      "\nExit code 1 where the question was answered already or is closed, 2 where there is none.",
    )
    .action(async (id: string, words: string[], flags: Flags) => {
      const { question, run, refusal } = answerQuestion(
        id,
        (asked) => answerOf(asked, words, flags),
        io.env,
      );
      if (refusal !== undefined) {
        io.err(`${io.paintErr("red", "not counted")} ${id}: ${escaped(refusal)}`);
        return finish(1);
      }
      io.out(`${id} answered: ${words.map(escaped).join(", ")}`);
      finish(run && !run.holder ? await goOnAnswered(run, question, io) : 0);
    });

function answerOf(
  { tool, offers }: PlacedQuestion,
  words: readonly string[],
  { because, rule, local }: Flags,
): RecordedAnswer {
  const from = { at: new Date().toISOString(), by: "command" as const };
  if (tool === "AskUserQuestion") return { answer: "yes", texts: [...words], ...from };
  const [word] = words;
  if (words.length > 1 || (word !== "yes" && word !== "no" && word !== "always"))
    throw new RetinueError(
      "usage",
      `${words.map(escaped).join(" ")} is no answer to this question: write yes, no or always`,
    );
  if (word !== "always")
    return { answer: word, ...(because === undefined ? {} : { because }), ...from };
  const unknown = rule?.find((text) => !offers.flat().includes(text));
  if (unknown !== undefined)
    throw new RetinueError(
      "usage",
      `--rule ${escaped(unknown)} is not offered; this question offers ` +
        (offers.flat().map(escaped).join(", ") || "no rule"),
    );
  const rules = rule ?? offers[0];
  return {
    answer: "always",
    ...(rules ? { rules, keep: local ? "local" : "session" } : {}),
    ...from,
  };
}
