// `retinue stop ID…`: ends agents wherever they run; when it returns, none of their processes is
// left.
import { findRun } from "../../../app/runs/find-run.ts";
import { stopRun, type Stopped } from "../../../app/runs/stop-run.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { stateText } from "./ps.ts";

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("stop", io)
    .description("stop agents, wherever they run")
    .argument("<ids...>", "agent ids, session ids for their main threads, or names")
    .option("--json", "print JSON")
    .action(async (ids: string[], flags: { json?: boolean }) => {
      // All ids are looked up first: if one is unknown, nothing is stopped.
      const runs = ids.map((id) => findRun(id, io.env));
      const stopped = await Promise.all(runs.map((run) => stopRun(run, io.env)));
      if (flags.json)
        io.out(
          JSON.stringify(
            stopped.map(({ result, run }) => ({
              agent_id: run.agentId,
              state: run.state,
              reason: run.reason ?? null,
              changed: result === "stopped" || result === "killed",
            })),
            undefined,
            2,
          ),
        );
      else for (const each of stopped) io.out(sentence(each));
      finish(stopped.some(({ result }) => result === "deaf") ? 1 : 0);
    });

function sentence({ result, run }: Stopped): string {
  switch (result) {
    case "over":
      return `${run.agentId} is over already, nothing was changed: ${stateText(run)}`;
    case "stopped":
      return `${run.agentId} ${stateText(run)}`;
    case "killed":
      return `${run.agentId} did not react; its host was ended: ${stateText(run)}`;
    default:
      return (
        `${run.agentId} did not react; process ${run.holder?.pid ?? "?"} still runs it. End ` +
        "that process to end the run."
      );
  }
}
