// `retinue asks`: the open questions of all agents, with what each wants to do.
import { openQuestions, type PlacedQuestion } from "../../../app/runs/open-questions.ts";
import { escaped } from "../../../base/text/printable.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import type { Io } from "../../io.ts";
import { age } from "../../render/table.ts";

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("asks", io)
    .description("list the open questions of all agents")
    .option("--json", "for programs")
    .addHelpText(
      "after",
      "\nAnswer one with: retinue answer ID yes|no|always, or with words where the agent asks something",
    )
    .action((flags: { json?: boolean }) => {
      const questions = openQuestions(io.env);
      if (flags.json)
        io.out(
          JSON.stringify(
            questions.map(({ place, ...record }) => ({ ...record, session_id: place.sessionId })),
            undefined,
            2,
          ),
        );
      else if (questions.length === 0) io.err("no agent has an open question");
      else for (const question of questions) io.out(described(question, io));
      finish(0);
    });

function described(question: PlacedQuestion, io: Io): string {
  const { id, agent_id, agent_type, tool, input, reason, asked_at, deadline, offers } = question;
  const label = (text: string): string => io.paint("dim", `${text}:`);
  const rows = Object.entries(input).map(
    ([key, value]) =>
      `  ${label(escaped(key))} ${escaped(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
  const always = offers[0];
  return [
    `${io.paint("yellow", id)} ${io.paint("bold", escaped(agent_type))} ${agent_id} wants to use ` +
      `${io.paint("bold", escaped(tool))}, asked ${age(asked_at)}, until ${deadline}`,
    ...rows,
    `  ${label("asked because")} ${escaped(reason)}`,
    ...(always ? [`  ${label("always would allow")} ${always.map(escaped).join(" ")}`] : []),
  ].join("\n");
}
