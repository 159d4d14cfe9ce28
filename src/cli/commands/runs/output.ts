// `retinue output ID`: shows an agent's result, or its text so far while it runs.
import { grouped } from "../../../base/text/grouped.ts";
import { printable } from "../../../base/text/printable.ts";
import { runOutput } from "../../../app/runs/run-output.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { wholeNumber } from "../../whole-number.ts";
import { denialLines } from "../../render/denial-lines.ts";
import { answerText } from "../../../terminal/markdown/render-markdown.ts";
import { trustWords } from "../../../terminal/view/trust-words.ts";
import { stateText } from "./ps.ts";

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("output", io)
    .description("show an agent's result, or its text so far")
    .argument("<id>", "an agent id, a session id for its main thread, or a name")
    .option("--block", "wait until the agent has ended")
    .option("--timeout <ms>", "wait at most this many milliseconds", wholeNumber)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nThe exit code is 1 if the agent failed or was stopped, and 0 if it has completed or still runs.",
    )
    .action(async (id: string, flags: { block?: boolean; timeout?: number; json?: boolean }) => {
      const output = await runOutput(id, io.env, {
        block: flags.block ?? false,
        timeoutMs: flags.timeout ?? Infinity,
        signal: io.signal,
      });
      if (flags.json) io.out(JSON.stringify(output, undefined, 2));
      else {
        if (output.content) io.out(answerText(output.content, io));
        for (const line of denialLines(output.permission_denials, io)) io.err(line);
        if (output.state !== "running")
          for (const line of trustWords(output.verification))
            io.err(io.paintErr("dim", `[retinue] ${line}`));
        const note =
          output.state === "running"
            ? "; this is what it has said so far, unverified"
            : output.error
              ? `: ${printable(output.error)}`
              : "";
        io.err(
          io.paintErr(
            "dim",
            `${output.agent_id} ${stateText(output)}${note} · ` +
              `${grouped(output.metrics.tokens_used)} tokens · ` +
              (output.output_file ?? output.transcript),
          ),
        );
      }
      const isBroken = output.state === "failed" || output.state === "stopped";
      if (isBroken && !flags.json)
        io.err(io.paintErr("dim", `to go on with it: retinue resume ${output.agent_id} PROMPT`));
      finish(isBroken ? 1 : 0);
    });
