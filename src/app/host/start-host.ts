// Starts a host: a process with a session of its own that outlives the command and its terminal.
// Its task reaches it through a pipe.
import { spawn, type ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { RetinueError } from "../../base/errors.ts";
import { markVariable } from "../../process/mark.ts";
import { scrubEnvironment } from "../../process/sandbox/scrub-environment.ts";
import type { HostAnswer, HostJob, HostTake } from "./host-job.ts";

export type HostLink = {
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
