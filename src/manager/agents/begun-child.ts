// The agent that a call has started before, in a process that died: the call is made once more, and
// no second agent starts.
import { RetinueError } from "../../base/errors.ts";
import { childOf } from "../run/settle/settle-run.ts";
import { earlierRuns, resultOnDisk } from "../session/earlier-run.ts";
import type { Session } from "../session/session.ts";
import type { RunHandle } from "../run/run-handle.ts";
import { agentRun, type AgentRun } from "./agent-run.ts";
import type { SpawnOrigin } from "./spawn-input.ts";

type Ways = {
  session: Session;
  running: (agentId: string) => RunHandle | undefined;
  /** Goes on with the life that died; undefined where its steps were not kept. */
  goOn: (agentId: string) => AgentRun | undefined;
};

/** Undefined for a call that has started none. Throws for an agent that cannot go on by itself. */
export function begunChild(origin: SpawnOrigin, ways: Ways): AgentRun | undefined {
  const { session, running, goOn } = ways;
  const id = childOf(origin);
  const run = id === undefined ? undefined : running(id);
  if (run) return agentRun(run);
  const found = id === undefined ? undefined : earlierRuns(session, id)[0];
  if (id === undefined || !found) return undefined;
  if (found.reason !== "lost")
    return {
      id,
      done: Promise.resolve(resultOnDisk(found, session.paths.output(id))),
      events: async function* () {},
    };
  const continued = goOn(id);
  if (continued) return continued;
  throw new RetinueError(
    "usage",
    `this call has started ${id}, which was interrupted. SendMessage lets it go on where it was.`,
  );
}
