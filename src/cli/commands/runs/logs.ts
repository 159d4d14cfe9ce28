// `retinue logs ID`: shows a transcript as text or as its JSON lines, complete or as it grows.
import { setTimeout as sleep } from "node:timers/promises";
import { findRun, lookAgain } from "../../../app/runs/find-run.ts";
import { iterateLines } from "../../../transcripts/reading/iterate-lines.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { transcriptText } from "../../../terminal/view/transcript-text.ts";

const pollMs = 200;

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("logs", io)
    .description("show what an agent did")
    .argument("<id>", "an agent id, a session id for its main thread, or a name")
    .option("-f, --follow", "keep printing while the agent runs")
    .option("--json", "print the lines of the transcript")
    .action(async (id: string, flags: { follow?: boolean; json?: boolean }) => {
      const run = findRun(id, io.env);
      let from = 0;
      const print = async (): Promise<void> => {
        for await (const { value, problem, end } of iterateLines(run.transcript, { from })) {
          // A line that is still being written is printed at the next look.
          if (problem === "torn") return;
          from = end;
          const text =
            value &&
            (flags.json
              ? JSON.stringify(value)
              : transcriptText(value, { paint: io.paint, width: io.width() }));
          if (text !== undefined) io.out(text);
        }
      };
      await print();
      while (flags.follow && !io.signal.aborted && lookAgain(run).state === "running") {
        await sleep(pollMs, undefined, { signal: io.signal }).catch(() => undefined);
        await print();
      }
      if (flags.follow) await print();
      finish(0);
    });
