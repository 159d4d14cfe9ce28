// Moves runs of this process to a host, each at its next turn boundary: none is restarted, and no
// tool call is repeated.
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { RunHandle } from "../../manager/run/run-handle.ts";
import type { Session } from "../../manager/session/session.ts";
import type { HostSession } from "./host-job.ts";
import { startHost, type HostLink } from "./start-host.ts";

export type HostMove = {
  /**
   * These runs wait for the host at their next turn boundary and go on there. Throws when there is
   * no host: they stay here then.
   */
  begin(runs: readonly RunHandle[]): Promise<void>;
  /**
   * Gives a run that ended here as `moved` to the host; resolves when the host has gone on with it.
   */
  give(spec: RunSpec, left: RunOutcome): Promise<void>;
  /** Lets the host go on alone; it ends when it has nothing to do. */
  release(): void;
};

export function moveToHost(
  session: Session,
  from: { options: HostSession; program: readonly string[]; cwd: string },
): HostMove {
  let host: HostLink | undefined;
  let ready: Promise<void> | undefined;
  let given: Promise<void> = Promise.resolve();
  const start = (): Promise<void> => {
    host = startHost(
      from.program,
      {
        version: 1,
        session: { ...from.options, sessionId: session.id, approvals: session.approvals.all() },
      },
      from.cwd,
    );
    return host.answered();
  };
  return {
    async begin(runs) {
      ready ??= start();
      const pid = ready.then(
        () => host!.pid,
        () => undefined,
      );
      for (const run of runs) run.moveTo(pid);
      await ready;
    },
    give(spec, left) {
      // One at a time: an answer belongs to the run that was given last.
      given = given
        .catch(() => undefined)
        .then(() => {
          host!.give({ take: inBackground(spec, left, session.background) });
          return host!.answered(spec.agentId);
        });
      return given;
    },
    release: () => host?.release(),
  };
}

/** The same run, from now on as the settings want runs in the background. */
export function inBackground(
  spec: RunSpec,
  { metrics, permission_denials }: RunOutcome,
  { ask, mcp }: Pick<Session["background"], "ask" | "mcp"> = { ask: "upfront", mcp: false },
): RunSpec {
  return {
    ...spec,
    background: true,
    policy: { ...spec.policy, background: ask !== "wait" },
    mcpServers: mcp ? spec.mcpServers : [],
    carried: { metrics, permission_denials },
  };
}
