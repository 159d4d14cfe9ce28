// `retinue host`: the process of background runs. Reads its task from standard input, answers on
// file descriptor 3, prints nothing.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { runHost } from "../../../app/host/run-host.ts";
import { readJob, readTake, type HostAnswer } from "../../../app/host/host-job.ts";
import type { RunSpec } from "../../../events/run-spec.ts";
import { createCommand, type CommandModule } from "../../command.ts";

const answers = 3;

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("host", io)
    .description("run agents in the background (started by retinue itself)")
    .action(async () => {
      const lines = createInterface({ input: io.stdin })[Symbol.asyncIterator]();
      const first = await lines.next();
      const job = readJob(first.done ? "" : first.value);
      await runHost(job, { tell, takes: takesFrom(lines), signal: io.signal });
      finish(0);
    });

async function* takesFrom(lines: AsyncIterator<string>): AsyncGenerator<RunSpec> {
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const spec = readTake(line.value);
    if (spec) yield spec;
  }
}

/** The process that waited for the answer may have ended. */
function tell(answer: HostAnswer): void {
  try {
    writeSync(answers, `${JSON.stringify(answer)}\n`);
  } catch {
    // Nobody reads it any more.
  }
}
