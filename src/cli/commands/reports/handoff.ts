// `retinue handoff check` validates a request or a response before anybody acts on it.
import { toJson } from "../../../base/data/jsonl.ts";
import { checkHandoffText } from "../../../contract/handoff/check-handoff-text.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { readReport } from "../../reports/read-report.ts";

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("handoff", io).description("check handoffs between agents");
  const check = command.command("check");
  check
    .description("say whether a request or a response is valid, and what is wrong with it")
    .argument("<file>", "a JSON file, or text with the JSON in it; - is standard input")
    .option("--json", "print {ok, problems}")
    .addHelpText(
      "after",
      "\nThe exit code is 1 if something is wrong.\n\nExample:\n  retinue handoff check request.json",
    )
    .action(async (file: string) => {
      const { kind, problems, notes } = checkHandoffText(await readReport(file, io));
      const ok = problems.length === 0;
      if (check.opts<{ json?: boolean }>().json) io.out(toJson({ ok, kind, problems, notes }));
      else {
        for (const { field, message } of problems)
          io.out(`${io.paint("red", "✗")} ${field}: ${message}`);
        for (const note of notes) io.out(`${io.paint("yellow", "!")} ${note}`);
        io.out(
          ok
            ? `${io.paint("green", "✓")} a valid ${kind}`
            : `${problems.length} ${problems.length === 1 ? "problem" : "problems"}`,
        );
      }
      finish(ok ? 0 : 1);
    });
  return command;
};
