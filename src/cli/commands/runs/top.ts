// `retinue top`: all sessions of this folder as a tree that is kept up to date, with keys to follow,
// stop, answer and go on.
import { RunRecords } from "../../../app/runs/run-records.ts";
import { RetinueError } from "../../../base/errors.ts";
import { realPath } from "../../../base/files/project-folders.ts";
import { treeRows } from "../../../terminal/view/agent-view.ts";
import { sessionAgents } from "../../../terminal/view/session-agents.ts";
import { projectName } from "../../../transcripts/paths.ts";
import { createCommand, type CommandModule } from "../../command.ts";

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("top", io)
    .description("watch all sessions of this folder, and steer them")
    .option("--all", "the sessions of all folders")
    .option("--json", "print the tree once as JSON")
    .addHelpText(
      "after",
      [
        "",
        "Keys: up and down choose an agent, Enter follows its log, s stops it, m sends it a message, a answers",
        "its question, r goes on with one that has ended, b sends it to the background, q leaves.",
      ].join("\n"),
    )
    .action(async (flags: { all?: boolean; json?: boolean }) => {
      const folder = realPath(io.cwd);
      const records = new RunRecords(io.env, flags.all ? undefined : projectName(folder));
      if (flags.json) {
        const { runs, flows } = await records.read();
        const rows = treeRows(sessionAgents(runs, flows)).map(({ item, depth }) => ({
          ...item,
          depth,
        }));
        io.out(JSON.stringify(rows, undefined, 2));
        return finish(0);
      }
      if (!io.interactive || !io.status)
        throw new RetinueError(
          "usage",
          "top needs a terminal. `retinue ps --all` prints a list, `retinue top --json` the tree.",
        );
      const { runTop } = await import("../../top/run-top.ts");
      await runTop(io, { records, scope: flags.all ? "all folders" : folder, terminal: io.status });
      finish(0);
    });
