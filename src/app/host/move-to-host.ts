// Hosts, processes with a session of their own that outlive the command and its terminal: starts one, its
// task reaches it through a pipe; and moves runs of this process to it, each at its next turn boundary.
// None is restarted, and no tool call is repeated.
import { spawn, type ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { RetinueError } from "../../base/errors.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { RunHandle } from "../../manager/run/run-handle.ts";
import type { Session } from "../../manager/session/session.ts";
import { markVariable } from "../../process/mark.ts";
import { scrubEnvironment } from "../../process/sandbox/scrub-environment.ts";
import type { HostAnswer, HostJob, HostSession, HostTake } from "./host-job.ts";

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

type HostLink = {
  pid: number;
  /**
   * Waits until the host is ready, or has begun with the agent; throws what kept it from that, its
   * end too.
   */
  answered(agentId?: string): Promise<void>;
  give(take: HostTake): void;
  /** Nothing more comes: the host goes on alone. */
  release(): void;
};

/**
 * `command` is the program with its arguments that runs a host; `cwd` the folder that relative
 * paths of the job count from.
 */
export function startHost(command: readonly string[], job: HostJob, cwd: string): HostLink {
  const [program, ...args] = command;
  // A host inside an agent's own command stays under that agent's mark: stopping the agent stops it
  // too.
  const mark = process.env[markVariable];
  const child = spawn(program!, args, {
    cwd,
    detached: true,
    stdio: ["pipe", "ignore", "ignore", "pipe"],
    env: {
      ...scrubEnvironment(process.env),
      ...(mark === undefined ? {} : { [markVariable]: mark }),
    },
  });
  const failure = failureOf(child);
  const stdin = child.stdin!;
  stdin.on("error", () => {});
  // Loaded here: a run in the foreground starts no host and pays for no readline.
  const lines = import("node:readline").then(({ createInterface }) =>
    createInterface({ input: child.stdio[3] as Readable })[Symbol.asyncIterator](),
  );
  const next = async (): Promise<HostAnswer> => {
    const { value, done } = await (await lines).next();
    return done ? failure : (JSON.parse(value) as HostAnswer);
  };
  const send = (line: HostJob | HostTake): void => void stdin.write(`${JSON.stringify(line)}\n`);
  send(job);
  return {
    pid: child.pid ?? 0,
    async answered(agentId) {
      for (;;) {
        const answer = await Promise.race([next(), failure]);
        if ("error" in answer && (answer.agentId === undefined || answer.agentId === agentId))
          throw new RetinueError(answer.code, answer.error);
        if (
          agentId === undefined
            ? "ready" in answer
            : "started" in answer && answer.started === agentId
        )
          return;
      }
    },
    give: send,
    release() {
      stdin.end();
      (child.stdio[3] as Readable).destroy();
      child.unref();
    },
  };
}

/** How a host ends that never answers. */
function failureOf(child: ChildProcess): Promise<HostAnswer> {
  return new Promise<HostAnswer>((resolve) => {
    child.once("error", (error) =>
      resolve({
        error: `the background process could not be started: ${error.message}`,
        code: "platform",
      }),
    );
    child.once("exit", (code, signal) =>
      resolve({
        error: `the background process ended before the run had started (${signal ?? `exit code ${code}`})`,
        code: "platform",
      }),
    );
  });
}
